import { NodeApiError, NodeOperationError, type INode, type JsonObject } from 'n8n-workflow';

import { redact } from '../service/errors/explain';
import { InputFailure, ServiceFailure } from '../service/errors/failure';

export interface ItemPosition {
	index: number;
	count: number;
}

/**
 * The one place where a failure becomes one of n8n's own errors. Only texts are carried over: what
 * a library threw may hold the request with its headers, and therefore the key.
 */
export function toNodeError(
	node: INode,
	thrown: unknown,
	position: ItemPosition | undefined,
	secrets: readonly string[],
): NodeApiError | NodeOperationError {
	const where =
		position === undefined || position.count < 2
			? ''
			: ` (item ${position.index + 1} of ${position.count})`;
	const at = position === undefined ? {} : { itemIndex: position.index };
	const clean = (text: string) => redact(text, secrets);
	if (thrown instanceof ServiceFailure && !(thrown instanceof InputFailure)) {
		const message = clean(thrown.message) + where;
		const description = clean(thrown.details.remedy);
		const { httpStatus } = thrown.details;
		const httpCode = httpStatus === undefined ? undefined : String(httpStatus);
		const response: JsonObject = {
			message,
			description,
			...(httpCode !== undefined && { httpCode }),
		};
		return new NodeApiError(node, response, { message, description, httpCode, ...at });
	}
	if (thrown instanceof ServiceFailure) {
		return new NodeOperationError(node, clean(thrown.message) + where, {
			description: clean(thrown.details.remedy),
			...at,
		});
	}
	const text = thrown instanceof Error ? thrown.message : 'The node stopped for an unknown reason';
	const description = describe(thrown);
	return new NodeOperationError(node, clean(text) + where, {
		description: description && clean(description),
		...at,
	});
}

/**
 * What a failed item holds, message and remedy. The error itself is not put on the item: n8n would
 * then drop the fields of the incoming item, which it keeps on the error output otherwise, and
 * expressions on that output ($('...').all(1)) would see nothing.
 */
export function inOneText({ message, description }: NodeApiError | NodeOperationError): string {
	return description ? `${message}. ${description}` : message;
}

function describe(thrown: unknown): string | undefined {
	const description = (thrown as { description?: unknown } | undefined)?.description;
	return typeof description === 'string' ? description : undefined;
}

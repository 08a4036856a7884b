import { NodeApiError, NodeOperationError, type INode, type JsonObject } from 'n8n-workflow';

import { asError, Failure, ServiceFailure, type FailureReason } from '../service/errors/failure';
import { redact } from '../service/errors/refusal';
import { explain } from './explanations';
import { InputFailure } from './failures';

interface ItemPosition {
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
	if (thrown instanceof Failure) {
		const explanation = explain(thrown);
		const message = clean(explanation.message) + where;
		const description = clean(explanation.remedy);
		if (isAboutInput(thrown)) return new NodeOperationError(node, message, { description, ...at });
		const { httpStatus } = thrown.flags;
		const httpCode = httpStatus === undefined ? undefined : String(httpStatus);
		const response: JsonObject = {
			message,
			description,
			...(httpCode !== undefined && { httpCode }),
		};
		return new NodeApiError(node, response, { message, description, httpCode, ...at });
	}
	const text = thrown instanceof Error ? thrown.message : 'The node stopped for an unknown reason';
	const description = describe(thrown);
	return new NodeOperationError(node, clean(text) + where, {
		description: description && clean(description),
		...at,
	});
}

/** Reasons below the operations that are about what a person entered. */
const INPUT_CODES = new Set<FailureReason['code']>([
	'unusableId',
	'missingApiKey',
	'documentNotInTransaction',
]);

/** n8n has an error class for what was entered and another one for what a service answered. */
function isAboutInput(failure: Failure): boolean {
	if (failure instanceof ServiceFailure) return INPUT_CODES.has(failure.reason.code);
	return failure instanceof InputFailure;
}

/**
 * A failure of the credential's own, which n8n shows with its message alone.
 * @returns an error whose cause is the failure, so that the code above still recognizes it
 */
export function toCredentialError(thrown: unknown): Error {
	if (!(thrown instanceof Failure)) return asError(thrown);
	const { message, remedy } = explain(thrown);
	return new Error(`${message}. ${remedy}`, { cause: thrown });
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

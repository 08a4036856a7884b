import { NodeApiError, NodeOperationError, type INode, type JsonObject } from 'n8n-workflow';

import { asError, Failure, ServiceFailure, type FailureReason } from '../transport/failure/failure';
import { toPlainText } from '../values/plainText';
import { redact } from '../transport/failure/refusal';
import { InputFailure, RowFailure, RowsFailure } from './failures';
import { explain } from './explanations';
import type { Situation } from './situation';

/**
 * Turns anything thrown into one of n8n's own errors; nothing else does. Only texts are carried
 * over, because an error of a library may hold the request with its headers, and so the API key.
 *
 * @param position the item that failed, which part of it, and the number of its row; undefined outside of the item loop
 * @param secrets texts to remove from message and description, which are plain text then
 * @param situation what is known of the item, so that the remedy fits its operation
 */
export function toNodeError(
	node: INode,
	thrown: unknown,
	position: { index: number; count: number; part?: string; row?: number } | undefined,
	secrets: readonly string[],
	situation?: Situation,
): NodeApiError | NodeOperationError {
	// Failures of rows name them, beside which the number of the item would confuse. So would n8n's own,
	// which counts from 0: it isn't given the index.
	const isRow = thrown instanceof RowFailure || thrown instanceof RowsFailure;
	const itemSuffix =
		position === undefined || position.count < 2 || isRow
			? ''
			: ` (${position.row === undefined ? `item ${position.index + 1} of ${position.count}` : `row ${position.row}`})`;
	const clean = (text: string) => toPlainText(redact(text, secrets));
	const begin = position?.part === undefined ? '' : `${clean(position.part)}: `;
	if (thrown instanceof Failure) {
		const explanation = explain(thrown, situation);
		const message = begin + clean(explanation.message) + itemSuffix;
		const description = clean(explanation.remedy);
		if (isAboutInput(thrown)) return new NodeOperationError(node, message, { description });
		const httpCode = thrown.flags.httpStatus?.toString();
		const response: JsonObject = { message, description, ...(httpCode && { httpCode }) };
		const error = new NodeApiError(node, response, { message, description, httpCode });
		// n8n shows it under 'Error details'.
		if (explanation.details) error.messages.push(explanation.details);
		return error;
	}
	const text = thrown instanceof Error ? thrown.message : 'The node stopped for an unknown reason';
	const { description } = (thrown ?? {}) as { description?: unknown };
	return new NodeOperationError(node, begin + clean(text) + itemSuffix, {
		description: typeof description === 'string' ? clean(description) : undefined,
	});
}

/** Failures of the service layer that are about what a person entered. */
const INPUT_CODES = new Set<FailureReason['code']>([
	'unusableId',
	'missingApiKey',
	'unusableApiKey',
	'documentNotInTransaction',
	'wrongState',
]);

/** n8n has one error class for input that can't be used and another for what a service answered. */
function isAboutInput(failure: Failure): boolean {
	if (failure instanceof ServiceFailure) return INPUT_CODES.has(failure.reason.code);
	return failure instanceof InputFailure || failure instanceof RowsFailure;
}

/**
 * Turns a failure of the credential into an error whose message holds the remedy too, because n8n
 * shows nothing but the message of such an error.
 *
 * @returns an error whose cause is the failure, so that the code above still recognizes it
 */
export function toCredentialError(thrown: unknown): Error {
	if (!(thrown instanceof Failure)) return asError(thrown);
	const { message, remedy } = explain(thrown);
	return new Error(`${message}. ${remedy}`, { cause: thrown });
}

/**
 * Message and remedy as one text, for the `error` field of a failed item.
 *
 * The error itself isn't put on the item: n8n would then drop the fields of the incoming item,
 * which it otherwise keeps on the error output, and expressions on that output such as
 * `$('...').all(1)` would find nothing.
 */
export function formatAsText({ message, description }: NodeApiError | NodeOperationError): string {
	return description ? `${message}. ${description}` : message;
}

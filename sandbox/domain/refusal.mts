/** How the service refuses requests: with which status, text and shape (docs/service/errors.md). */

/** Thrown for a request that the service refuses. */
export class Refusal extends Error {
	readonly status: number;

	constructor(status: number, text: string) {
		super(text);
		this.status = status;
	}
}

/** One service has six shapes of error bodies (docs/service/errors.md#error-bodies). */
const SHAPES: Array<(text: string) => unknown> = [
	(text) => ({ errors: [text] }),
	(text) => ({ message: 'The request was refused', errors: [text] }),
	(text) => ({ errors: { request: text } }),
	(text) => ({ errors: { request: [text] } }),
	(text) => ({ error: text }),
	(text) => text,
];

/**
 * The body of a refusal. Its shape depends on the endpoint and the status alone, so that it is the
 * same in each run and a client meets all six.
 */
export function refusalBody(operationId: string, status: number, text: string): unknown {
	const sum = [...`${operationId}${status}`].reduce(
		(total, letter) => total + letter.charCodeAt(0),
		0,
	);
	return SHAPES[sum % SHAPES.length](text);
}

/**
 * Refuses a request because of a business rule, which answers 422
 * (docs/service/errors.md#statuses).
 */
export function refuse(text: string): never {
	throw new Refusal(422, text);
}

/**
 * The texts of the service (docs/service/errors.md#texts-worth-a-remedy,
 * docs/service/errors.md#errors-of-each-call).
 */
export const TEXTS = {
	notEditable: 'Transaction cannot be edited at this time.',
	signed: 'Transaction has already been completed by at least 1 signer.',
	expired: 'Transaction has expired',
	noSigner: 'Need at least 1 signer',
	noEmail: 'Customer email not present',
	typeUnknown: 'Invalid Value for transaction_type',
	tooBig: 'File is too big (max is 30MB)',
	noEnote: 'eNote Required',
	noDesignations: 'Esign required yet no Signer Designations specified in Document Bundle',
	badSubscription: 'Invalid subscription passed',
};

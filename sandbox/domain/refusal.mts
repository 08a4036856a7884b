/**
 * A request the service refuses: status and text; the body's shape is chosen by the endpoint
 * (gaps.md §9: six shapes on one service).
 */
export class Refusal extends Error {
	readonly status: number;

	constructor(status: number, text: string) {
		super(text);
		this.status = status;
	}
}

const SHAPES: Array<(text: string) => unknown> = [
	(text) => ({ errors: [text] }),
	(text) => ({ message: 'The request was refused', errors: [text] }),
	(text) => ({ errors: { request: text } }),
	(text) => ({ errors: { request: [text] } }),
	(text) => ({ error: text }),
	(text) => text,
];

/**
 * The error body: which of the shapes depends on the endpoint and status alone, so that it repeats
 * and a client meets each.
 */
export function refusalBody(operationId: string, status: number, text: string): unknown {
	const sum = [...`${operationId}${status}`].reduce(
		(total, letter) => total + letter.charCodeAt(0),
		0,
	);
	return SHAPES[sum % SHAPES.length](text);
}

/** Business rules answer 422 (gaps.md §9). */
export function refuse(text: string): never {
	throw new Refusal(422, text);
}

/** The texts that several rules share (gaps.md §9). */
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

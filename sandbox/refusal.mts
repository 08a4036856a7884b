/** A request the service refuses: status and text; the body's shape is chosen by the endpoint (gaps.md §9: six shapes on one service). */
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

/** The error body: which of the shapes depends on the endpoint and status alone, so that it repeats. */
export function refusalBody(operationId: string, status: number, text: string): unknown {
	const sum = [...`${operationId}${status}`].reduce((total, letter) => total + letter.charCodeAt(0), 0);
	return SHAPES[sum % SHAPES.length](text);
}

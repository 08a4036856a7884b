/** Why a page or a document can't be read. */
export type Reason =
	/** There's no PDF in the bytes. */
	| 'notPdf'
	/** It can be opened with a password only, or is encrypted in a way that ISO 32000 doesn't know. */
	| 'encrypted'
	/** It isn't what ISO 32000 asks for. */
	| 'damaged'
	/** It uses a part of ISO 32000 that isn't read here. */
	| 'unsupported'
	/** Nobody says which characters its glyphs are, or how wide they are. */
	| 'unknownGlyphs'
	/** It's larger than the limits allow. */
	| 'limit';

/** The one exception of this folder. It never leaves it. */
export class Unreadable extends Error {
	constructor(
		readonly reason: Reason,
		message: string,
	) {
		super(message);
	}
}

/** The reason of whatever was thrown: what isn't ours comes from bytes that nobody foresaw. */
export const reasonOf = (thrown: unknown): Reason =>
	thrown instanceof Unreadable ? thrown.reason : 'damaged';

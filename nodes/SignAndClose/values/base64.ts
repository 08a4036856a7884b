/* Decodes base64 piece by piece, so that no file is in memory twice. */

/** How many characters are decoded together. */
const PIECE = 65_536;

/**
 * Decodes base64 in whatever pieces it comes: with or without padding, in the usual or the URL-safe
 * letters, with blanks and line breaks between them.
 *
 * Piece by piece also for V8: in a process with much code, such as n8n, it doesn't optimize regular
 * expressions any more, and one that repeats 20 million times then ends with "Maximum call stack size
 * exceeded".
 */
export class Base64Decoder {
	/** Less than four letters, which belong to the next piece. */
	private waiting = '';

	/** Padding has come, so that nothing may follow. */
	private padded = false;

	/**
	 * @param isLast whether it all ends with this piece
	 * @returns undefined when it isn't base64; Node.js would silently leave out what isn't, and the file
	 *   would be another one
	 */
	take(piece: string, isLast: boolean): Buffer | undefined {
		const letters = this.waiting + piece.replace(/\s/g, '').replace(/-/g, '+').replace(/_/g, '/');
		const whole = isLast ? letters.length : letters.length - (letters.length % 4);
		this.waiting = letters.slice(whole);
		const text = letters.slice(0, whole);
		if (
			(this.padded && text !== '') ||
			!/^[A-Za-z0-9+/]*={0,2}$/.test(text) ||
			text.replace(/=+$/, '').length % 4 === 1
		)
			return undefined;
		this.padded ||= text.endsWith('=');
		return Buffer.from(text, 'base64');
	}
}

/**
 * Decodes a text of base64.
 * @throws RangeError when it isn't base64
 */
export function* decodeBase64(text: string): Generator<Buffer> {
	const decoder = new Base64Decoder();
	for (let at = 0; at < text.length; at += PIECE) {
		const bytes = decoder.take(text.slice(at, at + PIECE), at + PIECE >= text.length);
		if (bytes === undefined) throw new RangeError('Not base64');
		yield bytes;
	}
}

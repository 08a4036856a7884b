import { Base64Decoder } from '../../values/base64';
import { ServiceFailure } from '../failure/failure';
import { discard, generated, type ByteStream } from './streams';

/* Decodes files that come in base64 inside a JSON answer. */

/**
 * How many characters to search for the content. Everything else in the answer, e.g. the
 * designations of a document, is short.
 */
const LONGEST_HEAD = 4 * 1024 * 1024;
/** Quotes inside a JSON text are escaped, so this matches the name of a field only. */
const FIELD = /"data"\s*:\s*"/;

/**
 * Decodes an answer that holds a file in base64 in its field `data`
 * (docs/service/documents.md#get-a-document) while it is read, so that a file of 30 MB is never in
 * memory as a whole.
 * @returns the bytes of the file
 * @throws ServiceFailure through the stream, when the answer has no such field, ends within it, or
 *   holds something else than base64
 */
export function decodeData(answer: ByteStream): ByteStream {
	return generated(answer, decoded(answer));
}

async function* decoded(answer: ByteStream): AsyncGenerator<Buffer> {
	const letters = new Base64Letters();
	let head: string | undefined = '';
	try {
		for await (const chunk of answer) {
			// The rest of the answer is read to its end, because stopping earlier would count as a cut
			// connection.
			if (letters.ended) continue;
			let text = (chunk as Buffer).toString('latin1');
			if (head !== undefined) {
				head += text;
				const found: RegExpExecArray | null = FIELD.exec(head);
				if (found === null) {
					if (head.length > LONGEST_HEAD) throw new ServiceFailure({ code: 'noContent' });
					continue;
				}
				text = head.slice(found.index + found[0].length);
				head = undefined;
			}
			const bytes = letters.take(text);
			if (bytes.length > 0) yield bytes;
		}
		if (!letters.ended) throw new ServiceFailure({ code: 'noContent' });
	} finally {
		discard(answer);
	}
}

/** A sequence that a JSON text may use instead of a letter, as far as it has come. */
const BEGUN = /\\(?:u[0-9a-f]{0,3})?$/i;

/** Decodes a JSON text of base64 letters, in whatever pieces it comes. */
class Base64Letters {
	/** Whether the closing quote has come. */
	ended = false;

	/** A sequence that has only begun. It belongs to the next piece. */
	private rest = '';

	private readonly decoder = new Base64Decoder();

	take(text: string): Buffer {
		let piece = this.rest + text;
		const end = piece.indexOf('"');
		this.ended = end >= 0;
		if (this.ended) piece = piece.slice(0, end);
		this.rest = this.ended ? '' : (BEGUN.exec(piece)?.[0] ?? '');
		const letters = plainLetters(piece.slice(0, piece.length - this.rest.length));
		const bytes = this.decoder.take(letters, this.ended);
		if (bytes === undefined) throw new ServiceFailure({ code: 'unreadableContent' });
		return bytes;
	}
}

/** Resolves what JSON may write for a letter. */
function plainLetters(text: string): string {
	return text
		.replace(/\\u([0-9a-f]{4})/gi, (_all, code: string) =>
			String.fromCharCode(Number.parseInt(code, 16)),
		)
		.replace(/\\\//g, '/')
		.replace(/\\[nrt]/g, '');
}

import { Base64Decoder } from '../../values/base64';
import { parseIfJson } from '../../values/json';
import { ServiceFailure } from '../failure/failure';
import { discard, createStream, type ByteStream } from './streams';

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
 * @param check is given the answer without its content, at its end
 * @returns the bytes of the file
 * @throws ServiceFailure through the stream, when the answer has no such field, ends within it, or
 *   holds something else than base64; what the check throws
 */
export function decodeData(answer: ByteStream, check?: (rest: unknown) => void): ByteStream {
	return createStream(answer, decodeChunks(answer, check));
}

async function* decodeChunks(
	answer: ByteStream,
	check?: (rest: unknown) => void,
): AsyncGenerator<Buffer> {
	const decoder = new Base64Decoder();
	let head = '';
	/** The answer without the content. */
	let rest = '';
	let state: 'before' | 'within' | 'after' = 'before';
	/** A sequence that has only begun. It belongs to the next piece. */
	let begun = '';
	try {
		for await (const chunk of answer) {
			// The rest of the answer is read to its end, because stopping earlier would count as a cut
			// connection.
			let text = begun + (chunk as Buffer).toString('latin1');
			if (state === 'after') {
				if (rest.length < LONGEST_HEAD) rest += text;
				continue;
			}
			if (state === 'before') {
				head += text;
				const match = FIELD.exec(head);
				if (match === null && head.length > LONGEST_HEAD) break;
				if (match === null) continue;
				text = head.slice(match.index + match[0].length);
				rest = `${head.slice(0, match.index)}"data":""`;
				state = 'within';
			}
			const end = text.indexOf('"');
			if (end >= 0) {
				rest += text.slice(end + 1);
				[text, state] = [text.slice(0, end), 'after'];
			}
			begun = BEGUN.exec(text)?.[0] ?? '';
			const letters = unescapeLetters(text.slice(0, text.length - begun.length));
			const bytes = decoder.take(letters, end >= 0);
			if (bytes === undefined) throw new ServiceFailure({ code: 'unreadableContent' });
			if (bytes.length > 0) yield bytes;
		}
		if (state !== 'after') throw new ServiceFailure({ code: 'noContent' });
		check?.(parseIfJson(rest));
	} finally {
		discard(answer);
	}
}

/** A sequence that a JSON text may use instead of a letter, as far as it has come. */
const BEGUN = /\\(?:u[0-9a-f]{0,3})?$/i;

/** Resolves what JSON may write for a letter. */
function unescapeLetters(text: string): string {
	return text
		.replace(/\\u([0-9a-f]{4})/gi, (_all, code: string) =>
			String.fromCharCode(Number.parseInt(code, 16)),
		)
		.replace(/\\\//g, '/')
		.replace(/\\[nrt]/g, '');
}

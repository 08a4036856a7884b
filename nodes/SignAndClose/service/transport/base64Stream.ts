import { ServiceFailure } from '../errors/failure';
import { discard, metered, type ByteStream } from './streams';

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
 * @throws ServiceFailure through the stream, when the answer has no such field or ends within it
 */
export function decodeData(answer: ByteStream, stallMs: number): ByteStream {
	return metered(answer, () => undefined, stallMs).compose(async function* (
		chunks: AsyncIterable<Buffer>,
	) {
		let head: string | undefined = '';
		let left = '';
		let ended = false;
		try {
			for await (const chunk of chunks) {
				// The rest of the answer is read to its end, because stopping earlier would count as a cut
				// connection.
				if (ended) continue;
				let text = chunk.toString('latin1');
				if (head !== undefined) {
					head += text;
					const found: RegExpExecArray | null = FIELD.exec(head);
					if (found === null) {
						if (head.length > LONGEST_HEAD) throw noContent();
						continue;
					}
					text = head.slice(found.index + found[0].length);
					head = undefined;
				}
				const end = text.indexOf('"');
				const part = left + (end < 0 ? text : text.slice(0, end));
				// A backslash at the end belongs to the next chunk.
				const held = part.endsWith('\\') ? '\\' : '';
				const clean = part
					.replace(/\\\//g, '/')
					.replace(/\\[nr]/g, '')
					.replace(/[^A-Za-z0-9+/=]/g, '');
				const whole = end < 0 ? clean.length - (clean.length % 4) : clean.length;
				if (whole > 0) yield Buffer.from(clean.slice(0, whole), 'base64');
				left = clean.slice(whole) + held;
				ended = end >= 0;
			}
			if (!ended) throw noContent();
		} finally {
			discard(answer);
		}
	} as never) as ByteStream;
}

function noContent(): ServiceFailure {
	return new ServiceFailure({ code: 'noContent' });
}

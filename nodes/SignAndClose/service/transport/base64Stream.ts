import { ServiceFailure } from '../errors/failure';
import { discard, metered, type ByteStream } from './streams';

/**
 * Everything else of the answer, e.g. the designations of a document, comes before or after the
 * content and is short.
 */
const LONGEST_HEAD = 4 * 1024 * 1024;
/** In a text the quotes would be escaped, so that this is a field's name. */
const FIELD = /"data"\s*:\s*"/;

/**
 * The bytes of an answer that holds a file in base64 in its field `data` (interface.md §4, Get
 * Document), decoded while it is read: a file of 30 MB is never in memory as a whole.
 * @throws ServiceFailure (through the stream) when there is no such field, or the answer ends
 *   before the field does
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
				// What follows the content is read to its end: to stop in the middle would count as a cut
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
				// A backslash at the end belongs to what comes next.
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

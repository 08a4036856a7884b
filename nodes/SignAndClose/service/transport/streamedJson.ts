import { randomBytes } from 'crypto';

import { discard, metered, type ByteStream } from './streams';

/* Request bodies that hold files and are produced while they are sent. */

/**
 * A file in a request body. Its size is known before it is opened, and each attempt opens it again.
 */
export class FileContent {
	constructor(
		/** Size in bytes, before base64. */
		readonly bytes: number,
		readonly open: () => Promise<ByteStream>,
	) {}
}

/** A request body that is produced while it is sent. */
export interface StreamedBody {
	/** Size of the whole body in bytes. */
	contentLength: number;
	/** @param stallMs milliseconds in which a file has to move */
	open: (stallMs: number) => Promise<ByteStream>;
}

/** How many characters `bytes` bytes take in base64, padding included. */
function base64Length(bytes: number): number {
	return 4 * Math.ceil(bytes / 3);
}

/**
 * Builds a JSON request body. Files anywhere in it, e.g. `resource` of a document
 * (docs/service/documents.md#resource), are streamed in base64, so that memory use doesn't grow
 * with their size.
 * @param fields undefined ones are left out, as by JSON.stringify
 */
export function toBody(fields: object): { body: object } | { stream: StreamedBody } {
	const files: FileContent[] = [];
	// Random, so that no text of a person contains it.
	const mark = `file-${randomBytes(16).toString('hex')}`;
	const json = JSON.stringify(fields, (_key, value: unknown) => {
		if (!(value instanceof FileContent)) return value;
		files.push(value);
		return mark;
	});
	return files.length === 0
		? { body: fields }
		: {
				stream: streamed(
					json.split(mark).map((part) => Buffer.from(part)),
					files,
				),
			};
}

/** The body as texts and files in turn: one text before each file and one after the last. */
function streamed(texts: Buffer[], files: FileContent[]): StreamedBody {
	const length =
		texts.reduce((sum, part) => sum + part.length, 0) +
		files.reduce((sum, { bytes }) => sum + base64Length(bytes), 0);
	return {
		contentLength: length,
		open: async (stallMs) => {
			const first = metered(await files[0].open(), () => undefined, stallMs);
			return first.compose(async function* (chunks: AsyncIterable<Buffer>) {
				yield texts[0];
				yield* toBase64(chunks);
				for (const [index, file] of files.slice(1).entries()) {
					yield texts[index + 1];
					const source = await file.open();
					try {
						yield* toBase64(metered(source, () => undefined, stallMs));
					} finally {
						discard(source);
					}
				}
				yield texts[files.length];
			} as never) as ByteStream;
		},
	};
}

/**
 * Encodes chunk by chunk. Three bytes make four characters; bytes that are left over wait for the
 * next chunk.
 */
async function* toBase64(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
	let left: Buffer = Buffer.alloc(0);
	for await (const chunk of chunks) {
		const bytes = left.length === 0 ? chunk : Buffer.concat([left, chunk]);
		const whole = bytes.length - (bytes.length % 3);
		if (whole > 0) yield Buffer.from(bytes.subarray(0, whole).toString('base64'));
		left = bytes.subarray(whole);
	}
	if (left.length > 0) yield Buffer.from(left.toString('base64'));
}

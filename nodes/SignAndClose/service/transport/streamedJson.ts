import { randomBytes } from 'crypto';

import { discard, metered, type ByteStream } from './streams';

/**
 * A file inside a request: its size is known before it is opened, and it is opened anew for each
 * attempt.
 */
export class FileContent {
	constructor(
		/** Size in bytes, before base64. */
		readonly bytes: number,
		readonly open: () => Promise<ByteStream>,
	) {}
}

/** A request body that is made while it is sent. */
export interface StreamedBody {
	contentLength: number;
	/** @param stallMs milliseconds in which a file has to move */
	open: (stallMs: number) => Promise<ByteStream>;
}

/** Length of `bytes` bytes in base64, padding included. */
function base64Length(bytes: number): number {
	return 4 * Math.ceil(bytes / 3);
}

/**
 * A request body as JSON. Files anywhere in it (interface.md §4, Add Document: `resource` in
 * base64) are streamed: memory stays flat whatever their size.
 * @param fields undefined ones are left out as JSON.stringify does
 */
export function toBody(fields: object): { body: object } | { stream: StreamedBody } {
	const files: FileContent[] = [];
	// No text of a person holds it by chance.
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

/** Texts and files in turn: a text before each file, one after the last. */
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

/** Three bytes make four characters; what is left over waits for the next chunk. */
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

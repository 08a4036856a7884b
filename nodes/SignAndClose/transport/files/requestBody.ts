import { randomBytes } from 'crypto';
import { sleep } from 'n8n-workflow';

import { decodeBase64 } from '../../values/base64';
import { computeDigest, createStream, discard, type ByteStream } from './streams';

/* Request bodies that hold files and are produced while they are sent. */

/** How much is looked at before others have a turn: milliseconds, while a turn costs one. */
const BYTES_A_TURN = 1024 ** 2;

/**
 * A file in a request body. Its size is known before it is opened, and each attempt opens it again.
 */
export class FileContent {
	/** The SHA-256 of the file, in hexadecimal, if it was read to its end. */
	digest?: string;

	constructor(
		/** Size in bytes, before base64. */
		readonly bytes: number,
		readonly open: () => Promise<ByteStream>,
	) {}

	/** The SHA-256 of the file, for which it's read if it wasn't yet. */
	async readDigest(): Promise<string> {
		return (this.digest ??= await computeDigest(await this.open()));
	}

	/**
	 * A file that is in memory as base64. It is read piece by piece like any other, because a body with
	 * all of it would take its size several times.
	 * @returns undefined when the text isn't base64
	 */
	static async createFromBase64(text: string): Promise<FileContent | undefined> {
		let bytes = 0;
		let since = 0;
		try {
			for (const piece of decodeBase64(text)) {
				bytes += piece.length;
				since += piece.length;
				if (since < BYTES_A_TURN) continue;
				// A long text must not keep n8n from everything else.
				await sleep(0);
				since = 0;
			}
		} catch {
			return undefined;
		}
		return new FileContent(
			bytes,
			async () => await Promise.resolve(createStream(undefined, decodeBase64(text))),
		);
	}
}

/** A request body that is produced while it is sent. */
export interface StreamedBody {
	/** Size of the whole body in bytes. */
	contentLength: number;
	/** @param moved called when a part has been taken */
	open: (moved?: () => void) => Promise<ByteStream>;
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
	if (files.length === 0) return { body: fields };
	const texts = json.split(mark).map((part) => Buffer.from(part));
	return { stream: buildStreamedBody(texts, files) };
}

/** The body as texts and files in turn: one text before each file and one after the last. */
function buildStreamedBody(texts: Buffer[], files: FileContent[]): StreamedBody {
	const inBase64 = files.reduce((sum, { bytes }) => sum + 4 * Math.ceil(bytes / 3), 0);
	return {
		contentLength: texts.reduce((sum, text) => sum + text.length, inBase64),
		open: async (moved = () => undefined) => {
			let source = await files[0].open();
			const streamParts = async function* () {
				try {
					for (const [index, file] of files.entries()) {
						yield texts[index];
						if (index > 0) source = await file.open();
						for await (const part of toBase64(source)) {
							moved();
							yield part;
						}
					}
					yield texts[files.length];
				} finally {
					discard(source);
				}
			};
			return createStream(source, streamParts(), () => discard(source));
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

import { metered, type ByteStream } from './streams';

/** Content whose size is known before it is opened; opened anew for each attempt. */
export interface FileContent {
	bytes: number;
	open: () => Promise<ByteStream>;
}

/** A request body that is made while it is sent. */
export interface StreamedBody {
	contentLength: number;
	open: () => Promise<ByteStream>;
}

/** Length of `bytes` bytes in base64, padding included. */
export function base64Length(bytes: number): number {
	return 4 * Math.ceil(bytes / 3);
}

/**
 * A JSON object with one field that holds a file in base64, streamed: memory stays flat whatever the file's size.
 * @param fields the other fields; undefined ones are left out as JSON.stringify does
 * @param fileField name of the field with the content, e.g. `resource` (interface.md §4, Add Document)
 */
export function jsonWithFile(fields: object, fileField: string, file: FileContent): StreamedBody {
	const rest = JSON.stringify(fields);
	const head = Buffer.from(`${rest === '{}' ? '{' : `${rest.slice(0, -1)},`}${JSON.stringify(fileField)}:"`);
	const tail = Buffer.from('"}');
	return {
		contentLength: head.length + base64Length(file.bytes) + tail.length,
		open: async () => {
			const source = await file.open();
			const watched = metered(source, () => undefined);
			return watched.compose(async function* (chunks: AsyncIterable<Buffer>) {
				yield head;
				// Three bytes make four characters; what is left over waits for the next chunk.
				let left: Buffer = Buffer.alloc(0);
				for await (const chunk of chunks) {
					const bytes = left.length === 0 ? chunk : Buffer.concat([left, chunk]);
					const whole = bytes.length - (bytes.length % 3);
					if (whole > 0) yield Buffer.from(bytes.subarray(0, whole).toString('base64'));
					left = bytes.subarray(whole);
				}
				if (left.length > 0) yield Buffer.from(left.toString('base64'));
				yield tail;
			} as never) as ByteStream;
		},
	};
}

import { Readable } from 'node:stream';

/** A stream that gives the bytes in chunks of this size. */
export const chunked = (bytes: Uint8Array, size: number) =>
	Readable.from(
		Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
			Buffer.from(bytes.subarray(index * size, (index + 1) * size)),
		),
		{ objectMode: false },
	);

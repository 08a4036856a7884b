import { sleep, type IExecuteFunctions } from 'n8n-workflow';

/* Streams that can't stall, and that can be ended or read in part. */

/**
 * A Node.js readable stream. Its type comes from n8n because the package may not import `stream`.
 */
export type ByteStream = Awaited<ReturnType<IExecuteFunctions['helpers']['getBinaryStream']>>;

/**
 * Ends a stream. An error that comes after nobody reads the stream any more must not bring n8n
 * down.
 */
export function discard(stream: unknown): void {
	if (!isByteStream(stream)) return;
	stream.on('error', () => undefined);
	stream.destroy();
}

/** Whether a value is a readable stream. */
export function isByteStream(value: unknown): value is ByteStream {
	return (
		typeof value === 'object' &&
		value !== null &&
		typeof (value as { pipe?: unknown }).pipe === 'function' &&
		'destroy' in value
	);
}

/**
 * Calls `giveUp` when nothing has moved for `limitMs` milliseconds.
 * @returns `moved`, to be called at each sign of life, and `stop`, to end the watch
 */
function watchForStall(
	giveUp: () => void,
	limitMs: number,
): { moved: () => void; stop: () => void } {
	const ended = new AbortController();
	let last = Date.now();
	const watch = async () => {
		while (!ended.signal.aborted) {
			await sleep(Math.max(50, last + limitMs - Date.now()), ended.signal);
			if (!ended.signal.aborted && Date.now() - last >= limitMs) {
				giveUp();
				return;
			}
		}
	};
	// The sleep rejects when the watch is stopped, which is its normal end.
	void watch().catch(() => undefined);
	return { moved: () => (last = Date.now()), stop: () => ended.abort() };
}

/**
 * Passes bytes through unchanged, counts them and watches for a stall. The source is destroyed on
 * every exit.
 *
 * Each chunk is awaited together with the watch. The HTTP library wraps an answer in a stream whose
 * destroy() waits for its next chunk, so destroying alone would never end a reader of a silent one.
 * @param onBytes gets the running total and the chunk, before the chunk is passed on; what it
 *   throws ends the stream
 */
export function metered(
	source: ByteStream,
	onBytes: (total: number, chunk: Buffer) => void,
	limitMs: number,
): ByteStream {
	let ended: { failure?: Error } | undefined;
	let interrupt: () => void = () => undefined;
	const end = (failure?: Error) => {
		ended ??= { failure };
		interrupt();
	};
	const watch = watchForStall(
		() => end(Object.assign(new Error('ESTALLED'), { code: 'ESTALLED' })),
		limitMs,
	);
	// One promise for each chunk: a race against a single long-lived promise would keep every chunk
	// in memory until the end.
	const nextOf = async (chunks: AsyncIterator<unknown>) =>
		await new Promise<IteratorResult<unknown>>((resolve, reject) => {
			interrupt = () =>
				ended?.failure === undefined
					? resolve({ done: true, value: undefined })
					: reject(ended.failure);
			if (ended === undefined) chunks.next().then(resolve, reject);
			else interrupt();
		});
	const pass = async function* () {
		const chunks = source[Symbol.asyncIterator]();
		let total = 0;
		try {
			for (;;) {
				const step = await nextOf(chunks);
				if (step.done === true) return;
				const chunk = step.value as Buffer;
				total += chunk.length;
				watch.moved();
				onBytes(total, chunk);
				yield chunk;
			}
		} finally {
			watch.stop();
			source.destroy();
		}
	};
	const through = generated(source, pass());
	const destroy = through.destroy.bind(through);
	through.destroy = (failure?: Error) => {
		watch.stop();
		discard(source);
		end();
		return destroy(failure);
	};
	return through;
}

/**
 * Makes a stream of what a generator gives.
 * @param like any other stream, for its class, which the package may not import
 */
export function generated(like: ByteStream, chunks: AsyncIterable<Buffer>): ByteStream {
	// Every stream class inherits `from` from Readable.
	const { from } = like.constructor as unknown as {
		from(chunks: AsyncIterable<Buffer>, options: object): ByteStream;
	};
	const stream = from(chunks, { objectMode: false });
	// Whoever reads the stream gets its failure. One that comes after that, when nobody reads it any
	// more, must not bring n8n down.
	stream.on('error', () => undefined);
	return stream;
}

/** Reads at most `limit` bytes of a stream as text, e.g. of the unread body of a refusal. */
export async function readText(stream: ByteStream, limit: number): Promise<string> {
	const parts: Buffer[] = [];
	let total = 0;
	const watch = watchForStall(() => stream.destroy(), 10_000);
	try {
		for await (const chunk of stream) {
			const bytes = Buffer.from(chunk as Uint8Array);
			parts.push(bytes);
			total += bytes.length;
			if (total >= limit) break;
		}
	} catch {
		// Part of a refusal is still worth reading.
		return Buffer.concat(parts).subarray(0, limit).toString('utf8');
	} finally {
		watch.stop();
		discard(stream);
	}
	return Buffer.concat(parts).subarray(0, limit).toString('utf8');
}

/** Reads the first `count` bytes of a stream and ends it. */
export async function readHead(stream: ByteStream, count: number): Promise<Buffer> {
	const parts: Buffer[] = [];
	let total = 0;
	try {
		for await (const chunk of stream) {
			const bytes = Buffer.from(chunk as Uint8Array);
			parts.push(bytes);
			total += bytes.length;
			if (total >= count) break;
		}
	} finally {
		discard(stream);
	}
	return Buffer.concat(parts).subarray(0, count);
}

import { createHash } from 'crypto';
import { sleep, type IExecuteFunctions } from 'n8n-workflow';

import { ServiceFailure } from '../failure/failure';

/* Streams that can't stall, and that can be ended or read in part. */

/**
 * A Node.js readable stream. Its type comes from n8n because the package may not import `stream`.
 */
export type ByteStream = Awaited<ReturnType<IExecuteFunctions['helpers']['getBinaryStream']>>;

/** The reason of aborts whose reason nobody reads. Without one, each would record a stack trace. */
export const OVER = new Error('Over');

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

/** What is thrown when nothing moves for too long. */
export function stalled(): Error {
	return Object.assign(new Error('ESTALLED'), { code: 'ESTALLED' });
}

/** How long to wait for a stream, and how much of it to take. */
export interface Allowance {
	/** Milliseconds to wait for the next chunk. The time in which nobody asks for it doesn't count. */
	silenceMs: number;
	/** Milliseconds from the beginning to the end. */
	totalMs?: number;
	mostBytes?: number;
}

/**
 * Passes bytes through unchanged, within limits of silence, time and size. The source is destroyed
 * on every exit.
 *
 * Each chunk is awaited together with its limit. The HTTP library wraps an answer in a stream whose
 * destroy() waits for its next chunk, so destroying alone would never end a reader of a silent one.
 * @param onChunk called with each chunk before it is passed on
 * @param onEnd called at least once, after the source was destroyed
 * @throws Error through the stream, with the code ESTALLED when the source keeps silent;
 *   ServiceFailure for the other limits
 */
export function metered(
	source: ByteStream,
	{ silenceMs, totalMs = Infinity, mostBytes = Infinity }: Allowance,
	{ onChunk, onEnd }: { onChunk?: (chunk: Buffer) => void; onEnd?: () => void } = {},
): ByteStream {
	const until = Date.now() + totalMs;
	const over = new AbortController();
	let interrupt: () => void = () => undefined;
	let giveUp: (failure: Error) => void = () => undefined;
	let askedAt: number | undefined;
	let watched = false;
	const end = () => {
		over.abort(OVER);
		interrupt();
		discard(source);
		onEnd?.();
	};
	// One timer after the other for the whole stream: one for each chunk would cost more than the
	// chunk.
	const watch = async () => {
		while (!over.signal.aborted) {
			const now = Date.now();
			const dueAt = Math.min(until, (askedAt ?? now) + silenceMs);
			if (askedAt === undefined) await sleep(until > now ? dueAt - now : silenceMs, over.signal);
			else if (dueAt > now) await sleep(dueAt - now, over.signal);
			else return giveUp(until < askedAt + silenceMs ? outOfLimits('ANSWER_SLOW') : stalled());
		}
	};
	// One promise for each chunk: a race against a single long-lived promise would keep every chunk
	// in memory until the end.
	const nextOf = async (chunks: AsyncIterator<unknown>) => {
		askedAt = Date.now();
		if (askedAt >= until) throw outOfLimits('ANSWER_SLOW');
		if (!watched) void watch().catch(() => undefined);
		watched = true;
		try {
			return await new Promise<IteratorResult<unknown>>((resolve, reject) => {
				interrupt = () => resolve({ done: true, value: undefined });
				giveUp = reject;
				if (over.signal.aborted) interrupt();
				else chunks.next().then(resolve, reject);
			});
		} finally {
			askedAt = undefined;
		}
	};
	const pass = async function* () {
		const chunks = source[Symbol.asyncIterator]();
		let total = 0;
		try {
			for (;;) {
				const step = await nextOf(chunks);
				if (step.done === true) return;
				const chunk = step.value as Buffer;
				total += chunk.length;
				if (total > mostBytes) throw outOfLimits('ANSWER_TOO_BIG');
				onChunk?.(chunk);
				yield chunk;
			}
		} finally {
			end();
		}
	};
	const through = generated(source, pass());
	const destroy = through.destroy.bind(through);
	through.destroy = (failure?: Error) => {
		end();
		return destroy(failure);
	};
	return through;
}

function outOfLimits(fault: string): ServiceFailure {
	return new ServiceFailure({ code: 'unreachable', fault, attempts: 1 });
}

/**
 * Makes a stream of what a generator gives.
 * @param like any other stream, for its class, which the package may not import; a hash is one, too
 */
export function generated(
	like: ByteStream | undefined,
	chunks: AsyncIterable<Buffer> | Iterable<Buffer>,
): ByteStream {
	// Every stream class inherits `from` from Readable.
	const { from } = (like ?? createHash('sha256')).constructor as unknown as {
		from(chunks: AsyncIterable<Buffer> | Iterable<Buffer>, options: object): ByteStream;
	};
	const stream = from(chunks, { objectMode: false });
	// Whoever reads the stream gets its failure. One that comes after that, when nobody reads it any
	// more, must not bring n8n down.
	stream.on('error', () => undefined);
	return stream;
}

/**
 * Reads at most `limit` bytes of a stream as text, e.g. of the body of a refusal. Part of one is
 * worth reading, so a stream that fails gives what came before.
 */
export async function readText(stream: ByteStream, limit: number): Promise<string> {
	const parts: Buffer[] = [];
	let total = 0;
	try {
		for await (const chunk of stream) {
			parts.push(chunk as Buffer);
			total += (chunk as Buffer).length;
			if (total >= limit) break;
		}
	} catch {
		// What came is returned.
	} finally {
		discard(stream);
	}
	return Buffer.concat(parts).subarray(0, limit).toString('utf8');
}

/**
 * Reads a stream to its end.
 * @throws whatever the stream fails with
 */
export async function readAll(stream: ByteStream): Promise<Buffer> {
	const parts: Buffer[] = [];
	try {
		for await (const chunk of stream) parts.push(chunk as Buffer);
	} finally {
		discard(stream);
	}
	return Buffer.concat(parts);
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

import { createHash } from 'crypto';
import { sleep, type IExecuteFunctions } from 'n8n-workflow';

import { asError } from '../failure/failure';

/* Streams that can't stall, and that can be ended or read in part. */

/**
 * A Node.js readable stream. Its type comes from n8n because the package may not import `stream`.
 */
export type ByteStream = Awaited<ReturnType<IExecuteFunctions['helpers']['getBinaryStream']>>;

/** A file as it comes: its bytes, within the limits of files, and the headers of the answer. */
export interface Opened {
	stream: ByteStream;
	headers: Record<string, unknown>;
}

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

/** What is thrown when something takes too long or is too big. */
function buildLimitError(code: 'ESTALLED' | 'ANSWER_SLOW' | 'ANSWER_TOO_BIG'): Error {
	return Object.assign(new Error(code), { code });
}

/**
 * Gives up waiting when nothing moves for too long, or when everything takes too long. One timer
 * after the other serves a whole stream: one for each chunk would cost more than the chunk.
 */
export class StallTimer {
	private readonly over = new AbortController();

	private readonly until: number;

	private movedAt = 0;

	private waiting: { end: (value: undefined) => void; fail: (failure: Error) => void } | undefined;

	private watching: Promise<void> | undefined;

	/**
	 * @param silenceMs milliseconds in which something has to move. The time in which nobody waits
	 *   doesn't count
	 * @param totalMs milliseconds from now to the end
	 * @param tooSlow the code of what is thrown at that end
	 */
	constructor(
		private readonly silenceMs: number,
		totalMs: number,
		private readonly tooSlow: 'ESTALLED' | 'ANSWER_SLOW',
	) {
		this.until = Date.now() + totalMs;
	}

	/** To be called when something has moved. */
	readonly noteMove = (): void => {
		this.movedAt = Date.now();
	};

	/**
	 * Waits for something.
	 * @returns undefined when end() comes first
	 * @throws Error with the code ESTALLED or ANSWER_SLOW; whatever is thrown instead of a value
	 */
	async waitFor<T>(awaited: Promise<T>): Promise<T | undefined> {
		this.noteMove();
		// A promise of its own each time: a race against a single long-lived one would keep every chunk
		// in memory until the end.
		const value = new Promise<T | undefined>((resolve, reject) => {
			this.waiting = { end: resolve, fail: reject };
			if (this.over.signal.aborted) resolve(undefined);
			if (this.movedAt >= this.until) reject(buildLimitError(this.tooSlow));
			awaited.then(resolve, reject);
		});
		this.watching ??= this.watch().catch(() => undefined);
		return await value.finally(() => (this.waiting = undefined));
	}

	/** Ends the timer and the waiting. */
	end(): void {
		this.over.abort(OVER);
		this.waiting?.end(undefined);
	}

	private async watch(): Promise<void> {
		for (;;) {
			const now = Date.now();
			if (this.waiting === undefined) this.movedAt = now;
			const silentAt = this.movedAt + this.silenceMs;
			const leftMs = Math.min(silentAt, this.until) - now;
			if (leftMs <= 0)
				return this.waiting?.fail(buildLimitError(silentAt <= now ? 'ESTALLED' : this.tooSlow));
			await sleep(leftMs, this.over.signal);
		}
	}
}

/** How long to wait for a stream, and how much of it to take. */
interface Allowance {
	/** Milliseconds to wait for the next chunk. The time in which nobody asks for it doesn't count. */
	silenceMs: number;
	/** Milliseconds from the beginning to the end. */
	totalMs: number;
	mostBytes?: number;
}

/**
 * Passes bytes through unchanged, within limits of silence, time and size. The source is destroyed
 * on every exit.
 *
 * Each chunk is awaited together with its limit. The HTTP library wraps an answer in a stream whose
 * destroy() waits for its next chunk, so destroying alone would never end a reader of a silent one.
 * @param onEnd called at least once, after the source was destroyed
 * @throws Error through the stream, with the code ESTALLED, ANSWER_SLOW or ANSWER_TOO_BIG
 */
export function limitStream(
	source: ByteStream,
	{ silenceMs, totalMs, mostBytes = Infinity }: Allowance,
	onEnd: () => void = () => undefined,
): ByteStream {
	const timer = new StallTimer(silenceMs, totalMs, 'ANSWER_SLOW');
	const end = () => {
		timer.end();
		discard(source);
		onEnd();
	};
	const pass = async function* () {
		const chunks = source[Symbol.asyncIterator]() as AsyncIterator<Buffer, undefined>;
		let total = 0;
		try {
			for (;;) {
				const chunk = (await timer.waitFor(chunks.next()))?.value;
				if (chunk === undefined) return;
				total += chunk.length;
				if (total > mostBytes) throw buildLimitError('ANSWER_TOO_BIG');
				yield chunk;
			}
		} finally {
			end();
		}
	};
	return createStream(source, pass(), end);
}

/**
 * Makes a stream of what a generator gives.
 * @param like any other stream, for its class, which the package may not import; a hash is one, too
 * @param onDestroy called when somebody ends the stream, even while the generator waits
 */
export function createStream(
	like: ByteStream | undefined,
	chunks: AsyncIterable<Buffer> | Iterable<Buffer>,
	onDestroy?: () => void,
): ByteStream {
	// Every stream class inherits `from` from Readable.
	const { from } = (like ?? createHash('sha256')).constructor as unknown as {
		from(chunks: AsyncIterable<Buffer> | Iterable<Buffer>, options: object): ByteStream;
	};
	const stream = from(chunks, { objectMode: false });
	// Whoever reads the stream gets its failure. One that comes after that, when nobody reads it any
	// more, must not bring n8n down.
	stream.on('error', () => undefined);
	if (onDestroy !== undefined) {
		const destroy = stream.destroy.bind(stream);
		stream.destroy = (failure?: Error) => {
			onDestroy();
			return destroy(failure);
		};
	}
	return stream;
}

/**
 * Reads a stream to its end, or to a number of bytes, and ends it.
 * @param ofPart `keep` gives what came before the stream failed
 * @throws whatever the stream fails with
 */
export async function readBytes(
	stream: ByteStream,
	maximum = Infinity,
	ofPart: 'keep' | 'throw' = 'throw',
): Promise<Buffer> {
	const parts: Buffer[] = [];
	let total = 0;
	try {
		for await (const chunk of stream) {
			parts.push(chunk as Buffer);
			total += (chunk as Buffer).length;
			if (total >= maximum) break;
		}
	} catch (thrown) {
		if (ofPart === 'throw') throw asError(thrown);
	} finally {
		discard(stream);
	}
	return Buffer.concat(parts).subarray(0, maximum);
}

/**
 * Reads a stream to its end and keeps nothing of it.
 * @throws whatever the stream fails with
 */
export async function readThrough(stream: ByteStream): Promise<number> {
	let total = 0;
	for await (const chunk of stream) total += (chunk as Buffer).length;
	return total;
}

/**
 * Reads a stream to its end, for the SHA-256 of it.
 * @returns hexadecimal
 * @throws whatever the stream fails with
 */
export async function computeDigest(stream: ByteStream): Promise<string> {
	const hash = createHash('sha256');
	for await (const chunk of stream) hash.update(chunk as Buffer);
	return hash.digest('hex');
}

/**
 * Reads a stream into one buffer, as readBytes() would need twice the memory of a big file.
 * @param pause is awaited after each chunk
 * @returns undefined when the stream has more bytes
 * @throws whatever the stream fails with
 */
export async function readWhole(
	stream: ByteStream,
	maximum: number,
	pause: () => Promise<unknown> | undefined,
): Promise<Buffer | undefined> {
	const whole = Buffer.allocUnsafe(maximum);
	let length = 0;
	try {
		for await (const chunk of stream as AsyncIterable<Buffer>) {
			if (length + chunk.length > maximum) return undefined;
			length += chunk.copy(whole, length);
			await pause();
		}
	} finally {
		discard(stream);
	}
	return whole.subarray(0, length);
}

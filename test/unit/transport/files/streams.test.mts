import { once } from 'node:events';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import {
	discard,
	createStream,
	isByteStream,
	limitStream,
	readBytes,
	StallTimer,
} from '../../../../nodes/SignAndClose/transport/files/streams.ts';
import { chunked } from '../../../support/chunked.mts';
import { forEachCase } from '../../../support/forEachCase.mts';

/** So long that a busy machine does not count as a stall. */
const LIMITS = { silenceMs: 60_000, totalMs: 60_000 };
const silent = () => new Readable({ read() {} });
const failing = () =>
	Readable.from(
		(function* () {
			yield Buffer.from('half');
			throw new Error('cut');
		})(),
		{ objectMode: false },
	);

describe('metered', () => {
	test('holds on to fewer than eight chunks that have passed', async () => {
		setFlagsFromString('--expose-gc');
		const collect = runInNewContext('gc') as () => void;
		const passed: Array<WeakRef<Buffer>> = [];
		const source = Readable.from(
			(function* () {
				for (let count = 0; count < 64; count++) yield Buffer.alloc(1024 * 1024, count);
			})(),
			{ objectMode: false },
		);
		let [alive, bytes] = [0, 0];
		for await (const chunk of limitStream(source, LIMITS)) {
			bytes += (chunk as Buffer).length;
			passed.push(new WeakRef(chunk as Buffer));
			await wait(1);
			if (passed.length % 10 > 0) continue;
			collect();
			await wait(1);
			alive = Math.max(alive, passed.filter((kept) => kept.deref() !== undefined).length);
		}
		expect(bytes).toBe(64 * 1024 * 1024);
		expect(alive).toBeLessThan(8);
	});
	test('gives up a source that stalls, is too slow or too big, and ends it', async () => {
		const slow = () =>
			Readable.from(
				(async function* () {
					for (;;) {
						await wait(10);
						yield Buffer.from('x');
					}
				})(),
				{ objectMode: false },
			);
		await forEachCase(
			[
				[silent(), { silenceMs: 60 }, 'ESTALLED'],
				[silent(), { silenceMs: 60, totalMs: 5_000 }, 'ESTALLED'],
				[slow(), { totalMs: 100 }, 'ANSWER_SLOW'],
				[chunked(new Uint8Array(5000), 100), { mostBytes: 1000 }, 'ANSWER_TOO_BIG'],
			] as const,
			async ([source, limits, code]) => {
				let ends = 0;
				const through = limitStream(source, { ...LIMITS, ...limits }, () => ends++);
				await expect(buffer(through)).rejects.toMatchObject({ code });
				expect(source.destroyed).toBe(true);
				expect(ends).toBeGreaterThan(0);
			},
		);
		const exact = limitStream(chunked(new Uint8Array(1000), 100), { ...LIMITS, mostBytes: 1000 });
		expect(await buffer(exact)).toHaveLength(1000);
	});
	test('does not count the time in which nobody asks as silence, but as time', async () => {
		jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
		const read = async (limits: object) => {
			const source = chunked(new Uint8Array(2_000_000), 200_000);
			const chunks = limitStream(source, { ...LIMITS, ...limits })[Symbol.asyncIterator]();
			let bytes = ((await chunks.next()).value as Buffer).length;
			await jest.advanceTimersByTimeAsync(150);
			for (let step = await chunks.next(); !step.done; step = await chunks.next())
				bytes += (step.value as Buffer).length;
			return bytes;
		};
		expect(await read({ silenceMs: 60 })).toBe(2_000_000);
		await expect(read({ totalMs: 60 })).rejects.toMatchObject({ code: 'ANSWER_SLOW' });
	});
	test('ends its source when it is given up, also while that is silent', async () => {
		const unread = silent();
		limitStream(unread, LIMITS).destroy();
		expect(unread.destroyed).toBe(true);
		// As the HTTP library wraps answers: it can't be ended before its next chunk.
		const source = createStream(
			undefined,
			(async function* () {
				yield Buffer.from('x');
				await new Promise(() => undefined);
			})(),
		);
		const through = limitStream(source, LIMITS);
		const chunks = through[Symbol.asyncIterator]();
		await chunks.next();
		const next = chunks.next().catch(() => undefined);
		await wait(0);
		const closed = once(through, 'close');
		through.destroy();
		await closed;
		await next;
		expect(source.destroyed).toBe(true);
	});
});

afterEach(() => void jest.useRealTimers());

test('a stall timer counts from the last move, and ends without a value', async () => {
	jest.useFakeTimers();
	const timer = new StallTimer(100, 60_000, 'ESTALLED');
	const late = timer.waitFor(new Promise((resolve) => setTimeout(resolve, 250, 'late')));
	for (let moves = 0; moves < 4; moves++) {
		await jest.advanceTimersByTimeAsync(50);
		timer.noteMove();
	}
	await jest.advanceTimersByTimeAsync(50);
	expect(await late).toBe('late');
	const stalled = expect(timer.waitFor(new Promise(() => undefined))).rejects.toThrow('ESTALLED');
	await jest.advanceTimersByTimeAsync(100);
	await stalled;
	const ended = timer.waitFor(new Promise(() => undefined));
	timer.end();
	expect(await ended).toBeUndefined();
	expect(await timer.waitFor(Promise.reject(new Error('unheard')))).toBeUndefined();
});

test('of a stream, all or the first bytes are read, and it ends', async () => {
	const open = silent();
	open.push('abc');
	open.push('def');
	expect(String(await readBytes(open, 5))).toBe('abcde');
	expect(open.destroyed).toBe(true);
	expect(String(await readBytes(chunked(Buffer.from('abcdef'), 4)))).toBe('abcdef');
	const cut = failing();
	await expect(readBytes(cut)).rejects.toThrow('cut');
	expect(cut.destroyed).toBe(true);
	expect(String(await readBytes(failing(), 100, 'keep'))).toBe('half');
});

test('an error that comes when nobody reads any more brings nothing down', () => {
	const source = silent();
	discard(source);
	expect(source.destroyed).toBe(true);
	expect(() => source.emit('error', new Error('late'))).not.toThrow();
	const made = createStream(undefined, chunked(Buffer.from('abc'), 1));
	expect(() => made.emit('error', new Error('late'))).not.toThrow();
});

test('only what can be read and ended is taken for a stream', () => {
	expect(isByteStream(Readable.from([]))).toBe(true);
	const pipe = () => undefined;
	forEachCase([undefined, null, 'text', Buffer.from('x'), { pipe }, { destroy: pipe }], (other) => {
		expect(isByteStream(other)).toBe(false);
		expect(() => discard(other)).not.toThrow();
	});
});

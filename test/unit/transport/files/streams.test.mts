import { once } from 'node:events';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { describe, expect, jest, test } from '@jest/globals';

import {
	discard,
	generated,
	isByteStream,
	metered,
	readAll,
	readHead,
	readText,
} from '../../../../nodes/SignAndClose/transport/files/streams.ts';
import { chunked } from '../../../support/chunked.mts';

/** So long that a busy machine does not count as a stall. */
const STALL_MS = 60_000;

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
		let alive = 0;
		let bytes = 0;
		for await (const chunk of metered(source, { silenceMs: STALL_MS })) {
			bytes += (chunk as Buffer).length;
			passed.push(new WeakRef(chunk as Buffer));
			await wait(1);
			if (passed.length % 10 === 0) {
				collect();
				await wait(1);
				alive = Math.max(alive, passed.filter((held) => held.deref() !== undefined).length);
			}
		}
		expect(bytes).toBe(64 * 1024 * 1024);
		expect(alive).toBeLessThan(8);
	});

	test('a source that stalls is given up', async () => {
		const source = new Readable({ read() {} });
		source.push('x');
		let ends = 0;
		const through = metered(source, { silenceMs: 60 }, { onEnd: () => ends++ });
		await expect(buffer(through)).rejects.toThrow(/ESTALLED/);
		expect(source.destroyed).toBe(true);
		expect(ends).toBeGreaterThan(0);
	});
	test('a source that nobody asks for a chunk does not stall', async () => {
		const through = metered(chunked(new Uint8Array(400_000), 1000), { silenceMs: 60 });
		const chunks = through[Symbol.asyncIterator]();
		await chunks.next();
		await wait(150);
		let bytes = 1000;
		for (let step = await chunks.next(); !step.done; step = await chunks.next())
			bytes += (step.value as Buffer).length;
		expect(bytes).toBe(400_000);
	});
	test('one that nobody has read ends its source, too', () => {
		const source = new Readable({ read() {} });
		let ends = 0;
		metered(source, { silenceMs: STALL_MS }, { onEnd: () => ends++ }).destroy();
		expect(source.destroyed).toBe(true);
		expect(ends).toBe(1);
	});
	test('a source that is too slow or too big in all is given up', async () => {
		const slow = Readable.from(
			(async function* () {
				for (;;) {
					await wait(10);
					yield Buffer.from('x');
				}
			})(),
			{ objectMode: false },
		);
		const began = Date.now();
		await expect(
			buffer(metered(slow, { silenceMs: STALL_MS, totalMs: 100 })),
		).rejects.toMatchObject({ reason: { code: 'unreachable', fault: 'ANSWER_SLOW' } });
		expect(Date.now() - began).toBeLessThan(20_000);
		expect(slow.destroyed).toBe(true);
		const big = chunked(new Uint8Array(5000), 100);
		const limit = { silenceMs: STALL_MS, mostBytes: 1000 };
		await expect(buffer(metered(big, limit))).rejects.toMatchObject({
			reason: { code: 'unreachable', fault: 'ANSWER_TOO_BIG' },
		});
		expect(big.destroyed).toBe(true);
		expect(await buffer(metered(chunked(new Uint8Array(1000), 100), limit))).toHaveLength(1000);
	});
	test('time runs out also while nobody asks for the next chunk', async () => {
		// Bigger than what a stream reads ahead.
		const source = chunked(new Uint8Array(2_000_000), 200_000);
		const chunks = metered(source, { silenceMs: STALL_MS, totalMs: 60 })[Symbol.asyncIterator]();
		await chunks.next();
		await wait(90);
		const rest = async () => {
			while ((await chunks.next()).done !== true);
		};
		await expect(rest()).rejects.toMatchObject({
			reason: { code: 'unreachable', fault: 'ANSWER_SLOW' },
		});
		expect(source.destroyed).toBe(true);
	});
	test('silence for all of the time is a stall', async () => {
		jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
		try {
			const read = expect(
				buffer(metered(new Readable({ read() {} }), { silenceMs: 60, totalMs: 60 })),
			).rejects.toThrow('ESTALLED');
			await jest.advanceTimersByTimeAsync(60);
			await read;
		} finally {
			jest.useRealTimers();
		}
	});
	test('one that is given up while it waits for a silent source ends at once', async () => {
		// As the HTTP library wraps answers: it can't be ended before its next chunk.
		const silent = generated(
			undefined,
			(async function* () {
				yield Buffer.from('x');
				await new Promise(() => undefined);
			})(),
		);
		const through = metered(silent, { silenceMs: STALL_MS });
		const chunks = through[Symbol.asyncIterator]();
		await chunks.next();
		const next = chunks.next().catch(() => undefined);
		await wait(0);
		const closed = once(through, 'close');
		through.destroy();
		await closed;
		await next;
		expect(silent.destroyed).toBe(true);
	}, 5_000);
	test('shows each chunk before it passes, and may refuse it', async () => {
		let bytes = 0;
		const count = (chunk: Buffer) => (bytes += chunk.length);
		const limit = { silenceMs: STALL_MS };
		await buffer(metered(chunked(new Uint8Array(10), 4), limit, { onChunk: count }));
		expect(bytes).toBe(10);
		const refuse = () => {
			throw new Error('no');
		};
		await expect(
			buffer(metered(chunked(new Uint8Array(10), 4), limit, { onChunk: refuse })),
		).rejects.toThrow('no');
	});
});

test('the text of a stream that fails is what came before', async () => {
	const source = Readable.from(
		(function* () {
			yield Buffer.from('half');
			throw new Error('cut');
		})(),
		{ objectMode: false },
	);
	expect(await readText(source, 100)).toBe('half');
	expect(await readText(chunked(Buffer.from('abcdef'), 2), 3)).toBe('abc');
});

test('readHead reads no more than it is asked for and ends the stream', async () => {
	const source = chunked(new Uint8Array(5000), 100);
	expect((await readHead(source, 1024)).length).toBe(1024);
	expect(source.destroyed).toBe(true);
});

describe('a stream that is longer than what is wanted', () => {
	/** Gives these chunks, and then nothing, as a service that keeps its connection open. */
	const open = (...parts: string[]) => {
		const stream = new Readable({ read() {} });
		for (const part of parts) stream.push(part);
		return stream;
	};
	test('ends when the wanted bytes have come', async () => {
		const [text, head] = [open('abc', 'def'), open('abc', 'def')];
		expect(await readText(text, 6)).toBe('abcdef');
		expect(String(await readHead(head, 6))).toBe('abcdef');
		expect([text.destroyed, head.destroyed]).toEqual([true, true]);
	}, 5_000);
	test('is not read to its end', async () => {
		let given = 0;
		const endless = () =>
			Readable.from(
				(function* () {
					// A reader that counts wrongly shall not hang.
					while (given++ < 1000) yield Buffer.from('abcd');
				})(),
				{ objectMode: false, highWaterMark: 1 },
			);
		expect(await readText(endless(), 5)).toBe('abcda');
		expect(String(await readHead(endless(), 5))).toBe('abcda');
		expect(given).toBeLessThan(100);
	});
});

test('readAll gives every byte, or the failure', async () => {
	expect(String(await readAll(chunked(Buffer.from('abcdef'), 4)))).toBe('abcdef');
	const cut = Readable.from(
		(function* () {
			yield Buffer.from('half');
			throw new Error('cut');
		})(),
		{ objectMode: false },
	);
	await expect(readAll(cut)).rejects.toThrow('cut');
	expect(cut.destroyed).toBe(true);
});

test('an error that comes when nobody reads any more brings nothing down', () => {
	const source = new Readable({ read() {} });
	discard(source);
	expect(source.destroyed).toBe(true);
	expect(() => source.emit('error', new Error('late'))).not.toThrow();
	const made = generated(undefined, chunked(Buffer.from('abc'), 1));
	expect(() => made.emit('error', new Error('late'))).not.toThrow();
});

test('only what can be read and ended is taken for a stream', () => {
	expect(isByteStream(Readable.from([]))).toBe(true);
	const pipe = () => undefined;
	for (const other of [
		undefined,
		null,
		'text',
		Buffer.from('x'),
		{},
		{ pipe },
		{ pipe: 'x', destroy: pipe },
		{ destroy: pipe },
		Object.assign(() => undefined, { pipe, destroy: pipe }),
	]) {
		expect(isByteStream(other)).toBe(false);
		expect(() => discard(other)).not.toThrow();
	}
});

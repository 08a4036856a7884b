import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { describe, expect, test } from '@jest/globals';

import { metered, readHead } from '../../../../nodes/SignAndClose/service/transport/streams.ts';
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
		for await (const chunk of metered(source, () => undefined, STALL_MS)) {
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
		const through = metered(source, () => undefined, 60);
		await expect(buffer(through)).rejects.toThrow(/ESTALLED/);
		expect(source.destroyed).toBe(true);
	});
	test('counts what passes and may refuse it', async () => {
		const totals: number[] = [];
		await buffer(metered(chunked(new Uint8Array(10), 4), (total) => totals.push(total), STALL_MS));
		expect(totals.at(-1)).toBe(10);
		await expect(
			buffer(
				metered(
					chunked(new Uint8Array(10), 4),
					() => {
						throw new Error('no');
					},
					STALL_MS,
				),
			),
		).rejects.toThrow('no');
	});
});

test('readHead reads no more than it is asked for and ends the stream', async () => {
	const source = chunked(new Uint8Array(5000), 100);
	expect((await readHead(source, 1024)).length).toBe(1024);
	expect(source.destroyed).toBe(true);
});

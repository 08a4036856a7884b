import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';

import { ByteBudget } from '../../../../nodes/SignAndClose/transport/files/byteBudget.ts';

/** How many bytes of files are under way at once. */

const MOST = 100;

/** Asks for room, and notes who got it. */
function asking() {
	const budget = new ByteBudget();
	const served: string[] = [];
	const release = new Map<string, () => void>();
	const ask = async (name: string, bytes: number, signal?: AbortSignal) => {
		release.set(name, await budget.take(bytes, MOST, signal));
		served.push(name);
	};
	return { budget, served, release, ask };
}

const settled = async () => await new Promise(setImmediate);

describe('room for files', () => {
	test('is given as long as there is some, in order', async () => {
		const { served, release, ask } = asking();
		for (const [name, bytes] of [
			['a', 60],
			['b', 40],
			['c', 50],
			['d', 1],
		] as const)
			void ask(name, bytes);
		await settled();
		expect(served).toEqual(['a', 'b']);
		release.get('b')!();
		await settled();
		// The last one would have room, but isn't served before its turn.
		expect(served).toEqual(['a', 'b']);
		release.get('a')!();
		await settled();
		expect(served).toEqual(['a', 'b', 'c', 'd']);
	});
	test('is given to something bigger than all of it, alone', async () => {
		const { served, release, ask } = asking();
		void ask('small', 1);
		void ask('big', 101);
		void ask('other', 1);
		await settled();
		expect(served).toEqual(['small']);
		release.get('small')!();
		await settled();
		expect(served).toEqual(['small', 'big']);
		release.get('big')!();
		await settled();
		expect(served).toEqual(['small', 'big', 'other']);
	});
	test('is given back once, however often that is said', async () => {
		const { served, release, ask } = asking();
		void ask('a', 100);
		await settled();
		release.get('a')!();
		release.get('a')!();
		void ask('b', 100);
		void ask('c', 100);
		await settled();
		expect(served).toEqual(['a', 'b']);
	});
	test('is not waited for by whoever is cancelled, and goes to the next', async () => {
		const { served, release, ask } = asking();
		const stop = new AbortController();
		const reason = new Error('Stopped');
		void ask('a', 60);
		const cancelled = ask('b', 60, stop.signal);
		void ask('c', 40);
		await settled();
		stop.abort(reason);
		await expect(cancelled).rejects.toBe(reason);
		await settled();
		expect(served).toEqual(['a', 'c']);
		await expect(ask('d', 1, stop.signal)).rejects.toBe(reason);
		release.get('a')!();
		expect(served).toEqual(['a', 'c']);
	});
	test('whatever comes: everybody is served, never more than there is', async () => {
		const sizes = fc.array(fc.integer({ min: 1, max: 150 }), { maxLength: 30 });
		await fc.assert(
			fc.asyncProperty(sizes, async (all) => {
				const budget = new ByteBudget();
				let [used, done] = [0, 0];
				await Promise.all(
					all.map(async (bytes) => {
						const release = await budget.take(bytes, MOST);
						used += bytes;
						expect(used === bytes || used <= MOST).toBe(true);
						await settled();
						used -= bytes;
						done++;
						release();
					}),
				);
				expect(done).toBe(all.length);
			}),
		);
	});
});

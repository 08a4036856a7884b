import { expect, test } from '@jest/globals';

import { SharedLooks } from '../../../nodes/SignAndClose/service/sharedLooks.ts';

/** Looks that several items share. */

/** A look that ends when it's told to. Each one gives its number. */
function held() {
	const ends: Array<(failure?: Error) => void> = [];
	const look = async () => {
		const number = ends.length + 1;
		return await new Promise<number>((resolve, reject) => {
			ends.push((failure) => (failure ? reject(failure) : resolve(number)));
		});
	};
	return { ends, look };
}
const turn = async () => await new Promise((resolve) => setImmediate(resolve));

test('whoever asks while a look is under way gets the next one, together with others', async () => {
	const looks = new SharedLooks();
	const { ends, look } = held();
	const first = looks.share('a', look);
	expect(looks.waiting).toBe(0);
	const others = [looks.share('a', look), looks.share('a', look), looks.share('a', look)];
	await turn();
	expect(ends).toHaveLength(1);
	expect(looks.waiting).toBe(3);
	ends[0]();
	expect(await first).toBe(1);
	await turn();
	expect(ends).toHaveLength(2);
	const late = looks.share('a', look);
	ends[1]();
	expect(await Promise.all(others)).toEqual([2, 2, 2]);
	await turn();
	expect(looks.waiting).toBe(1);
	ends[2]();
	expect(await late).toBe(3);
	expect(looks.waiting).toBe(0);
});

test('a look that fails fails for those who shared it, and the next one begins', async () => {
	const looks = new SharedLooks();
	const { ends, look } = held();
	const first = looks.share('a', look);
	const second = looks.share('a', look);
	ends[0](new Error('No'));
	await expect(first).rejects.toThrow('No');
	await turn();
	const third = looks.share('a', look);
	expect(looks.waiting).toBe(2);
	ends[1](new Error('Nor now'));
	await expect(second).rejects.toThrow('Nor now');
	await turn();
	ends[2]();
	expect(await third).toBe(3);
	expect(looks.waiting).toBe(0);
});

test('after all have ended, the next one looks anew', async () => {
	const looks = new SharedLooks();
	const { ends, look } = held();
	for (const number of [1, 2, 3]) {
		const asked = looks.share('a', look);
		await turn();
		ends.at(-1)!();
		expect(await asked).toBe(number);
	}
});

test('other things are looked at meanwhile', async () => {
	const looks = new SharedLooks();
	const { ends, look } = held();
	const both = [looks.share('a', look), looks.share('b', look)];
	await turn();
	expect(ends).toHaveLength(2);
	for (const end of ends) end();
	expect(await Promise.all(both)).toEqual([1, 2]);
});

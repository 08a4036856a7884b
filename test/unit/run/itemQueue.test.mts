import fc from 'fast-check';

import { ItemQueue } from '../../../nodes/SignAndClose/run/itemQueue.ts';
import { forEachCase } from '../../support/forEachCase.mts';

/** Which item of a run may begin next. */

/** A queue of items in lanes, one letter an item; '-' has no lane. */
function queueOf(lanes: string) {
	const asked: number[] = [];
	const run = {
		count: lanes.length,
		findOrderKey(index: number) {
			asked.push(index);
			return lanes[index] === '-' ? undefined : lanes[index];
		},
		countPlaces: () => Infinity,
	};
	const queue = new ItemQueue(run);
	let pending: Promise<number | undefined> | undefined;
	/** Begins all items that may begin. */
	const beginAll = async () => {
		const begun: Array<number | undefined> = [];
		for (;;) {
			pending ??= queue.takeNext();
			const next = await Promise.race([
				pending,
				new Promise<'none'>((ends) => setImmediate(ends, 'none')),
			]);
			if (next === 'none') return begun;
			pending = undefined;
			begun.push(next);
			if (next === undefined) return begun;
		}
	};
	return { queue, asked, beginAll };
}

test('an item waits for the one before it in its lane, and later ones go ahead', async () => {
	const { queue, beginAll } = queueOf('aab-ab');
	expect(await beginAll()).toEqual([0, 2, 3]);
	queue.end(3);
	expect(await beginAll()).toEqual([]);
	queue.end(0);
	expect(await beginAll()).toEqual([1]);
	queue.end(1);
	queue.end(2);
	expect(await beginAll()).toEqual([4, 5]);
	queue.end(4);
	queue.end(5);
	expect(await beginAll()).toEqual([undefined]);
});

test('of many items in one lane, only so many are evaluated in advance', async () => {
	const { queue, asked, beginAll } = queueOf('a'.repeat(1000));
	expect(await beginAll()).toEqual([0]);
	expect(asked).toHaveLength(101);
	queue.end(0);
	expect(await beginAll()).toEqual([1]);
});

test('in whatever order items end, each begins once, and those of a lane in input order', async () => {
	const lanes = fc.array(fc.constantFrom('a', 'b', 'c', '-'), { maxLength: 12 });
	await fc.assert(
		fc.asyncProperty(lanes, fc.infiniteStream(fc.nat()), async (names, picks) => {
			const { queue, beginAll } = queueOf(names.join(''));
			const running: number[] = [];
			const begun: number[] = [];
			for (;;) {
				const items = (await beginAll()).filter((index) => index !== undefined);
				begun.push(...items);
				running.push(...items);
				forEachCase(['a', 'b', 'c'], (lane) =>
					expect(running.filter((index) => names[index] === lane).length).toBeLessThan(2),
				);
				if (running.length === 0) break;
				queue.end(running.splice(picks.next().value % running.length, 1)[0]);
			}
			expect([...begun].sort((a, b) => a - b)).toEqual([...names.keys()]);
			forEachCase(['a', 'b', 'c'], (lane) => {
				const own = begun.filter((index) => names[index] === lane);
				expect(own).toEqual([...own].sort((a, b) => a - b));
			});
		}),
		{ numRuns: 50 },
	);
});

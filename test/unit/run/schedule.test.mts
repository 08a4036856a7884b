import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';

import { Schedule } from '../../../nodes/SignAndClose/run/schedule.ts';

/** Which item of a run may begin next. */

/** Begins all items that may begin. */
function beginAll(schedule: Schedule): number[] {
	const begun = [];
	for (let next = schedule.begin(); next !== undefined; next = schedule.begin()) begun.push(next);
	return begun;
}
const lanes = (names: string) => (index: number) =>
	names[index] === '-' ? undefined : names[index];

describe('lanes', () => {
	test('items without a lane begin in input order', () => {
		const schedule = new Schedule(3, () => undefined);
		expect(beginAll(schedule)).toEqual([0, 1, 2]);
		expect(schedule.underWay).toBe(3);
	});
	test('an item waits for the one before it in its lane, and later ones go ahead', () => {
		const schedule = new Schedule(6, lanes('aab-ab'));
		expect(beginAll(schedule)).toEqual([0, 2, 3]);
		schedule.end(3);
		expect(beginAll(schedule)).toEqual([]);
		schedule.end(0);
		expect(beginAll(schedule)).toEqual([1]);
		schedule.end(1);
		schedule.end(2);
		expect(beginAll(schedule)).toEqual([4, 5]);
	});
	test('of many items in one lane, only so many are looked at in advance', () => {
		const looked: number[] = [];
		const schedule = new Schedule(1000, (index) => {
			looked.push(index);
			return 'a';
		});
		expect(beginAll(schedule)).toEqual([0]);
		expect(looked).toHaveLength(101);
		schedule.end(0);
		expect(beginAll(schedule)).toEqual([1]);
	});
	test('whatever the lanes and the order of ends: all items run, each lane in input order', () => {
		fc.assert(
			fc.property(
				fc.array(fc.constantFrom('a', 'b', 'c', '-'), { maxLength: 200 }),
				fc.array(fc.nat(), { minLength: 1, maxLength: 50 }),
				(names, ends) => {
					const schedule = new Schedule(names.length, lanes(names.join('')));
					const begun: number[] = [];
					const open: number[] = [];
					for (let step = 0; begun.length < names.length || open.length > 0; step++) {
						for (const index of beginAll(schedule)) {
							begun.push(index);
							open.push(index);
						}
						const own = open.map((index) => names[index]).filter((name) => name !== '-');
						expect(new Set(own).size).toBe(own.length);
						schedule.end(open.splice(ends[step % ends.length] % open.length, 1)[0]);
					}
					expect(schedule.underWay).toBe(0);
					expect([...begun].sort((a, b) => a - b)).toEqual([...names.keys()]);
					for (const lane of 'abc') {
						const its = begun.filter((index) => names[index] === lane);
						expect(its).toEqual([...its].sort((a, b) => a - b));
					}
				},
			),
		);
	});
});

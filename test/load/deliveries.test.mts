import { expect, test } from '@jest/globals';

import { storm } from '../../bench/storm.mts';
import { planStorm } from '../../bench/stormPlan.mts';
import { TARBALL } from '../e2e/support/host.mts';

/** 500 deliveries on a bad day. A full run of 10,000: node bench/storm.mts. */

test('the plan has what it promises, and is the same for the same seed', () => {
	const plan = planStorm({ deliveries: 1000, seed: 7 });
	expect(plan).toHaveLength(1000);
	expect(plan.filter(({ repeat }) => repeat)).toHaveLength(300);
	expect(plan.filter(({ forged }) => forged !== undefined)).toHaveLength(50);
	const genuine = plan.filter(({ forged }) => forged === undefined);
	expect(new Set(genuine.map(({ event }) => event)).size).toBe(650);
	expect(plan.map(({ event }) => event)).toEqual(
		planStorm({ deliveries: 1000, seed: 7 }).map(({ event }) => event),
	);
});

test('every event answered 200 is stored and passes exactly once, whatever is repeated, moved, forged, refused or killed', async () => {
	const result = await storm({ deliveries: 500, kills: 2, tarball: TARBALL });
	expect(result).toMatchObject({
		answered: 325,
		withoutRecord: [],
		doubled: [],
		lost: [],
		forgedPassed: 0,
		forgedBelieved: 0,
		kills: 2,
	});
	expect(result.refusedAtFirst).toBeGreaterThan(15);
	// Runs cut off by a kill are the only ones that may be missing, and n8n shows them as crashed.
	expect(result.passedOnce + result.cut.length).toBe(result.answered);
}, 300_000);

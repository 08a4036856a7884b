import { setTimeout as pause } from 'node:timers/promises';

import { expect, test } from 'vitest';

import { useBinaryMode } from '../support/engine.mts';
import { canStrike, runCell, undisturbed, type Cell } from '../support/faultMatrix/cell.mts';
import { judge } from '../support/faultMatrix/judge.mts';
import { waitFor } from '../support/faultMatrix/rounds.mts';
import { findFault } from '../support/faultMatrix/faults.mts';

/**
 * What the fault matrix takes for a run that hangs: one that does not end, and not one that is slow
 * because the machine is busy.
 */

await useBinaryMode('filesystem');

const SCENE = 'transaction/get';

async function cellOf(fault: string): Promise<Cell> {
	const { requests } = await undisturbed(SCENE, 'business');
	const request = requests.find((one) => canStrike(findFault(fault), one))!;
	return {
		scene: SCENE,
		platform: 'business',
		fault,
		request,
		items: 1,
		retries: false,
		onError: 'stopWorkflow',
	};
}

/** Keeps the process busy while `work` goes on: each turn of its event loop takes this long. */
async function besideLoad<T>(blockMs: number, work: () => Promise<T>): Promise<T> {
	const load = setInterval(() => {
		const end = performance.now() + blockMs;
		while (performance.now() < end);
	}, 1);
	try {
		return await work();
	} finally {
		clearInterval(load);
	}
}

async function timed<T>(work: () => Promise<T>): Promise<[result: T, ms: number]> {
	const began = performance.now();
	return [await work(), performance.now() - began];
}

test('work that never ends is given up', async () => {
	const { result } = await waitFor(new Promise<string>(() => {}), 50);
	expect(result).toBeUndefined();
});

test('work of a few steps is waited for beside a load, even if the clock says that it is late', async () => {
	const patienceMs = 200;
	const steps = async () => {
		for (let step = 0; step < 8; step++) await pause(1);
		return 'done';
	};
	const [{ result, longestRoundMs }, ms] = await timed(
		async () => await besideLoad(40, async () => await waitFor(steps(), patienceMs)),
	);
	expect(result).toBe('done');
	expect(longestRoundMs).toBeGreaterThanOrEqual(40);
	// A judge who looks at the clock alone would have given it up.
	expect(ms).toBeGreaterThan(patienceMs);
});

test('a run that waits for an answer without end hangs', async () => {
	// The node itself would give it up later.
	const ran = await runCell(await cellOf('time:stalled-headers/before'), { patienceMs: 300 });
	const { outcome, deviations } = judge(ran);
	expect(outcome).toBe('hangs');
	expect(deviations.join()).toMatch(/hangs instead of succeeds/);
});

test('a run beside a load does not hang, even if the clock says that it is late', async () => {
	const patienceMs = 300;
	const cell = await cellOf('time:slow-body/after');
	const ran = await besideLoad(120, async () => await runCell(cell, { patienceMs }));
	expect(judge(ran)).toEqual({ outcome: 'succeeds', deviations: [] });
	expect(ran.ms).toBeGreaterThan(patienceMs);
});

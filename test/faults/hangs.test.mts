import { setTimeout as pause } from 'node:timers/promises';

import { useBinaryMode } from '../support/engine.mts';
import { canStrike, runCell, undisturbed, type Cell } from '../support/faultMatrix/cell.mts';
import { judge } from '../support/faultMatrix/judge.mts';
import { ROUND_MS, waitFor } from '../support/faultMatrix/rounds.mts';
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
	const { result } = await waitFor(new Promise<string>(() => {}), 5);
	expect(result).toBeUndefined();
});

test('work of a few steps is waited for beside a load, even if the clock says that it is late', async () => {
	const most = 20;
	const steps = async () => {
		for (let step = 0; step < 8; step++) await pause(1);
		return 'done';
	};
	const [{ result, longestRoundMs }, ms] = await timed(
		async () => await besideLoad(40, async () => await waitFor(steps(), most)),
	);
	expect(result).toBe('done');
	expect(longestRoundMs).toBeGreaterThanOrEqual(40);
	// A judge who looks at the clock alone would have given it up.
	expect(ms).toBeGreaterThan(most * ROUND_MS);
});

test('a run that waits for an answer without end hangs', async () => {
	// The node itself would give it up later.
	const ran = await runCell(await cellOf('time:stalled-headers/before'), { mostRounds: 30 });
	const { outcome, deviations } = judge(ran);
	expect(outcome).toBe('hangs');
	expect(deviations.join()).toMatch(/hangs instead of succeeds, by row \d+ of outcomes.mts/);
});

test('a run beside a load does not hang, even if the clock says that it is late', async () => {
	const mostRounds = 30;
	const cell = await cellOf('time:slow-body/after');
	const ran = await besideLoad(120, async () => await runCell(cell, { mostRounds }));
	expect(judge(ran)).toEqual({ outcome: 'succeeds', deviations: [] });
	expect(ran.ms).toBeGreaterThan(mostRounds * ROUND_MS);
});

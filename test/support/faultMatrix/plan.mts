import type { Fault } from '../faultService/types.mts';
import { canStrike, undisturbed, type Cell } from './cell.mts';
import { FAULTS } from './faults.mts';
import { SCENES } from './scenes.mts';

/** Which cells are run. */

/** The short form takes every fourth pair of request and fault. */
const SHORT_EVERY = 4;

const variant = (number: number): Pick<Cell, 'items' | 'retries' | 'onError'> => ({
	items: number % 2 === 0 ? 1 : 3,
	retries: Math.floor(number / 2) % 2 === 1,
	onError: Math.floor(number / 4) % 2 === 0 ? 'continueRegularOutput' : 'stopWorkflow',
});

/** Calls back for every request of every scene and every fault that can strike it. */
async function eachPair(
	faults: readonly Fault[],
	found: (cell: Pick<Cell, 'scene' | 'platform' | 'fault' | 'request'>, number: number) => void,
): Promise<void> {
	let row = 0;
	for (const [scene, { platforms }] of Object.entries(SCENES)) {
		const all = await Promise.all(platforms.map(async (one) => await undisturbed(scene, one)));
		for (const index of all[0].requests.keys()) {
			row++;
			for (const [column, fault] of faults.entries()) {
				// The platforms differ in paths and shapes, and take turns.
				const turn = column % platforms.length;
				const request = all[turn].requests[index];
				if (request === undefined || !canStrike(fault, request)) continue;
				found({ scene, platform: platforms[turn], fault: fault.name, request }, row + column);
			}
		}
	}
}

/** The short form: every scene, fault and variant is met, but not in every combination. */
export async function shortPlan(): Promise<Cell[]> {
	const cells: Cell[] = [];
	const light = FAULTS.filter(({ heavy }) => !heavy);
	const left = new Map<string, Omit<Cell, keyof ReturnType<typeof variant>>>();
	const met = new Set<string>();
	await eachPair(light, (pair, number) => {
		left.set(pair.fault, pair);
		if (number % SHORT_EVERY !== 0) return;
		met.add(pair.fault);
		cells.push({ ...pair, ...variant(cells.length) });
	});
	// Some faults strike so few requests that the turn passes them by.
	for (const [fault, pair] of left)
		if (!met.has(fault)) cells.push({ ...pair, ...variant(cells.length) });
	return cells;
}

/** The full form: each pair with one and three items, with and without tries. */
export async function fullPlan(): Promise<Cell[]> {
	const cells: Cell[] = [];
	await eachPair(FAULTS, (pair, number) => {
		for (const turn of [0, 1, 2, 3]) cells.push({ ...pair, ...variant(turn + 4 * (number % 2)) });
	});
	return cells;
}

import {
	isAsPromised,
	lateCellsOf,
	runLate,
	someLateCells,
	type LateCell,
} from '../../faults/lateAnswers.mts';
import { useBinaryMode } from '../../support/engine.mts';
import { Pool } from '../../support/faultMatrix/pool.mts';

/**
 * Writes whose answer is lost, and which are done before, later or never: some for each operation.
 * `npm run late` runs all of them.
 */

await useBinaryMode('filesystem');

/** Milliseconds of the test for a second in earnest. */
const SECOND_MS = 10;
const pool = new Pool(24);
const run = async (cells: LateCell[], limits = {}) =>
	await Promise.all(
		cells.map(async (cell) => await pool.run(async () => await runLate(cell, SECOND_MS, limits))),
	);

test('nothing is done twice or told wrongly, whoever tries again', async () => {
	const cells = await someLateCells(2);
	const met = (name: 'fault' | 'actor') => new Set(cells.map((cell) => cell[name])).size;
	expect({ faults: met('fault'), actors: met('actor') }).toEqual({ faults: 10, actors: 7 });
	expect((await run(cells)).filter((one) => !isAsPromised(one))).toEqual([]);
});

test('a node that takes what is missing for not done too soon would be noticed', async () => {
	const cells = (await lateCellsOf('transaction/send', 'realEstate')).filter(
		({ fault, actor }) => fault.endsWith('later-70s') && actor === 'nobody',
	);
	const results = await run(cells, { absentAfterMs: 30_000 });
	expect(results).toHaveLength(2);
	expect(results.filter(isAsPromised)).toEqual([]);
});

test('what could come late and hit what is there by then is not sent again at once', async () => {
	const scenes = ['enote/delete', 'transaction/recall'];
	const cells = (
		await Promise.all(scenes.map(async (scene) => await lateCellsOf(scene, 'realEstate')))
	).flat();
	const lost = cells.filter(({ fault, actor }) => fault.endsWith('/before') && actor === 'nobody');
	const told = (await run(lost)).map(({ name, told: states }) => [name, states]);
	expect(told).toEqual(lost.map((_cell, index) => [told[index][0], ['failed']]));
	expect(lost).toHaveLength(4);
});

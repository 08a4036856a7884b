import { useBinaryMode } from '../../support/engine.mts';
import { Pool } from '../../support/faultMatrix/pool.mts';
import { deviates, lateCells, nameOfLate, runLate } from '../../faults/lateAnswers.mts';

/** Writes whose answers are lost, and which land late: a sample. `npm run late` runs all. */

await useBinaryMode('filesystem');

/** A second of the double and of the node, in milliseconds. */
const SECOND_MS = 20;
const EVERY = 31;

test('nothing is doubled or told wrongly, whoever tries again', async () => {
	const cells = (await lateCells()).filter((_cell, index) => index % EVERY === 0);
	expect(cells.length).toBeGreaterThan(30);
	const pool = new Pool(24);
	const results = await Promise.all(
		cells.map(async (cell) => await pool.run(async () => await runLate(cell, SECOND_MS))),
	);
	expect(results.filter(deviates)).toEqual([]);
	expect(results.map(({ name }) => name)).toEqual(cells.map(nameOfLate));
});

import { useBinaryMode } from '../support/engine.mts';
import { deviates, lateCells, nameOfLate, runLate } from './lateAnswers.mts';

/** Twenty writes whose answers are lost, and which land late, with the seconds that users wait. */

await useBinaryMode('filesystem');

const COUNT = 20;

test('nothing is doubled or told wrongly', async () => {
	const all = (await lateCells()).filter(({ actor }) => !actor.includes('stopped'));
	const each = Math.floor(all.length / COUNT);
	const cells = Array.from({ length: COUNT }, (_, index) => all[index * each + (index % each)]);
	const results = await Promise.all(cells.map(async (cell) => await runLate(cell, 1000)));
	expect(results.filter(deviates)).toEqual([]);
	expect(results.map(({ name }) => name)).toEqual(cells.map(nameOfLate));
});

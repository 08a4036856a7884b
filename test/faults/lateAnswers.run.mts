/** Every write with every late answer, which `npm run late` runs (scripts/reliability/faults.mjs). */
import { writeFileSync } from 'node:fs';

import { useBinaryMode } from '../support/engine.mts';
import { Pool } from '../support/faultMatrix/pool.mts';
import { lateCells, nameOfLate, runLate } from './lateAnswers.mts';

const { FAULTS_ONLY = '', FAULTS_REPORT, SECOND_MS = '20' } = process.env;

await useBinaryMode('filesystem');

test('writes whose answers come late', async () => {
	const cells = (await lateCells()).filter((cell) => nameOfLate(cell).includes(FAULTS_ONLY));
	const pool = new Pool(32);
	const results = await Promise.all(
		cells.map(async (cell) => await pool.run(async () => await runLate(cell, Number(SECOND_MS)))),
	);
	if (FAULTS_REPORT !== undefined) writeFileSync(FAULTS_REPORT, JSON.stringify({ results }));
	expect(results).toHaveLength(cells.length);
});

/** Every write with every late answer, which `npm run late` runs (scripts/reliability/faults.mjs). */
import { writeFileSync } from 'node:fs';

import { useBinaryMode } from '../support/engine.mts';
import { Pool } from '../support/faultMatrix/pool.mts';
import { allLateCells, runLate } from './lateAnswers.mts';

const { FAULTS_ONLY, FAULTS_REPORT, SECOND_MS = '10' } = process.env;
const SIDE_BY_SIDE = 32;

test('writes whose answers come late', async () => {
	await useBinaryMode('filesystem');
	const cells = await allLateCells(FAULTS_ONLY);
	const pool = new Pool(SIDE_BY_SIDE);
	const results = await Promise.all(
		cells.map(async (cell) => await pool.run(async () => await runLate(cell, Number(SECOND_MS)))),
	);
	writeFileSync(FAULTS_REPORT!, JSON.stringify({ results }));
});

/** Every write of new papers and copies in every way, which `npm run late` runs, too. */
import { writeFileSync } from 'node:fs';

import { useBinaryMode } from '../support/engine.mts';
import { Pool } from '../support/faultMatrix/pool.mts';
import { allPaperCells, runPapers } from './newPapers.mts';

const { FAULTS_ONLY, FAULTS_REPORT, SECOND_MS = '10' } = process.env;
const SIDE_BY_SIDE = 24;

test('new papers whose answers are lost', async () => {
	await useBinaryMode('filesystem');
	const pool = new Pool(SIDE_BY_SIDE);
	const results = await Promise.all(
		allPaperCells(FAULTS_ONLY).map(
			async (cell) => await pool.run(async () => await runPapers(cell, Number(SECOND_MS))),
		),
	);
	writeFileSync(FAULTS_REPORT!, JSON.stringify({ results }));
});

import { useBinaryMode } from '../support/engine.mts';
import { Pool } from '../support/faultMatrix/pool.mts';
import { allPaperCells, runPapers } from './newPapers.mts';

/**
 * New papers and copies at a service that refuses a write, or whose answer is lost: some cells of each
 * start. `npm run late` runs all of them.
 */

await useBinaryMode('filesystem');

const SECOND_MS = 10;
/** A prime number meets all faults and actors. */
const EVERY = 11;
const cells = allPaperCells().filter((_cell, index) => index % EVERY === 0);

test('the sample meets each start, platform, fault and actor', () => {
	const count = (name: 'start' | 'platform' | 'blow' | 'actor') =>
		new Set(cells.map((cell) => cell[name])).size;
	expect([count('start'), count('platform'), count('blow'), count('actor')]).toEqual([6, 2, 6, 3]);
});

test('no document is lost, doubled or old, and what stands recalled is told', async () => {
	const pool = new Pool(24);
	const results = await Promise.all(
		cells.map(async (cell) => await pool.run(async () => await runPapers(cell, SECOND_MS))),
	);
	const deviating = results.filter(({ wrong, isCutOff }) => wrong.length > 0 && !isCutOff);
	expect(deviating).toEqual([]);
});

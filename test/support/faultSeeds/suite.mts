import { writeFileSync } from 'node:fs';

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import { useBinaryMode } from '../engine.mts';
import { collectEscapes } from '../faultMatrix/escapes.mts';
import { Pool } from '../faultMatrix/pool.mts';
import { runSeed, type SeedResult } from './seed.mts';

/** Describes a test that runs seeds side by side. */

const SIDE_BY_SIDE = 24;
const TEST_TIMEOUT_MS = 6 * 3_600_000;

/** @param reportFile gets the results as JSON */
export function describeSeeds(from: number, count: number, reportFile?: string): void {
	describe(`seeds ${from} to ${from + count - 1}`, () => {
		const { escapes, stop } = collectEscapes();
		let results: SeedResult[] = [];
		beforeAll(async () => await useBinaryMode('filesystem'));
		afterAll(() => {
			stop();
			if (reportFile) writeFileSync(reportFile, JSON.stringify({ results, escapes }));
		});

		test(
			'no effect twice, nothing wrongly reported, no leak, no hang',
			async () => {
				const pool = new Pool(SIDE_BY_SIDE);
				const seeds = Array.from({ length: count }, (_, index) => from + index);
				results = await Promise.all(
					seeds.map(async (seed) => await pool.run(async () => await runSeed(seed))),
				);
				const wrong = results.filter(({ deviations }) => deviations.length > 0);
				const lines = wrong.map(
					({ seed, deviations }) =>
						`${deviations.join('\n')}\n  npm run seeds -- --from ${seed} --seeds 1`,
				);
				expect(lines.join('\n')).toBe('');
			},
			TEST_TIMEOUT_MS,
		);
		test('nothing escapes: no rejection without a handler', () => {
			expect(escapes).toEqual([]);
		});
	});
}

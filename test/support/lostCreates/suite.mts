import { writeFileSync } from 'node:fs';

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import { collectEscapes } from '../faultMatrix/escapes.mts';
import { Pool } from '../faultMatrix/pool.mts';
import { runLostCreates, type LostCreatesResult } from './seed.mts';

/** Describes a test of lost creates that runs seeds side by side. */

const SIDE_BY_SIDE = 8;
const TEST_TIMEOUT_MS = 6 * 3_600_000;
/** The share of lost creates that have to be found, where there are enough to speak of a share. */
const LEAST_FOUND = 0.95;
const ENOUGH = 40;

/** @param reportFile gets the results as JSON */
export function describeLostCreates(from: number, count: number, reportFile?: string): void {
	describe(`seeds ${from} to ${from + count - 1}`, () => {
		const { escapes, stop } = collectEscapes();
		let results: LostCreatesResult[] = [];
		beforeAll(async () => {
			const pool = new Pool(SIDE_BY_SIDE);
			const seeds = Array.from({ length: count }, (_, index) => from + index);
			results = await Promise.all(
				seeds.map(async (seed) => await pool.run(async () => await runLostCreates(seed))),
			);
		}, TEST_TIMEOUT_MS);
		afterAll(() => {
			stop();
			if (reportFile)
				writeFileSync(
					reportFile,
					JSON.stringify({ results, escapes, tooFewFound: shareFound(results) < LEAST_FOUND }),
				);
		});

		test('nothing is made twice, and nothing is wrongly reported', () => {
			const lines = results
				.filter(({ deviations }) => deviations.length > 0)
				.map(
					({ seed, deviations }) =>
						`${deviations.join('\n')}\n  npm run lost-creates -- --from ${seed} --seeds 1`,
				);
			expect(lines.join('\n')).toBe('');
		});
		test('what was lost and has landed is found', () => {
			expect(shareFound(results)).toBeGreaterThanOrEqual(LEAST_FOUND);
		});
		test('nothing escapes: no rejection without a handler', () => {
			expect(escapes).toEqual([]);
		});
	});
}

/** The share of the lost creates that were found. A few are no measure. */
function shareFound(results: LostCreatesResult[]): number {
	const sum = (name: 'toFind' | 'found') => results.reduce((total, one) => total + one[name], 0);
	return sum('toFind') < ENOUGH ? 1 : sum('found') / sum('toFind');
}

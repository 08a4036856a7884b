import { writeFileSync } from 'node:fs';

import { useBinaryMode } from '../engine.mts';
import { Pool } from '../faultMatrix/pool.mts';
import { runSeed } from './seed.mts';

/** Describes tests that run seeds side by side. */

const SIDE_BY_SIDE = 24;

/** Which seeds are run, and where the results go as JSON. */
export interface Seeds {
	from: number;
	count: number;
	reportFile?: string;
}

/** The seeds that the scripts of scripts/reliability ask for. */
export function seedsOfEnvironment(): Seeds {
	const { SEEDS_FROM = '1', SEEDS_COUNT = '1000', FAULTS_REPORT } = process.env;
	return { from: Number(SEEDS_FROM), count: Number(SEEDS_COUNT), reportFile: FAULTS_REPORT };
}

/**
 * @param command the npm script that runs a seed again
 * @param report what the report holds of the results besides themselves
 * @param more further tests of the results
 */
export function describeEach<T extends { seed: number; deviations: string[] }>(
	{ from, count, reportFile }: Seeds,
	command: string,
	run: (seed: number) => Promise<T>,
	{
		sideBySide = SIDE_BY_SIDE,
		report = () => ({}),
		more,
	}: {
		sideBySide?: number;
		report?: (results: T[]) => object;
		more?: (results: () => T[]) => void;
	} = {},
): void {
	describe(`seeds ${from} to ${from + count - 1}`, () => {
		let results: T[] = [];
		beforeAll(async () => {
			await useBinaryMode('filesystem');
			const pool = new Pool(sideBySide);
			const seeds = Array.from({ length: count }, (_, index) => from + index);
			results = await Promise.all(
				seeds.map(async (seed) => await pool.run(async () => await run(seed))),
			);
		});
		afterAll(() => {
			if (reportFile) writeFileSync(reportFile, JSON.stringify({ results, ...report(results) }));
		});

		test('nothing done twice, nothing wrongly reported, no leak, no hang', () => {
			const lines = results
				.filter(({ deviations }) => deviations.length > 0)
				.map(
					({ seed, deviations }) =>
						`${deviations.join('\n')}\n  npm run ${command} -- --from ${seed} --seeds 1`,
				);
			expect(lines.join('\n')).toBe('');
		});
		more?.(() => results);
	});
}

/** Whole workflows with faults by chance. */
export const describeSeeds = (seeds: Seeds): void => describeEach(seeds, 'seeds', runSeed);

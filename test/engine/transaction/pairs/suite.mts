import { inspect } from 'node:util';

import fc from 'fast-check';

import { describeEach, type Seeds } from '../../../support/faultSeeds/suite.mts';
import { startKeptService } from '../../../support/keptService/index.mts';
import { pairOn, service as serviceOfSeed, type Pair } from './generate.mts';
import { playPair } from './pair.mts';

/** Describes pairs of items: each seed has a service of its own, and ten pairs. */

export const PAIRS_PER_SEED = 10;
const SIDE_BY_SIDE = 4;
/** Tries to make a failing pair smaller. */
const MOST_SHRINKS = 200;

const shown = (value: object) =>
	inspect(JSON.parse(JSON.stringify(value)), { depth: 8, breakLength: 110, maxArrayLength: 20 });

/** Plays the pairs of a seed, and gives the smallest one that fails. */
async function runSeed(
	seed: number,
): Promise<{ seed: number; pairs: number; deviations: string[] }> {
	const [{ platform, options }] = fc.sample(serviceOfSeed, { seed, numRuns: 1 });
	await using service = await startKeptService(options);
	let count = 0;
	let smallest: { pair: Pair; number: string; wrong: string[] } | undefined;
	let isShrinking = 0;
	const property = fc.asyncProperty(pairOn(platform), async (pair) => {
		if (isShrinking > MOST_SHRINKS) return;
		if (smallest !== undefined) isShrinking++;
		const number = `LN-${seed}-${++count}`;
		const wrong = await playPair(service, platform, number, pair);
		if (wrong.length > 0) smallest = { pair, number, wrong };
		return wrong.length === 0;
	});
	await fc.check(property, { seed, numRuns: PAIRS_PER_SEED });
	if (smallest === undefined) return { seed, pairs: count, deviations: [] };
	const { pair, number, wrong } = smallest;
	const kept = service.kept.all(number).map(({ documents, ...more }) => ({
		...more,
		documents: documents.map(({ bytes: _bytes, ...document }) => document),
	}));
	return {
		seed,
		pairs: count,
		deviations: [
			`Seed ${seed}, ${platform}, ${shown(options)}: ${wrong.join('\n')}`,
			`Item 1: ${shown(pair.first)}`,
			`Between: ${pair.between}; the second run: ${shown(pair.choices)}`,
			`Item 2: ${shown(pair.second)}`,
			`Kept: ${shown(kept)}`,
		],
	};
}

export const describePairs = (seeds: Seeds): void =>
	describeEach(seeds, 'pairs', runSeed, { sideBySide: SIDE_BY_SIDE });

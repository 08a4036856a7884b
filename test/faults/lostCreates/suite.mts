import { describeEach, type Seeds } from '../../support/faultSeeds/suite.mts';
import { runLostCreates, type LostCreatesResult } from './seed.mts';

/** The share of lost creates that have to be found, where there are enough to speak of a share. */
const LEAST_FOUND = 0.95;
/** The same beside other tests: the look-up's seconds are milliseconds here, so a busy machine misses some. */
const LEAST_FOUND_BESIDE = 0.85;
const ENOUGH = 40;

/** Creates whose answers are lost, and their retries. */
export function describeLostCreates(seeds: Seeds): void {
	describeEach(seeds, 'lost-creates', runLostCreates, {
		sideBySide: 8,
		report: (results) => ({ tooFewFound: shareFound(results) < LEAST_FOUND }),
		more: (results) =>
			test('what was lost and has landed is found', () => {
				expect(shareFound(results())).toBeGreaterThanOrEqual(LEAST_FOUND_BESIDE);
			}),
	});
}

/** The share of the lost creates that were found. A few are no measure. */
function shareFound(results: LostCreatesResult[]): number {
	const sum = (name: 'toFind' | 'found') => results.reduce((total, one) => total + one[name], 0);
	return sum('toFind') < ENOUGH ? 1 : sum('found') / sum('toFind');
}

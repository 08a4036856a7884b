import { UNKNOWN_OUTCOME } from '../messages/connection';
import { joinWithAnd, sentences } from '../values/words';
import type { ItemOutcome } from './writeMemory';

/**
 * Says which items have written, or may have, although the run stopped at another one. n8n shows
 * nothing of them, and a new execution would do them again.
 * @param outcomes by item, from 0, in input order
 * @returns sentences without the last period; empty when there is nothing to say
 */
export function describeOutcomes(outcomes: ReadonlyArray<[number, ItemOutcome]>): string {
	const isDone = ({ state }: ItemOutcome) => state === 'done' || state === 'found';
	const done = outcomes.filter(([, outcome]) => isDone(outcome)).map(([index]) => index);
	const others = outcomes.map(([index, outcome]) => {
		if (outcome.state === 'unknown')
			return `The outcome of item ${index + 1} is unknown: ${sentences(outcome.message.replace(UNKNOWN_OUTCOME, ''), outcome.check)}`;
		if (outcome.state !== 'halfDone') return undefined;
		return `Item ${index + 1} is half done: ${sentences(outcome.message, outcome.remedy)}`;
	});
	return sentences(
		done.length > 0 &&
			`${named(done)} ${done.length === 1 ? 'is done: leave it' : 'are done: leave them'} out if you run the workflow again`,
		...others,
		outcomes.some(([, { state }]) => state === 'unknown') &&
			"If an item whose outcome is unknown wasn't done, run the workflow again for it alone",
	);
}

/** Names items by their numbers, e.g. Items 1 to 4 and 6. */
function named(indexes: number[]): string {
	const groups: number[][] = [];
	for (const index of indexes) {
		const last = groups.at(-1);
		if (last?.at(-1) === index - 1) last.push(index);
		else groups.push([index]);
	}
	const numbers = groups.flatMap((group) => {
		if (group.length > 2) return `${group[0] + 1} to ${group.at(-1)! + 1}`;
		return group.map((index) => String(index + 1));
	});
	return `Item${indexes.length === 1 ? '' : 's'} ${joinWithAnd(numbers)}`;
}

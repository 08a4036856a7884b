import { UNKNOWN_OUTCOME } from '../messages/connection';
import { sentences } from '../messages/explainedFailure';
import type { ItemOutcome } from './writeMemory';

/** Of so many items of a kind it's said what happened, of the others only their numbers. */
const MOST = 20;

/**
 * Says which items have written, or may have, although the run stopped at another one. n8n shows
 * nothing of them, and a new execution would do them again.
 * @param outcomes by item, from 0, in input order
 * @returns sentences without the last period; empty when there is nothing to say
 */
export function describeOutcomes(outcomes: ReadonlyArray<[number, ItemOutcome]>): string {
	const done: number[] = [];
	const unknown: Array<[number, string]> = [];
	const halfDone: Array<[number, string]> = [];
	for (const [index, outcome] of outcomes) {
		if (outcome.state === 'done') done.push(index);
		else if (outcome.state === 'halfDone')
			halfDone.push([index, sentences(outcome.message, outcome.remedy)]);
		else
			unknown.push([index, sentences(outcome.message.replace(UNKNOWN_OUTCOME, ''), outcome.check)]);
	}
	const rest = (items: Array<[number, string]>) => items.slice(MOST).map(([index]) => index);
	return sentences(
		done.length > 0 &&
			`${named('Item', done)} ${done.length === 1 ? 'is done: leave it' : 'are done: leave them'} out if you run the workflow again`,
		...unknown
			.slice(0, MOST)
			.map(([index, text]) => `The outcome of item ${index + 1} is unknown: ${text}`),
		unknown.length > MOST && `So is that of ${named('item', rest(unknown))}`,
		unknown.length > 0 && "If such an item wasn't done, run the workflow again for it alone",
		...halfDone.slice(0, MOST).map(([index, text]) => `Item ${index + 1} is half done: ${text}`),
		halfDone.length > MOST && `The same is true of ${named('item', rest(halfDone))}`,
	);
}

/** Names items by their numbers, e.g. items 1 to 4 and 6. */
function named(word: string, indexes: number[]): string {
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
	return `${word}${indexes.length === 1 ? '' : 's'} ${new Intl.ListFormat('en-GB').format(numbers)}`;
}

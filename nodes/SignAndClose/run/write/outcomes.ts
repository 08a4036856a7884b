import { UNKNOWN_OUTCOME } from '../../messages/connectionTexts';
import { joinSentences, joinWithAnd, toCapitalized } from '../../values/words';
import type { ItemOutcome } from './memory';

/* Says what became of items in a run that stopped at another one. */

/**
 * Says which items have written, or may have, although the run stopped at another one. n8n shows
 * nothing of them, and a new execution does them again, unless it recognizes them.
 * @param outcomes by item, from 0, in input order
 * @param rows the numbers of the rows of all items, where n8n has read them of a sheet
 * @returns sentences without the last period; empty when there is nothing to say
 */
export function describeOutcomes(
	outcomes: ReadonlyArray<[number, ItemOutcome]>,
	rows?: number[],
): string {
	const [noun, numberOf] = rows
		? ['row', (index: number) => rows[index]]
		: ['item', (index: number) => index + 1];
	const nameAll = (indexes: number[]) =>
		`${toCapitalized(noun)}${indexes.length === 1 ? '' : 's'} ${joinNumbers(indexes.map(numberOf))} ${indexes.length === 1 ? 'is' : 'are'} done`;
	const done = outcomes.flatMap(([index, outcome]) =>
		outcome.state === 'done' || outcome.state === 'found' ? [{ index, ...outcome }] : [],
	);
	const listDone = (expected: boolean) =>
		done
			.filter(({ results }) => results.some((result) => result.isFoundAgain === true) === expected)
			.map(({ index }) => index);
	const [foundAgain, doneAgain] = [listDone(true), listDone(false)];
	const texts = outcomes.map(([index, outcome]) => {
		const name = `${noun} ${numberOf(index)}`;
		if (outcome.state === 'unknown')
			return `The outcome of ${name} is unknown: ${joinSentences(outcome.message.replace(UNKNOWN_OUTCOME, ''), outcome.check)}`;
		if (outcome.state !== 'halfDone') return undefined;
		return `${toCapitalized(name)} is half done: ${joinSentences(outcome.message, outcome.remedy)}`;
	});
	return joinSentences(
		foundAgain.length > 0 && `${nameAll(foundAgain)}, and found if you run the workflow again`,
		doneAgain.length > 0 &&
			`${nameAll(doneAgain)}: leave ${doneAgain.length === 1 ? 'it' : 'them'} out if you run the workflow again`,
		...texts,
		outcomes.some(([, { state }]) => state === 'unknown') &&
			"If an item whose outcome is unknown wasn't done, run the workflow again for it alone",
	);
}

/** Joins numbers, e.g. 1 to 4 and 6. */
function joinNumbers(numbers: number[]): string {
	const groups: number[][] = [];
	for (const number of numbers) {
		const last = groups.at(-1);
		if (last?.at(-1) === number - 1) last.push(number);
		else groups.push([number]);
	}
	return joinWithAnd(
		groups.flatMap((group) =>
			group.length > 2 ? `${group[0]} to ${group.at(-1)}` : group.map(String),
		),
	);
}

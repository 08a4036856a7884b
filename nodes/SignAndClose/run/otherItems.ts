import { UNKNOWN_OUTCOME } from '../messages/connection';
import type { InDoubt } from './writeMemory';

/** Of so many items of a kind it's said what happened, of the others only their numbers. */
const MOST = 20;

/** An item that a person has to look after, and what is known of it. */
export interface OtherItem {
	/** From 0. */
	index: number;
	/** What happened, without a final period. */
	message: string;
	/** What to do, without a final period. */
	remedy: string;
}

/** An item in doubt, with where a person looks. */
export function itemInDoubt(index: number, { told, check }: InDoubt): OtherItem {
	return { index, message: told.message.replace(UNKNOWN_OUTCOME, ''), remedy: check };
}

/** What became of the items besides the one at which a run stopped. */
export interface OtherItems {
	/** Indexes of the items that are done, ascending, from 0. */
	done: number[];
	/** Items of which nobody knows whether they're done. */
	unknown: OtherItem[];
	/** Items that have begun something at the service and not finished it. */
	halfDone: OtherItem[];
}

/**
 * Says which other items have written, or may have, although the run stopped at one. n8n shows
 * nothing of them, and a new execution would do them again.
 * @returns sentences without the last period; undefined when there is nothing to say
 */
export function describeOthers({ done, unknown, halfDone }: OtherItems): string | undefined {
	const sentences = [
		done.length === 1
			? `Item ${numbers(done)} is done: leave it out if you run the workflow again`
			: done.length > 1 &&
				`Items ${numbers(done)} are done: leave them out if you run the workflow again`,
		...unknown.slice(0, MOST).map((item) => `The outcome of item ${inWords(item, 'is unknown')}`),
		unknown.length > MOST && `So is that of ${named(rest(unknown))}`,
		unknown.length > 0 && "If such an item wasn't done, run the workflow again for it alone",
		...halfDone.slice(0, MOST).map((item) => `Item ${inWords(item, 'is half done')}`),
		halfDone.length > MOST &&
			`So ${halfDone.length === MOST + 1 ? 'is' : 'are'} ${named(rest(halfDone))}`,
	];
	return sentences.filter(Boolean).join('. ') || undefined;
}

const inWords = ({ index, message, remedy }: OtherItem, state: string) =>
	[`${index + 1} ${state}: ${message}`, remedy].filter(Boolean).join('. ');

const rest = (items: OtherItem[]) => items.slice(MOST).map(({ index }) => index);

const numbers = (indexes: number[]) =>
	new Intl.ListFormat('en-GB').format(groupsOf(indexes).flatMap(numbersOf));

const named = (indexes: number[]) =>
	`${indexes.length === 1 ? 'item' : 'items'} ${numbers(indexes)}`;

/** Items that follow one another. */
interface Group {
	from: number;
	to: number;
}

function groupsOf(indexes: number[]): Group[] {
	const groups: Group[] = [];
	for (const index of indexes) {
		const last = groups.at(-1);
		if (last !== undefined && last.to === index - 1) last.to = index;
		else groups.push({ from: index, to: index });
	}
	return groups;
}

function numbersOf({ from, to }: Group): string[] {
	if (to > from + 1) return [`${from + 1} to ${to + 1}`];
	return from === to ? [String(from + 1)] : [String(from + 1), String(to + 1)];
}

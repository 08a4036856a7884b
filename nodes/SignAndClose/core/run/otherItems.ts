/** The most groups of items that are done, and the most items of each other kind, that are named. */
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
	const groups = groupsOf(done);
	const sentences = [
		describeDone(groups, done.length),
		...unknown.slice(0, MOST).map((item) => `The outcome of item ${inWords(item, 'is unknown')}`),
		unknown.length > MOST && `The outcome of ${others(unknown.length - MOST)} is unknown`,
		...halfDone.slice(0, MOST).map((item) => `Item ${inWords(item, 'is half done')}`),
		halfDone.length > MOST && `Half done: ${others(halfDone.length - MOST)}`,
		// Nobody may take one that isn't named for one that hasn't begun.
		Math.max(groups.length, unknown.length, halfDone.length) > MOST &&
			"Look up each item that isn't named here before you run it again",
	];
	return sentences.filter(Boolean).join('. ') || undefined;
}

const inWords = ({ index, message, remedy }: OtherItem, state: string) =>
	[`${index + 1} ${state}: ${message}`, remedy].filter(Boolean).join('. ');

const others = (count: number) => (count === 1 ? '1 other' : `${count} others`);

function describeDone(groups: Group[], count: number): string | undefined {
	if (count === 0) return undefined;
	const shown = groups.slice(0, MOST).flatMap(named);
	const left = groups.slice(MOST).reduce((sum, { from, to }) => sum + to - from + 1, 0);
	if (left > 0) shown.push(others(left));
	const list = new Intl.ListFormat('en-GB').format(shown);
	return count === 1
		? `Item ${list} is done: leave it out if you run the workflow again`
		: `Items ${list} are done: leave them out if you run the workflow again`;
}

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

function named({ from, to }: Group): string[] {
	if (to > from + 1) return [`${from + 1} to ${to + 1}`];
	return from === to ? [String(from + 1)] : [String(from + 1), String(to + 1)];
}

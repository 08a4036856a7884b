import type { IExecuteFunctions } from 'n8n-workflow';

import { plainText } from '../../../transport/failure/plainText';
import { joined } from '../../shared/hints';
import type { Found } from './find';

/*
 * Says below the output how far Transaction: Get Many has looked. Without it, nobody could tell
 * whether there is nothing, or whether the search ended before.
 */

/** What one item's search has to tell. */
export interface SearchNote extends Omit<Found, 'transactions'> {
	/** What ended the search, if that wasn't the end of the list. */
	endedBy: 'limit' | 'key';
	/** Detailed statuses that nobody knows. */
	unknownStates: string[];
}

/** From this many transactions on, a search takes long. */
const FAR = 5_000;

/** The notes of a run. */
interface Run {
	ended: number;
	notes: SearchNote[];
}

/** Those of each run that is under way. */
const runs = new WeakMap<IExecuteFunctions, Run>();

/**
 * Does the work of one item. After the last one of the run, says how far they looked, in one hint:
 * one for each of many items would bury the output.
 * @param work gets what takes the note of the item's search
 */
export async function noteSearch<T>(
	context: IExecuteFunctions,
	work: (tell: (note: SearchNote) => void) => Promise<T>,
): Promise<T> {
	const run = runs.get(context) ?? { ended: 0, notes: [] };
	runs.set(context, run);
	try {
		return await work((note) => void run.notes.push(note));
	} finally {
		run.ended += 1;
		if (run.ended === context.getInputData().length && run.notes.length > 0)
			// Not a hint of the results: there may be none.
			context.addExecutionHints({
				message: plainText(describeSearches(run.notes)),
				location: 'outputPane',
			});
	}
}

/** Says how far the searches of a run have looked. */
export function describeSearches(notes: readonly SearchNote[]): string {
	const unknown = [...new Set(notes.flatMap(({ unknownStates }) => unknownStates))];
	const parts = notes.length === 1 ? describeOne(notes[0]) : describeMany(notes);
	return joined([
		...parts,
		...unclearIn(notes),
		unknown.length === 0
			? undefined
			: `'Detailed Status' has ${listed(unknown)}, which the node doesn't know`,
	])!;
}

function describeOne({ read, complete, endedBy }: SearchNote): string[] {
	if (complete)
		return [
			`Read ${transactions(read)}, to the end of the list`,
			...(read >= FAR
				? ["To read fewer, add a filter that the service has, such as 'Created After' or 'Status'"]
				: []),
		];
	return endedBy === 'limit'
		? [
				`Read ${transactions(read)} until 'Limit' was reached`,
				"To look further, raise 'Limit' or turn on 'Return All'",
			]
		: [
				`Read ${transactions(read)} until the first one with this 'External ID'`,
				"To look for others, turn on 'Return All'",
			];
}

function describeMany(notes: readonly SearchNote[]): string[] {
	const read = notes.reduce((sum, note) => sum + note.read, 0);
	const complete = notes.filter((note) => note.complete).length;
	const ended = notes.length - complete;
	return [
		`${shown(notes.length)} items looked through ${transactions(read)} in all`,
		ended === 0
			? 'Each of them to the end of the list'
			: `${shown(complete)} of them to the end of the list, ${shown(ended)} until enough was found`,
	];
}

/** What was left out because nobody could judge it. */
function unclearIn(notes: readonly SearchNote[]): string[] {
	const names = [...new Set(notes.flatMap(({ unclear }) => Object.keys(unclear)))];
	return names.map((name) => {
		const count = notes.reduce((sum, { unclear }) => sum + (unclear[name] ?? 0), 0);
		return `${transactions(count)} ${count === 1 ? "doesn't" : "don't"} show what '${name}' compares, and ${count === 1 ? 'was' : 'were'} left out`;
	});
}

const shown = (number: number) => number.toLocaleString('en-US');
const transactions = (count: number) =>
	`${shown(count)} ${count === 1 ? 'transaction' : 'transactions'}`;
const listed = (texts: readonly string[]) => texts.map((text) => `'${text}'`).join(', ');

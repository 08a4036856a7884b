import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { toPlainText } from '../values/plainText';
import { joinSentences } from '../values/words';
import { listUnorderedFiles } from './itemFiles';
import type { Operation, OperationResult } from './operation';

/** Pauses below this many milliseconds in all aren't worth a hint. */
const LEAST_PAUSE_SHOWN_MS = 3_000;

/** What comes out of a run: items, each paired with its input, and the hints below them. */
export class Outputs {
	/** By input item. */
	readonly items: INodeExecutionData[][] = [];

	/** Sentences, each once. */
	private readonly hints = new Set<string>();

	/** By item, and what makes a hint of them. */
	private readonly notes: unknown[] = [];

	private summary: Operation['summary'];

	/** How many items there are of which the same became, e.g. 12 created. */
	private readonly counts = new Map<string, number>();

	constructor(private readonly context: IExecuteFunctions) {}

	/** Gives the results of an item. */
	give(index: number, operation: Operation, results: OperationResult[]): void {
		for (const { hint, counted } of results) {
			for (const sentence of hint?.split('. ') ?? []) this.hints.add(toPlainText(sentence));
			if (counted !== undefined) this.counts.set(counted, (this.counts.get(counted) ?? 0) + 1);
		}
		this.notes[index] = results[0]?.note;
		this.summary = operation.summary;
		for (const { json, binary } of results.filter(({ isHintOnly }) => isHintOnly !== true))
			this.add(index, operation, { json: withoutError(json), ...(binary && { binary }) });
	}

	/**
	 * Gives the one output of a failed item. n8n 1.x takes an item with any other name than `error` and
	 * `message` for one that went well, so that all it says stands in these.
	 * @param error what a person reads
	 * @param details which of its parts are done
	 */
	giveFailure(
		index: number,
		operation: Operation | undefined,
		error: string,
		details?: IDataObject,
	): void {
		this.add(index, operation, { json: { error, ...(details && { message: details }) } });
	}

	/**
	 * Shows one hint for the whole run: what came of the items, what is to be known of single ones, what
	 * to do next, and at its end what holds for all of them. n8n shows HTML.
	 * @param pausedMs how long the service has kept the run waiting
	 */
	showHints(pausedMs: number): void {
		const counts = [...this.counts].sort().map(([state, count]) => `${count} ${state}`);
		const summary = this.summary?.(this.notes.filter((note) => note !== undefined) as never[]);
		const ofItems = (summary?.ofItems ?? []).map((text) => toPlainText(text));
		const hints = joinSentences(...this.hints);
		const lines = [
			...(ofItems.length > 0
				? [counts.join(', '), ...ofItems, hints]
				: [joinSentences(counts.join(', '), hints)]),
			joinSentences(
				summary?.last && toPlainText(summary.last),
				pausedMs >= LEAST_PAUSE_SHOWN_MS &&
					`The service limits how many requests it takes: the node paused for ${Math.round(pausedMs / 1000)} seconds in all`,
			),
		];
		const message = lines.filter(Boolean).join('.<br>');
		if (message !== '') this.context.addExecutionHints({ message, location: 'outputPane' });
	}

	private add(index: number, operation: Operation | undefined, item: INodeExecutionData): void {
		// The files of an input item go on with the output as they came.
		const files = operation?.passesFiles === true ? listUnorderedFiles(this.context, index) : [];
		const binary = Object.fromEntries(files.map(({ name, file }) => [name, file]));
		const pairedItem = { item: index };
		(this.items[index] ??= []).push({ ...(files.length > 0 && { binary }), ...item, pairedItem });
	}
}

/**
 * Renames a field `error` that came from the service. n8n takes an item that has one for a failed
 * item and, with "Retry On Fail", runs the whole node again.
 */
function withoutError({ error, ...json }: IDataObject): IDataObject {
	return error === undefined ? json : { ...json, service_error: error };
}

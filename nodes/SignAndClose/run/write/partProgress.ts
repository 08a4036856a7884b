import type { IDataObject } from 'n8n-workflow';

import { findFailure } from '../../transport/failure/failure';
import { toPlainText } from '../../values/plainText';
import { joinSentences } from '../../values/words';
import type { Writer, OperationCall, OperationResult, WritePart, WriteParts } from '../operation';
import type { WriteMemory } from './memory';

/*
 * How far an item of several writes is: what has come of its parts, in this try or an earlier one, and
 * what is remembered of that.
 */

/** A part of an item. */
export interface PartState {
	part: WritePart;
	call: OperationCall;
	/** What has come of it in this try. */
	results?: OperationResult[];
	writer?: Writer;
}

/** What has come of a part in this try, or else in an earlier one. */
function getResults(
	{ call, results }: PartState,
	memory: WriteMemory,
): OperationResult[] | undefined {
	const { outcome } = memory.get(call.writeId);
	return results ?? (outcome && 'results' in outcome ? outcome.results : undefined);
}

/** What has come of all parts so far, in order. */
export const collectResults = (states: PartState[], memory: WriteMemory): OperationResult[] =>
	states.flatMap((state) => getResults(state, memory) ?? []);

/** Remembers that a part is there. A later try looks again; until then, it isn't missing. */
export function noteFound({ call, results = [] }: PartState, memory: WriteMemory): void {
	memory.noteOutcome(call.writeId, { state: 'found', results });
}

/** Remembers that the item is there. Parts that were only found are looked for again by a later try. */
export function noteFinished(
	{ writeId }: OperationCall,
	states: PartState[],
	results: OperationResult[],
	memory: WriteMemory,
): void {
	const made = collectResults(states, memory);
	const written = made.filter(({ isFound }) => isFound !== true);
	if (written.length === made.length) {
		memory.noteOutcome(writeId, { state: 'done', results });
		for (const state of states) memory.erase(state.call.writeId);
	} else if (written.length > 0) memory.noteOutcome(writeId, { state: 'found', results });
}

/**
 * Remembers how far the item is, for its failure and for the message of a run that another item stops.
 * @param thrown what has stopped it
 * @returns which parts are done and which aren't; empty when none was begun
 */
export async function noteUnfinished(
	{ writeId }: OperationCall,
	states: PartState[],
	memory: WriteMemory,
	{ resumeAdvice, details }: WriteParts,
	thrown: unknown,
): Promise<string> {
	const { done, unknown, notDone } = sortParts(states, memory);
	if (unknown.length === 0 && done.length === 0) {
		memory.forget(writeId);
		return '';
	}
	const results = collectResults(states, memory);
	const advice = await buildAdvice(resumeAdvice, results, unknown.length > 0, thrown);
	const list = (title: string, names: string[]) =>
		names.length > 0 && `${title}: ${names.join(', ')}`;
	const lists = joinSentences(
		list('Done', listPartNames(done)),
		list('Unknown', listPartNames(unknown)),
		list('Not done', listPartNames(notDone)),
	);
	const partDetails: IDataObject = {
		...details?.(results),
		done: done.map((state) => describePart(state, memory)),
		unknown: listPartNames(unknown),
		not_done: listPartNames(notDone),
	};
	const [first] = unknown;
	const outcome = first && memory.get(first.call.writeId).outcome;
	memory.noteOutcome(
		writeId,
		outcome?.state === 'unknown'
			? {
					...outcome,
					message: `${first.part.name}: ${outcome.message}`,
					check: joinSentences(outcome.check, lists, advice),
					details: partDetails,
				}
			: { state: 'halfDone', message: lists, remedy: advice, details: partDetails },
	);
	return joinSentences(lists, advice);
}

async function buildAdvice(
	resumeAdvice: WriteParts['resumeAdvice'],
	results: OperationResult[],
	isUnknown: boolean,
	thrown: unknown,
): Promise<string> {
	if (typeof resumeAdvice === 'string') return resumeAdvice;
	return await resumeAdvice(results, {
		isUnknown,
		isOver: findFailure(thrown)?.flags.unresumable === true,
	});
}

/** Parts that are done, those of which it's unknown, and the others. */
function sortParts(states: PartState[], memory: WriteMemory) {
	const isDone = (state: PartState) => getResults(state, memory) !== undefined;
	const isUnknown = (state: PartState) => {
		const { outcome, sending } = memory.get(state.call.writeId);
		// What a request came to that nobody waited for is unknown, too.
		return !isDone(state) && (outcome?.state === 'unknown' || sending !== undefined);
	};
	return {
		done: states.filter(isDone),
		unknown: states.filter(isUnknown),
		notDone: states.filter((state) => !isDone(state) && !isUnknown(state)),
	};
}

const listPartNames = (states: PartState[]): string[] =>
	states.map(({ part }) => toPlainText(part.name));

/** What the failure of an item says of a part that's done: its name, the IDs of its output, and its hint. */
function describePart(state: PartState, memory: WriteMemory): IDataObject {
	const [{ json, hint }] = getResults(state, memory)!;
	const ids = Object.entries(json).filter(([name]) => name.endsWith('_id'));
	return {
		name: toPlainText(state.part.name),
		...Object.fromEntries(ids),
		...(hint !== undefined && { hint: toPlainText(hint) }),
	};
}

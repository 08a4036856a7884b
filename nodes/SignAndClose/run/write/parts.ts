import type { IDataObject } from 'n8n-workflow';

import { InputFailure } from '../../messages/failures';
import { Faults } from '../../messages/inputFaults';
import { toPlainText } from '../../values/plainText';
import { joinSentences } from '../../values/words';
import type {
	Writer,
	Operation,
	OperationCall,
	OperationResult,
	WritePart,
	WriteParts,
} from '../operation';
import { hideInResults } from '../tool/agentTool';
import type { UnknownOutcomes } from './unknownOutcomes';
import { deriveWriter } from './runner';
import type { WriteMemory } from './memory';

/*
 * Items that are several writes, e.g. one document for each of their files. Each part is remembered
 * and looked up as the write of an item is. The first one that fails ends the item, so that the parts
 * keep their order. Its failure is all that comes out of the item: the nodes after it would take what
 * is done for the whole. What is done stands in the failure, and isn't done again by a later try.
 */

/** An item of which some parts are done, or may be. */
export class PartsFailure extends Error {
	/**
	 * @param cause what the part has thrown
	 * @param part what a person calls it; undefined where it's about the whole item
	 * @param summary which parts are done and which aren't: sentences without the last period
	 */
	constructor(
		override readonly cause: unknown,
		readonly part: string | undefined,
		readonly summary: string,
	) {
		super(summary);
	}
}

const buildFailure = (...all: ConstructorParameters<typeof PartsFailure>) =>
	new PartsFailure(...all);

interface State {
	part: WritePart;
	call: OperationCall;
	/** What has come of it in this try. */
	results?: OperationResult[];
	writer?: Writer;
}

/**
 * Does the parts of an item that no earlier try has done.
 * @throws InputFailure when something can't be used, before anything is sent by this try
 * @throws PartsFailure when a part fails
 */
export async function writeParts(
	operation: Operation,
	call: OperationCall,
	all: WriteParts,
	memory: WriteMemory,
	writes: UnknownOutcomes,
): Promise<OperationResult[]> {
	const { parts, join } = all;
	const states = parts.map((part): State => ({
		part,
		call: buildCall(call, part, memory, []),
		writer: part.write && deriveWriter(part.write),
	}));
	const listBefore = (state: State) =>
		collectResults(states.slice(0, states.indexOf(state)), memory);
	/** Gives a part what those before it have come to. */
	const prepareCall = (state: State): OperationCall =>
		(state.call = buildCall(call, state.part, memory, listBefore(state)));
	let current: State | undefined;
	try {
		for (current of states) {
			const { outcome } = memory.get(current.call.writeId);
			const { writer } = current;
			current.results =
				outcome?.state === 'done'
					? outcome.results
					: writer && (await writes.resolveEarlier(operation, writer, prepareCall(current)));
		}
		current = undefined;
		await prepare(states, memory);
		for (current of states) {
			if (current.results !== undefined) continue;
			current.results = await writes.begin(operation, current.writer!, prepareCall(current));
			if (current.results.some(({ isFound }) => isFound)) noteFound(current, memory);
		}
	} catch (thrown) {
		throw buildFailure(thrown, current?.part.name, noteUnfinished(call, states, memory, all));
	}
	const made = collectResults(states, memory);
	const results = join === undefined ? buildResults(states) : [join(made)];
	const written = made.filter(({ isFound }) => isFound !== true);
	if (written.length === made.length) {
		memory.noteOutcome(call.writeId, { state: 'done', results });
		for (const state of states) memory.erase(state.call.writeId);
	} else if (written.length > 0) memory.noteOutcome(call.writeId, { state: 'found', results });
	return results;
}

/** What has come of a part in this try, or else in an earlier one. */
function getResults({ call, results }: State, memory: WriteMemory): OperationResult[] | undefined {
	const { outcome } = memory.get(call.writeId);
	return results ?? (outcome && 'results' in outcome ? outcome.results : undefined);
}

const collectResults = (states: State[], memory: WriteMemory): OperationResult[] =>
	states.flatMap((state) => getResults(state, memory) ?? []);

/** Remembers that a part is there. A later try looks again; until then, it isn't missing. */
function noteFound({ call, results = [] }: State, memory: WriteMemory): void {
	memory.noteOutcome(call.writeId, { state: 'found', results });
}

function buildCall(
	call: OperationCall,
	{ key, params }: WritePart,
	memory: WriteMemory,
	before: OperationResult[],
): OperationCall {
	const writeId = `${call.writeId}/${key}`;
	const [sending, steps] = [memory.getSending(writeId), memory.getSteps(writeId)];
	const ownParams = typeof params === 'function' ? params(before) : params;
	return { ...call, params: ownParams, writeId, sending, steps, before };
}

/** Prepares the parts that aren't done. What can't be used in any of them is told without their names. */
async function prepare(states: State[], memory: WriteMemory): Promise<void> {
	const open = states.filter(({ results }) => results === undefined);
	const faults = new Map<string, Array<{ fault: InputFailure; name: string }>>();
	const existing = new Map<State, OperationResult>();
	for (const state of open) {
		const { part, writer, call } = state;
		const partFaults = new Faults();
		const there =
			part.existing ?? (await partFaults.collectLater(async () => await writer!.prepare(call)));
		if (there !== undefined) existing.set(state, there);
		for (const fault of partFaults.all)
			faults.set(fault.message, [...(faults.get(fault.message) ?? []), { fault, name: part.name }]);
	}
	const all = new Faults();
	for (const alike of faults.values()) {
		const isOfAll = alike.length === open.length && (alike.length > 1 || states.length === 1);
		for (const { fault, name } of alike)
			all.note(
				isOfAll
					? fault
					: new InputFailure(fault.parameter, fault.problem, fault.remedy, `${name}: `),
			);
	}
	all.throwIfAny();
	for (const [state, there] of existing) {
		state.results = hideInResults(state.call.context, state.call.service, [there]);
		noteFound(state, memory);
	}
}

/** What comes out of the parts that are done, in order. */
function buildResults(states: State[]): OperationResult[] {
	const beside: Array<string | undefined> = [];
	const outputs = states.flatMap(({ part, results = [] }) =>
		results.flatMap((result) => {
			const { hint, ...rest } = part.complete?.(result) ?? result;
			if (part.isAuxiliary === true) {
				beside.push(hint);
				return [];
			}
			const namedHint = states.length > 1 ? `${part.name}: ${hint}` : hint;
			return [{ ...rest, ...(hint !== undefined && { hint: namedHint }) }];
		}),
	);
	const [first, ...furtherOutputs] = outputs;
	const hint = joinSentences(...beside, first?.hint);
	return first === undefined || hint === '' ? outputs : [{ ...first, hint }, ...furtherOutputs];
}

/**
 * Remembers how far the item is, for its failure and for the message of a run that another item stops.
 * @returns which parts are done and which aren't; empty when none was begun
 */
function noteUnfinished(
	{ writeId }: OperationCall,
	states: State[],
	memory: WriteMemory,
	{ resumeAdvice, details }: WriteParts,
): string {
	const isDone = (state: State) => getResults(state, memory) !== undefined;
	const isUnknown = (state: State) => {
		const { outcome, sending } = memory.get(state.call.writeId);
		// What a request came to that nobody waited for is unknown, too.
		return !isDone(state) && (outcome?.state === 'unknown' || sending !== undefined);
	};
	const done = states.filter(isDone);
	const unknown = states.filter(isUnknown);
	if (unknown.length === 0 && done.length === 0) {
		memory.forget(writeId);
		return '';
	}
	const notDone = states.filter((state) => !isDone(state) && !isUnknown(state));
	const results = collectResults(states, memory);
	const advice =
		typeof resumeAdvice === 'string' ? resumeAdvice : resumeAdvice(results, unknown.length > 0);
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

const listPartNames = (states: State[]): string[] =>
	states.map(({ part }) => toPlainText(part.name));

/** What the failure of an item says of a part that's done: its name, the IDs of its output, and its hint. */
function describePart(state: State, memory: WriteMemory): IDataObject {
	const [{ json, hint }] = getResults(state, memory)!;
	const ids = Object.entries(json).filter(([name]) => name.endsWith('_id'));
	return {
		name: toPlainText(state.part.name),
		...Object.fromEntries(ids),
		...(hint !== undefined && { hint: toPlainText(hint) }),
	};
}

import type { IDataObject } from 'n8n-workflow';

import { InputFailure } from '../messages/explainedFailure';
import { Faults } from '../messages/faults';
import { plainText } from '../transport/failure/plainText';
import { sentences } from '../values/words';
import type { Doing, Operation, OperationCall, OperationResult, Part, Parts } from './operation';
import { shownResults } from './tool/agentTool';
import type { UnknownOutcomes } from './unknownOutcomes';
import { doingOf } from './doing';
import type { WriteMemory } from './writeMemory';

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
	 * @param told which parts are done and which aren't: sentences without the last period
	 */
	constructor(
		override readonly cause: unknown,
		readonly part: string | undefined,
		readonly told: string,
	) {
		super(told);
	}
}

const unfinished = (...all: ConstructorParameters<typeof PartsFailure>) => new PartsFailure(...all);

interface State {
	part: Part;
	call: OperationCall;
	/** What has come of it in this try. */
	results?: OperationResult[];
	doing?: Doing;
}

/**
 * Does the parts of an item that no earlier try has done.
 * @throws InputFailure when something can't be used, before anything is sent by this try
 * @throws PartsFailure when a part fails
 */
export async function writeParts(
	operation: Operation,
	call: OperationCall,
	all: Parts,
	memory: WriteMemory,
	writes: UnknownOutcomes,
): Promise<OperationResult[]> {
	const { parts, join } = all;
	const states = parts.map((part): State => ({
		part,
		call: callOf(call, part, memory, []),
		doing: part.write && doingOf(part.write),
	}));
	const doneBefore = (state: State) => doneOf(states.slice(0, states.indexOf(state)), memory);
	/** Gives a part what those before it have come to. */
	const ready = (state: State): OperationCall =>
		(state.call = callOf(call, state.part, memory, doneBefore(state)));
	let current: State | undefined;
	try {
		for (current of states) {
			const { outcome } = memory.of(current.call.writeId);
			const { doing } = current;
			current.results =
				outcome?.state === 'done'
					? outcome.results
					: doing && (await writes.settled(operation, doing, ready(current)));
		}
		current = undefined;
		await prepare(states, memory);
		for (current of states) {
			if (current.results !== undefined) continue;
			current.results = await writes.begin(operation, current.doing!, ready(current));
			if (current.results.some(({ isFound }) => isFound)) noteFound(current, memory);
		}
	} catch (thrown) {
		throw unfinished(thrown, current?.part.name, noteUnfinished(call, states, memory, all));
	}
	const made = doneOf(states, memory);
	const results = join === undefined ? resultsOf(states) : [join(made)];
	const written = made.filter(({ isFound }) => isFound !== true);
	if (written.length === made.length) {
		memory.noteOutcome(call.writeId, { state: 'done', results });
		for (const state of states) memory.erase(state.call.writeId);
	} else if (written.length > 0) memory.noteOutcome(call.writeId, { state: 'found', results });
	return results;
}

/** What has come of a part in this try, or else in an earlier one. */
function resultsIn({ call, results }: State, memory: WriteMemory): OperationResult[] | undefined {
	const { outcome } = memory.of(call.writeId);
	return results ?? (outcome && 'results' in outcome ? outcome.results : undefined);
}

const doneOf = (states: State[], memory: WriteMemory): OperationResult[] =>
	states.flatMap((state) => resultsIn(state, memory) ?? []);

/** Remembers that a part is there. A later try looks again; until then, it isn't missing. */
function noteFound({ call, results = [] }: State, memory: WriteMemory): void {
	memory.noteOutcome(call.writeId, { state: 'found', results });
}

function callOf(
	call: OperationCall,
	{ key, params }: Part,
	memory: WriteMemory,
	before: OperationResult[],
): OperationCall {
	const writeId = `${call.writeId}/${key}`;
	const [sending, steps] = [memory.sendingOf(writeId), memory.stepsOf(writeId)];
	const own = typeof params === 'function' ? params(before) : params;
	return { ...call, params: own, writeId, sending, steps, before };
}

/** Prepares the parts that aren't done. What can't be used in any of them is told without their names. */
async function prepare(states: State[], memory: WriteMemory): Promise<void> {
	const open = states.filter(({ results }) => results === undefined);
	const faults = new Map<string, Array<{ fault: InputFailure; name: string }>>();
	const found = new Map<State, OperationResult>();
	for (const state of open) {
		const { part, doing, call } = state;
		const own = new Faults();
		const there = part.found ?? (await own.collectLater(async () => await doing!.prepare(call)));
		if (there !== undefined) found.set(state, there);
		for (const fault of own.all)
			faults.set(fault.message, [...(faults.get(fault.message) ?? []), { fault, name: part.name }]);
	}
	const all = new Faults();
	for (const alike of faults.values()) {
		const isOfAll = alike.length === open.length && (alike.length > 1 || states.length === 1);
		for (const { fault, name } of alike)
			all.note(
				isOfAll ? fault : new InputFailure(fault.parameter, fault.what, fault.remedy, `${name}: `),
			);
	}
	all.throwIfAny();
	for (const [state, there] of found) {
		state.results = shownResults(state.call.context, state.call.service, [there]);
		noteFound(state, memory);
	}
}

/** What comes out of the parts that are done, in order. */
function resultsOf(states: State[]): OperationResult[] {
	const beside: Array<string | undefined> = [];
	const shown = states.flatMap(({ part, results = [] }) =>
		results.flatMap((result) => {
			const { hint, ...rest } = part.complete?.(result) ?? result;
			if (part.isBeside === true) {
				beside.push(hint);
				return [];
			}
			const named = states.length > 1 ? `${part.name}: ${hint}` : hint;
			return [{ ...rest, ...(hint !== undefined && { hint: named }) }];
		}),
	);
	const [first, ...others] = shown;
	const hint = sentences(...beside, first?.hint);
	return first === undefined || hint === '' ? shown : [{ ...first, hint }, ...others];
}

/**
 * Remembers how far the item is, for its failure and for the message of a run that another item stops.
 * @returns which parts are done and which aren't; empty when none was begun
 */
function noteUnfinished(
	{ writeId }: OperationCall,
	states: State[],
	memory: WriteMemory,
	{ toGoOn, details }: Parts,
): string {
	const isDone = (state: State) => resultsIn(state, memory) !== undefined;
	const isUnknown = (state: State) => {
		const { outcome, sending } = memory.of(state.call.writeId);
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
	const results = doneOf(states, memory);
	const advice = typeof toGoOn === 'string' ? toGoOn : toGoOn(results, unknown.length > 0);
	const list = (what: string, names: string[]) =>
		names.length > 0 && `${what}: ${names.join(', ')}`;
	const lists = sentences(
		list('Done', namesOf(done)),
		list('Unknown', namesOf(unknown)),
		list('Not done', namesOf(notDone)),
	);
	const shown: IDataObject = {
		...details?.(results),
		done: done.map((state) => shownPart(state, memory)),
		unknown: namesOf(unknown),
		not_done: namesOf(notDone),
	};
	const [first] = unknown;
	const outcome = first && memory.of(first.call.writeId).outcome;
	memory.noteOutcome(
		writeId,
		outcome?.state === 'unknown'
			? {
					...outcome,
					message: `${first.part.name}: ${outcome.message}`,
					check: sentences(outcome.check, lists, advice),
					details: shown,
				}
			: { state: 'halfDone', message: lists, remedy: advice, details: shown },
	);
	return sentences(lists, advice);
}

const namesOf = (states: State[]): string[] => states.map(({ part }) => plainText(part.name));

/** What the failure of an item says of a part that's done: its name, the IDs of its output, and its hint. */
function shownPart(state: State, memory: WriteMemory): IDataObject {
	const [{ json, hint }] = resultsIn(state, memory)!;
	const ids = Object.entries(json).filter(([name]) => name.endsWith('_id'));
	return {
		name: plainText(state.part.name),
		...Object.fromEntries(ids),
		...(hint !== undefined && { hint: plainText(hint) }),
	};
}

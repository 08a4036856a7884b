import type { IDataObject } from 'n8n-workflow';

import { InputFailure, sentences } from '../messages/explainedFailure';
import { Faults } from '../messages/faults';
import { plainText } from '../transport/failure/plainText';
import { shownResults } from './shownResults';
import type { Doing, Operation, OperationCall, OperationResult, Part, Parts } from './operation';
import type { UnknownOutcomes } from './unknownOutcomes';
import { doingOf } from './write';
import type { WriteMemory } from './writeMemory';

/*
 * Items that are several writes, e.g. one document for each of their files. Each part is remembered
 * and looked up as the write of an item is. The first one that fails ends the item, so that the parts
 * keep their order; what was done before it is told, stays in the output, and isn't done again by a
 * later try.
 */

/**
 * An item of which some parts are done, or may be. Where items go on after a failure, the failure
 * and the results of these parts come out, in this order.
 */
export class PartsFailure extends Error {
	/**
	 * @param cause what the part has thrown
	 * @param part what a person calls it; undefined where it's about the whole item
	 * @param results of the parts that are done
	 * @param told which parts are done and which aren't, if the cause doesn't say so: sentences
	 *   without the last period
	 * @param details what the output of the failure has beside its message
	 */
	constructor(
		override readonly cause: unknown,
		readonly part: string | undefined,
		readonly results: OperationResult[],
		readonly told?: string,
		readonly details?: IDataObject,
	) {
		super(told);
	}
}

const unfinished = (...all: ConstructorParameters<typeof PartsFailure>) => new PartsFailure(...all);

interface State {
	part: Part;
	call: OperationCall;
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
	{ parts, toGoOn, join, details }: Parts,
	memory: WriteMemory,
	writes: UnknownOutcomes,
): Promise<OperationResult[]> {
	const states = parts.map((part): State => ({
		part,
		call: callOf(call, part, memory, []),
		doing: part.write && doingOf(part.write),
	}));
	/** Gives a part what those before it have come to. */
	const ready = (state: State): OperationCall =>
		(state.call = callOf(call, state.part, memory, doneOf(states)));
	let current: State | undefined;
	let isPrepared = false;
	try {
		for (current of states) {
			const { outcome } = memory.of(current.call.writeId);
			const { doing, part } = current;
			const earlier =
				outcome?.state === 'done'
					? outcome.results
					: doing && (await writes.settled(operation, doing, ready(current)));
			current.results = earlier ?? (part.found && shownResults(call, [part.found]));
		}
		current = undefined;
		await prepare(states);
		isPrepared = true;
		for (current of states)
			current.results ??= await writes.begin(operation, current.doing!, ready(current));
	} catch (thrown) {
		const done = doneOf(states);
		const advice = typeof toGoOn === 'string' ? toGoOn : toGoOn(done);
		// What was only found is done once the others are prepared.
		const isDone = ({ results, part }: State) =>
			results !== undefined && (isPrepared || part.found === undefined);
		const told = noteUnfinished(call, states, isDone, memory, advice);
		const results = join === undefined ? resultsOf(states) : [];
		throw unfinished(thrown, current?.part.name, results, told, details?.(done));
	}
	const results = join === undefined ? resultsOf(states) : [join(doneOf(states))];
	const isWritten = doneOf(states).map(({ isFound }) => isFound !== true);
	if (!isWritten.includes(false)) {
		memory.noteOutcome(call.writeId, { state: 'done', results });
		for (const state of states) memory.erase(state.call.writeId);
	} else if (isWritten.includes(true)) memory.noteOutcome(call.writeId, { state: 'found' });
	return results;
}

const doneOf = (states: State[]): OperationResult[] =>
	states.flatMap(({ results = [] }) => results);

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
async function prepare(states: State[]): Promise<void> {
	const open = states.filter(({ results }) => results === undefined);
	const faults = new Map<string, { fault: InputFailure; parts: Part[] }>();
	for (const state of open) {
		const own = new Faults();
		await own.collectLater(async () => await state.doing!.prepare(state.call));
		for (const fault of own.all) {
			const known = faults.get(fault.message) ?? { fault, parts: [] };
			faults.set(fault.message, { fault, parts: [...known.parts, state.part] });
		}
	}
	const all = new Faults();
	for (const { fault, parts } of faults.values()) {
		const { parameter, what, remedy } = fault;
		const isOfAll = parts.length === open.length && (parts.length > 1 || states.length === 1);
		if (isOfAll) all.note(fault);
		else
			for (const { name } of parts)
				all.note(new InputFailure(parameter, what, remedy, `${name}: `));
	}
	all.throwIfAny();
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
 * Remembers how far the item is, for the message of a run that another item stops.
 * @returns which parts are done and which aren't; empty when none was begun
 */
function noteUnfinished(
	{ writeId }: OperationCall,
	states: State[],
	isDone: (state: State) => boolean,
	memory: WriteMemory,
	toGoOn: string,
): string {
	const isUnknown = (state: State) => {
		const { outcome, sending } = memory.of(state.call.writeId);
		// What a request came to that nobody waited for is unknown, too.
		return !isDone(state) && (outcome?.state === 'unknown' || sending !== undefined);
	};
	const unknown = states.find(isUnknown);
	if (unknown === undefined && !states.some(isDone)) {
		memory.forget(writeId);
		return '';
	}
	const list = (what: string, wanted: (state: State) => boolean) => {
		const names = states.filter(wanted).map(({ part }) => plainText(part.name));
		return names.length > 0 && `${what}: ${names.join(', ')}`;
	};
	const lists = sentences(
		list('Done', isDone),
		list('Unknown', isUnknown),
		list('Not done', (state) => !isDone(state) && !isUnknown(state)),
	);
	const outcome = unknown && memory.of(unknown.call.writeId).outcome;
	memory.noteOutcome(
		writeId,
		outcome?.state === 'unknown'
			? {
					...outcome,
					message: `${unknown!.part.name}: ${outcome.message}`,
					check: sentences(outcome.check, lists, toGoOn),
				}
			: { state: 'halfDone', message: lists, remedy: toGoOn },
	);
	return sentences(lists, toGoOn);
}

import { InputFailure } from '../../messages/failures';
import { Faults } from '../../messages/inputFaults';
import { joinSentences } from '../../values/words';
import type {
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
import {
	collectResults,
	noteFinished,
	noteFound,
	noteUnfinished,
	type PartState,
} from './partProgress';

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

const buildFailure = async (
	thrown: unknown,
	current: PartState | undefined,
	...progress: [OperationCall, PartState[], WriteMemory, WriteParts]
) => new PartsFailure(thrown, current?.part.name, await noteUnfinished(...progress, thrown));

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
	const states = parts.map((part): PartState => ({
		part,
		call: buildCall(call, part, memory, []),
		writer: part.write && deriveWriter(part.write),
	}));
	const listBefore = (state: PartState) =>
		collectResults(states.slice(0, states.indexOf(state)), memory);
	/** Gives a part what those before it have come to. */
	const prepareCall = (state: PartState): OperationCall =>
		(state.call = buildCall(call, state.part, memory, listBefore(state)));
	let current: PartState | undefined;
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
		throw await buildFailure(thrown, current, call, states, memory, all);
	}
	// What joins them may add what was read before them.
	const results =
		join === undefined
			? buildResults(states)
			: hideInResults(call.context, call.service, [join(collectResults(states, memory))]);
	noteFinished(call, states, results, memory);
	return results;
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
async function prepare(states: PartState[], memory: WriteMemory): Promise<void> {
	const open = states.filter(({ results }) => results === undefined);
	const faults = new Map<string, Array<{ fault: InputFailure; name: string }>>();
	const existing = new Map<PartState, OperationResult>();
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
function buildResults(states: PartState[]): OperationResult[] {
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

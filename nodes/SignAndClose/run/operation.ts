import {
	NodeOperationError,
	type IBinaryKeyData,
	type IDataObject,
	type IExecuteFunctions,
	type INode,
	type INodeProperties,
} from 'n8n-workflow';

import type { ServiceClient } from '../transport/client';
import { formatForDisplay } from '../values/plainValues';
import type { Goal, SendingMemory, StepMemory } from './goals';
import type { Params, ParameterSource } from './parameters/params';
import type { SharedLists } from './sharedLists';

/* What an operation of the node is: its place in the dropdowns, its fields and its work. */

/**
 * The output of an operation for one item. IDs are at top level, so that the default expressions of
 * the next node find them.
 */
export interface OperationResult {
	json: IDataObject;
	binary?: IBinaryKeyData;
	/** Shown below the output after the run, once for equal texts, e.g. what to do next. */
	hint?: string;
	/** What the item adds to the one hint that `summary` of its operation makes of the run. */
	note?: unknown;
	/** What became of the item, in a word that a hint counts after the run, e.g. "created". */
	counted?: string;
	/** Whether nothing comes out of it but its hint: a list without entries. */
	isHintOnly?: true;
	/** Whether a write found what it was to bring about, and wrote nothing: a later try looks again. */
	isFound?: true;
	/** Whether a new run of the workflow finds it and doesn't write it again. */
	isFoundAgain?: true;
}

/** A write: that of an item, by its index, or of one of its parts. */
export type WriteId = number | string;

/** What the item loop hands to an operation for one item. */
export interface OperationCall {
	context: IExecuteFunctions;
	service: ServiceClient;
	/** The item's parameters. */
	params: Params;
	itemIndex: number;
	/** By what this write is remembered: that of the item, or of one of its parts. */
	writeId: WriteId;
	/** What the parts of the item before this one have come to, as far as they're done. */
	before: OperationResult[];
	/** What this write has sent, in this or an earlier try. */
	sending: SendingMemory;
	/** What an operation of several steps has done, in this or an earlier try. */
	steps: StepMemory;
	/** What the nodes of an execution remember together, also in its retries; each call of a tool by itself. */
	execution: IDataObject;
	/** The lists that the items of the run read together. */
	lists: SharedLists;
	/**
	 * Notes what tells the item apart from the others of the run, over all tries.
	 * @returns the index of another item that has noted the same before
	 */
	claimKey(key: string): number | undefined;
	/** Whether another item of the run has noted this key, over all tries. */
	isClaimed(key: string): boolean;
	/** The same for another item of the run, which writes nothing by it. */
	withItem(itemIndex: number): OperationCall;
}

/** Nothing has to be written: what is there is the result. */
export class ExistingResult {
	constructor(readonly result: OperationResult) {}
}

/**
 * A write of an item, or of one of its parts.
 * @template Input what the item says
 * @template Value what the service shows when it's done
 * @template Prepared what was read of the service before
 */
export interface Write<Input, Value, Prepared = undefined> {
	/**
	 * Parses and checks what the item says, once in each try.
	 * @throws InputFailure when a parameter can't be used
	 */
	parse(call: OperationCall): Input | Promise<Input>;
	/**
	 * Reads what the write needs. It's done before anything of the item is written, and not for a look-up.
	 * @throws InputFailure, ServiceFailure; nothing was sent
	 */
	prepare?(call: OperationCall, input: Input): Promise<Prepared | ExistingResult>;
	/**
	 * Sends the request, after whatever has to come right before it.
	 * @returns the parsed answer, or what was found instead
	 */
	send(call: OperationCall, input: Input, prepared: Prepared): Promise<unknown>;
	/**
	 * What the write is to bring about.
	 * @param prepared undefined for the look-up of a later try
	 */
	goal(call: OperationCall, input: Input, prepared?: Prepared): Goal<Value>;
	/** What comes out of what the service shows. */
	result(
		call: OperationCall,
		value: Value,
		input: Input,
		prepared?: Prepared,
	): OperationResult | Promise<OperationResult>;
	/** Whether the write, done twice, is done once: after a lost answer, it's sent again at once. */
	repeats?: true;
}

/** A write of any kind. */
export type AnyWrite = Write<unknown, unknown, unknown>;

/** Declares a write, so that its four functions fit each other. */
export const defineWrite = <Input, Value, Prepared = undefined>(
	spec: Write<Input, Value, Prepared>,
): Write<Input, Value, Prepared> => spec;

/** One of several writes of an item. */
export interface WritePart {
	/** What tells it from the others of the item, in every try. */
	key: string;
	/** What a person calls it. */
	name: string;
	/**
	 * The item's parameters, with values of its own for some; by what came of the parts before it, as far
	 * as they're done.
	 */
	params: Params | ((before: OperationResult[]) => Params);
	/** Left out where the result is known. */
	write?: AnyWrite;
	/** The result of a part that writes nothing. With a write, an earlier try may have done it. */
	existing?: OperationResult;
	/** Adds to a result what only the whole item shows. */
	complete?(result: OperationResult): OperationResult;
	/** Whether nothing comes out of it by itself. Its hint goes to the item's first result. */
	isAuxiliary?: true;
}

/** What stands against a new run of an item. */
export interface PartsStanding {
	/** Whether it's unknown of a part whether it's done. */
	isUnknown: boolean;
	/** Whether no new run can go on. */
	isOver: boolean;
}

/** An item that is several writes. */
export interface WriteParts {
	/** In the order in which they're written. */
	parts: WritePart[];
	/** How a new run of the workflow does only what is left: sentences without a final period. */
	resumeAdvice:
		string | ((done: OperationResult[], standing: PartsStanding) => string | Promise<string>);
	/** Makes one result of those of all parts. By default, each of them comes out. */
	join?(results: OperationResult[]): OperationResult;
	/** What the output of a failed item has beside its message. */
	details?(done: OperationResult[]): IDataObject | undefined;
}

/** How a write is done and looked up. It's derived from the write's four functions (write/runner.ts). */
export interface Writer {
	/**
	 * Reads and checks what the write needs.
	 * @returns what is there already, so that there's nothing to write
	 * @throws InputFailure when a parameter can't be used
	 */
	prepare(call: OperationCall): Promise<OperationResult | undefined>;
	/**
	 * Does the write.
	 * @throws InputFailure when a parameter can't be used; nothing was sent
	 * @throws ServiceFailure when the service didn't do what was asked
	 */
	execute(call: OperationCall): Promise<OperationResult | OperationResult[]>;
	/** What a write whose outcome is unknown was to bring about. */
	buildGoal(call: OperationCall): Promise<Goal<OperationResult>>;
}

/** One operation of the node. */
export interface Operation {
	resource: ResourceValue;
	/** Workflows store it, so it never changes. */
	value: string;
	name: string;
	action: string;
	description: string;
	/**
	 * Whether it's the operation that a new node has for its resource, if that isn't Get. Workflows
	 * don't store what is the default, so it never changes.
	 */
	initial?: true;
	/**
	 * Reads run side by side and may be repeated. Writes are done once, those to one transaction one
	 * after the other.
	 */
	kind: 'read' | 'write';
	/**
	 * What a write means to people, e.g. "Emails the signers their invitations". An agent reads it, and
	 * repeats it to the person who has to approve the call.
	 */
	effect?: string;
	properties: INodeProperties[];
	/**
	 * Whether the files of an item go on with its output: the nodes after it may need them, e.g. those
	 * of a form.
	 */
	passesFiles?: true;
	/**
	 * Whether an item waits for those of other runs of this process that do the same to its transaction:
	 * each of them looks first, and would do what the other one does.
	 */
	isExclusive?: true;
	/**
	 * Reads what is needed only after the work, so that a value that can't be used stops the item
	 * before it.
	 * @throws InputFailure when a parameter can't be used
	 */
	check?(params: Params): void;
	/**
	 * Does the work of a read for one item.
	 * @throws InputFailure when a parameter can't be used; nothing was sent
	 * @throws ServiceFailure when the service didn't do what was asked
	 */
	execute?(call: OperationCall): Promise<OperationResult | OperationResult[]>;
	/** The write of an item. An operation that divides every item has none. */
	write?: AnyWrite;
	/** The writes of an item that are no single one, and remember by themselves how far they are. */
	writer?: Writer;
	/**
	 * Divides an item into several writes. Each of them is done, remembered and looked up by itself,
	 * and none before all of them are prepared.
	 * @returns undefined for an item that is one write
	 * @throws InputFailure when a parameter can't be used
	 */
	divide?(call: OperationCall): Promise<WriteParts | undefined>;
	/**
	 * Makes a part of the run's hint of the notes of all items that were done.
	 * @param notes in input order
	 */
	summary?(notes: never[]): RunSummary;
}

/** What the hint of a run says of single items, each in a line, and what it ends with. */
export interface RunSummary {
	ofItems?: string[];
	last?: string;
}

/**
 * The resources and their display names. They are named as the service names them
 * (docs/words.md#words-of-the-service). The editor lists resources and actions in this order: first
 * what everybody needs.
 */
export const RESOURCES = {
	transaction: 'Transaction',
	document: 'Document',
	signer: 'Signer',
	account: 'Account',
	address: 'Address',
	enote: 'eNote',
	notarizationRecord: 'Notarization Record',
	notary: 'Notary',
	recordingJurisdiction: 'Recording Jurisdiction',
	template: 'Template',
	titleAgency: 'Title Agency',
	underwriter: 'Title Underwriter',
	webhook: 'Webhook',
} as const;

/** A resource as workflows store it. */
export type ResourceValue = keyof typeof RESOURCES;

/**
 * Declares an operation. Dropdowns, dispatch, the README's table and the tests are derived from the
 * list of operations.
 */
export function defineOperation(operation: Operation): Operation {
	return operation;
}

/**
 * Finds the operation that an item's parameters choose.
 * @throws NodeOperationError when there is none of that name
 */
export function findOperation(
	operations: readonly Operation[],
	node: INode,
	parameters: ParameterSource,
): Operation {
	const [resource, value] = [parameters.get('resource'), parameters.get('operation')];
	const operation = operations.find(
		(entry) => entry.resource === resource && entry.value === value,
	);
	if (operation !== undefined) return operation;
	throw new NodeOperationError(
		node,
		`'Operation' ${formatForDisplay(resource)}: ${formatForDisplay(value)} doesn't exist`,
		{
			description:
				"Choose a 'Resource' and an 'Operation' from the lists. The workflow may come from a newer version of this node",
		},
	);
}

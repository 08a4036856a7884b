import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { deriveTail } from '../../values/reference';
import type { OperationCall, OperationResult, WriteId } from '../operation';
import type { Sending, SendingMemory, StepMemory } from '../goals';

/*
 * What this run of the node has written. "Retry On Fail" runs the whole node again, including items
 * that succeeded, and a retry of the execution begins with a copy of what the failed one had. What
 * was written is therefore kept in the node's context, which survives both, and isn't written again.
 * A process that is killed leaves nothing.
 */

/** A write of which nobody knows whether it was done. */
export interface UnknownOutcome {
	state: 'unknown';
	/** When its answer was lost, in milliseconds since 1970. */
	lostAt: number;
	message: string;
	remedy: string;
	/** Where a person checks whether it was done. */
	check: string;
	/** Which of its parts are done, for the output of the failure. */
	details?: IDataObject;
}

/** What became of an item's write. */
export type ItemOutcome =
	| { state: 'done'; results: OperationResult[] }
	/** All of it is there. Some was found, which a later try looks for again. */
	| { state: 'found'; results: OperationResult[] }
	| UnknownOutcome
	/** It has done something of several steps, and its next try goes on from there. */
	| { state: 'halfDone'; message: string; remedy: string; details?: IDataObject };

/** What is known of a write. */
interface Entry {
	/** What became of it; undefined when nothing was written. */
	outcome?: ItemOutcome;
	/** What it has sent, noted before it was. */
	sending?: Sending;
	/** When the answer was lost of a request that showed no effect in time, in milliseconds since 1970. */
	missedAt?: number;
	/** What it writes to, by the key, the operation and the transaction. */
	target?: string;
	/** The steps that an operation of several steps has done. */
	steps?: string[];
	/** Of the run as a whole: the item that has noted each key. */
	claims?: Record<string, number>;
}

const KEY = 'signAndCloseWrites';

/** Under which the run as a whole is remembered, beside the writes of its items. */
const CLAIMS = 'claims';

/** Where the node's context says which execution it is part of. */
const EXECUTION_KEY = 'signAndCloseExecution';

/**
 * The writes of calls of the node as a tool, by the arguments of the call. n8n hands the same object
 * to each try of a call, but raises the run index with it, and where an MCP client calls, there is
 * no context of the node. State of this process; docs/architecture.md lists all of it.
 */
const ofCalls = new WeakMap<object, Record<string, Entry>>();

/** The writes of one run of the node. */
export class WriteMemory {
	private readonly entries: Record<string, Entry>;

	private readonly run: string;

	/** Holds the entries, where they're part of an execution. */
	private readonly nodeContext: IDataObject | undefined;

	/** What all nodes of the execution remember. */
	readonly ofExecution: IDataObject = {};

	/** The execution; undefined for a call as a tool, which can't be retried. */
	readonly execution: string | undefined;

	/**
	 * What tells the execution that this one retries from others, as long as this one has written nothing
	 * new.
	 */
	retried: string | undefined;

	constructor(context: IExecuteFunctions) {
		// Older n8n can't tell whether an agent or an MCP client calls the node as a tool.
		if ((context as Partial<IExecuteFunctions>).isToolExecution?.() === true) {
			const { json: call } = context.getInputData()[0];
			this.entries = ofCalls.get(call) ?? {};
			ofCalls.set(call, this.entries);
			this.run = 'call';
			return;
		}
		this.nodeContext = context.getContext('node');
		this.ofExecution = context.getContext('flow');
		this.entries = (this.nodeContext[KEY] ??= {} as IDataObject) as Record<string, Entry>;
		// A node in a loop runs several times in one execution. Each run has its own writes.
		this.run = String(context.getWorkflowDataProxy(0).$runIndex ?? 0);
		this.execution = context.getExecutionId();
		// In a retry, n8n begins with a copy of what the failed execution had.
		const stored = this.nodeContext[EXECUTION_KEY] as
			{ execution: string; retried?: string } | undefined;
		const isOwn = stored?.execution === this.execution;
		this.retried =
			stored === undefined
				? startOfRetried(context)
				: (stored.retried ?? (isOwn ? undefined : stored.execution));
		this.noteExecution();
	}

	/** Notes that this retry writes something new. Its own retry begins with what it knows. */
	noteRetried(): void {
		this.retried = undefined;
		this.noteExecution();
	}

	private noteExecution(): void {
		const { nodeContext, execution, retried } = this;
		if (nodeContext === undefined || execution === undefined) return;
		nodeContext[EXECUTION_KEY] = { execution, ...(retried !== undefined && { retried }) };
	}

	/** What is known of a write from this or an earlier try. */
	get(write: WriteId): Readonly<Entry> {
		return this.entries[this.buildKey(write)] ?? {};
	}

	/** What became of items, by item, where anything did. */
	listOutcomes(indexes: number[]): Array<[number, ItemOutcome]> {
		return indexes.flatMap((index) => {
			const { outcome } = this.get(index);
			return outcome === undefined ? [] : [[index, outcome] satisfies [number, ItemOutcome]];
		});
	}

	/** Remembers what became of a write. */
	noteOutcome(write: WriteId, outcome: ItemOutcome): void {
		this.getEntry(write).outcome = outcome;
	}

	/** Notes that a write is about to be done, or done again. */
	begin(write: WriteId, target: string): void {
		const item = this.getEntry(write);
		item.target = target;
		delete item.outcome;
		delete item.missedAt;
	}

	/**
	 * Forgets a write that is known to be not done, so that a later try does it.
	 * @param missedAt when its answer was lost, if it was: a later try looks once more
	 */
	forget(write: WriteId, missedAt?: number): void {
		const { steps, sending, target } = this.getEntry(write);
		this.entries[this.buildKey(write)] = {
			...(steps && { steps }),
			...(missedAt !== undefined && { missedAt, sending, target }),
		};
	}

	/**
	 * Notes what tells an item apart, which stays known whatever becomes of it.
	 * @returns the index of another item that has noted the same, in this or an earlier try
	 */
	private claimKey(itemIndex: number, buildKey: string): number | undefined {
		const claims = (this.getEntry(CLAIMS).claims ??= {});
		// With the sign, no key is a name that every object inherits.
		const owner = (claims[`=${buildKey}`] ??= itemIndex);
		return owner === itemIndex ? undefined : owner;
	}

	/** Whether another item has noted this key, in this or an earlier try. */
	private isClaimed(itemIndex: number, buildKey: string): boolean {
		return (this.get(CLAIMS).claims?.[`=${buildKey}`] ?? itemIndex) !== itemIndex;
	}

	/** What this write has sent, in this or an earlier try. */
	getSending(write: WriteId): SendingMemory {
		return {
			get: () => this.get(write).sending,
			set: (sending) => void (this.getEntry(write).sending = sending),
		};
	}

	/** The steps of this write that this or an earlier try has done. */
	getSteps(write: WriteId): StepMemory {
		return {
			all: () => [...(this.get(write).steps ?? [])],
			add: (step) => void (this.getEntry(write).steps ??= []).push(step),
		};
	}

	/** What an item's call knows of this and earlier tries. */
	getItem(
		itemIndex: number,
	): Pick<OperationCall, 'sending' | 'steps' | 'execution' | 'claimKey' | 'isClaimed'> {
		return {
			sending: this.getSending(itemIndex),
			steps: this.getSteps(itemIndex),
			execution: this.ofExecution,
			claimKey: (key) => this.claimKey(itemIndex, key),
			isClaimed: (key) => this.isClaimed(itemIndex, key),
		};
	}

	/** Forgets all of a write, e.g. of a part of an item that is done as a whole. */
	erase(write: WriteId): void {
		delete this.entries[this.buildKey(write)];
	}

	/** Forgets this run. n8n doesn't try again after a run without any failure. */
	forgetRun(): void {
		for (const buildKey of Object.keys(this.entries))
			if (buildKey.startsWith(`${this.run}:`)) delete this.entries[buildKey];
		if (Object.keys(this.entries).length > 0) return;
		delete this.nodeContext?.[KEY];
	}

	private getEntry(write: WriteId): Entry {
		return (this.entries[this.buildKey(write)] ??= {});
	}

	private buildKey(write: WriteId): string {
		return `${this.run}:${write}`;
	}
}

/**
 * When the execution that is retried started, and with what: all its retries have that in common, also
 * if this node hadn't begun.
 * @returns undefined where nothing is retried, or an older n8n doesn't tell
 */
function startOfRetried(context: IExecuteFunctions): string | undefined {
	const started = (context as Partial<IExecuteFunctions>).getExecutionContext?.();
	if (context.getMode() !== 'retry' || started === undefined) return undefined;
	const { establishedAt, triggerNode } = started;
	// Several events may start executions in the same millisecond.
	return `${establishedAt} ${deriveTail(JSON.stringify(getNodeOutput(context, triggerNode?.name)))}`;
}

/** What a node has output, without files; nothing if it hasn't run. */
function getNodeOutput(context: IExecuteFunctions, node = ''): object[] {
	try {
		const output = context.getWorkflowDataProxy(0).$(node) as { all(): object[] };
		return output.all().map((item) => ({ ...item, binary: undefined }));
	} catch {
		return [];
	}
}

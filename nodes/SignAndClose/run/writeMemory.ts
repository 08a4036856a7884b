import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { OperationResult } from './operation';
import type { Sending, SendingMemory, StepMemory } from './outcome/goals';

/*
 * What this run of the node has written. "Retry On Fail" runs the whole node again, including items
 * that succeeded, and a retry of the execution begins with a copy of what the failed one had. What
 * was written is therefore kept in the node's context, which survives both, and isn't written again.
 * A process that is killed leaves nothing.
 */

/** What a person was told of an item. */
export interface Told {
	message: string;
	remedy: string;
}

/** A write of which nobody knows whether it was done. */
export interface InDoubt {
	state: 'inDoubt';
	/** When its answer was lost, in milliseconds since 1970. */
	lostAt: number;
	told: Told;
	/** Where a person looks. */
	check: string;
}

/** What became of an item's write. */
export type Outcome =
	| { state: 'done'; results: OperationResult[] }
	| InDoubt
	/** It has done something of several steps, and its next try goes on from there. */
	| { state: 'halfDone'; told: Told };

/** What is known of an item. */
interface Remembered {
	outcome?: Outcome;
	/** What it has sent, noted before it was. */
	sending?: Sending;
	/** What it writes to, by the key, the operation and the transaction. */
	target?: string;
	/** The steps that an operation of several steps has done. */
	steps?: string[];
}

const KEY = 'signAndCloseWrites';

/** Where the node's context says which execution it is part of. */
const EXECUTION_KEY = 'signAndCloseExecution';

/** The execution that the memory is part of. */
interface Noted {
	execution: string;
	/** The execution that this one retries, as long as it has written nothing new. */
	retried?: string;
}

/**
 * The writes of calls of the node as a tool, by the arguments of the call. n8n hands the same object
 * to each try of a call, but raises the run index with it, and where an MCP client calls, there is
 * no context of the node. State of this process; docs/architecture.md lists all of it.
 */
const ofCalls = new WeakMap<object, Record<string, Remembered>>();

/** The writes of one run of the node, by item. */
export class WriteMemory {
	private readonly entries: Record<string, Remembered>;

	private readonly run: string;

	/** Holds the entries, where they're part of the execution. */
	private readonly nodeContext?: IDataObject;

	private readonly execution?: string;

	constructor(context: IExecuteFunctions) {
		if (isToolCall(context)) {
			const { json: call } = context.getInputData()[0];
			this.entries = ofCalls.get(call) ?? {};
			ofCalls.set(call, this.entries);
			this.run = 'call';
			return;
		}
		this.nodeContext = context.getContext('node');
		this.entries = (this.nodeContext[KEY] ??= {} as IDataObject) as unknown as Record<
			string,
			Remembered
		>;
		// A node in a loop runs several times in one execution. Each run has its own writes.
		this.run = String(context.getWorkflowDataProxy(0).$runIndex ?? 0);
		this.execution = context.getExecutionId();
	}

	/**
	 * Notes which execution this is. In a retry, n8n begins with a copy of what the failed execution
	 * had, so that it can be told from the others.
	 */
	noteExecution(): void {
		if (this.nodeContext === undefined || this.execution === undefined) return;
		const noted = this.nodeContext[EXECUTION_KEY] as Noted | undefined;
		if (noted?.execution === this.execution) return;
		const retried = noted?.retried ?? noted?.execution;
		this.note({ execution: this.execution, ...(retried !== undefined && { retried }) });
	}

	/** The execution that this one retries, as long as it has written nothing new. */
	get retried(): string | undefined {
		return (this.nodeContext?.[EXECUTION_KEY] as Noted | undefined)?.retried;
	}

	/** Notes that this retry writes something new. Its own retry begins with what it knows. */
	noteRetried(): void {
		if (this.execution !== undefined) this.note({ execution: this.execution });
	}

	/** Whether this is part of an execution that can be retried: a call as a tool isn't. */
	get isOfExecution(): boolean {
		return this.execution !== undefined;
	}

	/** What this or an earlier try did with an item; undefined when it hasn't written anything. */
	outcomeOf(itemIndex: number): Outcome | undefined {
		return this.entries[this.key(itemIndex)]?.outcome;
	}

	/** Remembers what became of an item. */
	noteOutcome(itemIndex: number, outcome: Outcome): void {
		this.of(itemIndex).outcome = outcome;
	}

	/** What this or an earlier try was about to write an item to. */
	targetOf(itemIndex: number): string | undefined {
		return this.entries[this.key(itemIndex)]?.target;
	}

	/** Notes that an item is about to be done, or done again. */
	begin(itemIndex: number, target: string): void {
		const item = this.of(itemIndex);
		item.target = target;
		delete item.outcome;
	}

	/** Forgets a write that is known to be not done, so that a later try does it. */
	forget(itemIndex: number): void {
		const { steps } = this.of(itemIndex);
		this.entries[this.key(itemIndex)] = { ...(steps && { steps }) };
	}

	/** What this item has sent, in this or an earlier try. */
	sendingOf(itemIndex: number): SendingMemory {
		return {
			get: () => this.entries[this.key(itemIndex)]?.sending,
			set: (sending) => void (this.of(itemIndex).sending = sending),
		};
	}

	/** The steps of this item that this or an earlier try has done. */
	stepsOf(itemIndex: number): StepMemory {
		return {
			all: () => [...(this.entries[this.key(itemIndex)]?.steps ?? [])],
			add: (step) => void (this.of(itemIndex).steps ??= []).push(step),
		};
	}

	/** Forgets this run. n8n doesn't try again after a run without any failure. */
	forgetRun(): void {
		for (const key of Object.keys(this.entries))
			if (key.startsWith(`${this.run}:`)) delete this.entries[key];
		if (Object.keys(this.entries).length > 0) return;
		delete this.nodeContext?.[KEY];
		delete this.nodeContext?.[EXECUTION_KEY];
	}

	private note(noted: Noted): void {
		if (this.nodeContext !== undefined) this.nodeContext[EXECUTION_KEY] = { ...noted };
	}

	private of(itemIndex: number): Remembered {
		return (this.entries[this.key(itemIndex)] ??= {});
	}

	private key(itemIndex: number): string {
		return `${this.run}:${itemIndex}`;
	}
}

/** Whether an agent or an MCP client calls the node as a tool. Older n8n can't tell. */
function isToolCall(context: Partial<Pick<IExecuteFunctions, 'isToolExecution'>>): boolean {
	return context.isToolExecution?.() === true;
}

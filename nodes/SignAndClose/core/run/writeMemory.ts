import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { StepMemory } from '../../service/goals';
import type { OperationResult } from '../operation';
import type { ItemName } from './unknownOutcomes';

/*
 * What this run of the node has written. "Retry On Fail" runs the whole node again, including items
 * that succeeded. What was written is therefore kept in the node's context, which survives the
 * tries, and isn't written again.
 */
type Remembered =
	{ state: 'done'; results: OperationResult[] } | InDoubt | { state: 'begun'; steps: string[] };

/** A write of which nobody knows whether it was done, and what a person was told about it. */
export interface InDoubt {
	state: 'inDoubt';
	startedAt: number;
	told: { message: string; remedy: string };
	/** How a person names it. A call as a tool has none. */
	name?: ItemName;
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

	/** How a person names an item of this execution; undefined for a call, which can't be retried. */
	nameOf(itemIndex: number): ItemName | undefined {
		if (this.execution === undefined) return undefined;
		const run = this.run === '0' ? [] : [Number(this.run) + 1];
		return {
			execution: this.execution,
			item: [this.execution, ...run, itemIndex + 1].join('-'),
		};
	}

	/** What an earlier try did with this item; undefined when it hasn't written anything. */
	get(itemIndex: number): Remembered | undefined {
		return this.entries[this.key(itemIndex)];
	}

	/** Remembers that this item's write is done or in doubt. */
	set(itemIndex: number, entry: Remembered): void {
		this.entries[this.key(itemIndex)] = entry;
	}

	/** Forgets an item whose write is known to be not done, so that a later try does it. */
	forget(itemIndex: number): void {
		delete this.entries[this.key(itemIndex)];
	}

	/** The steps of this item that this or an earlier try has done. */
	stepsOf(itemIndex: number): StepMemory {
		const key = `${this.key(itemIndex)}:steps`;
		const steps = () => {
			const entry = this.entries[key];
			return entry?.state === 'begun' ? entry.steps : [];
		};
		return {
			all: () => [...steps()],
			add: (step) => void (this.entries[key] = { state: 'begun', steps: [...steps(), step] }),
		};
	}

	/** IDs of everything that this run has created so far. */
	madeIds(): Set<string> {
		const results = Object.values(this.entries).flatMap((entry) =>
			entry.state === 'done' ? entry.results : [],
		);
		return new Set(
			results
				.flatMap(({ json }) => [json.transaction_id, json.document_id, json.webhook_id])
				.filter((id) => typeof id === 'string'),
		);
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

	private key(itemIndex: number): string {
		return `${this.run}:${itemIndex}`;
	}
}

/** Whether an agent or an MCP client calls the node as a tool. Older n8n can't tell. */
function isToolCall(context: Partial<Pick<IExecuteFunctions, 'isToolExecution'>>): boolean {
	return context.isToolExecution?.() === true;
}

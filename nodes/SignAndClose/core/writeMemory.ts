import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { OperationResult } from './operation';

/**
 * "Retry On Fail" runs the whole node again, items that had succeeded included. What this run of
 * the node has written is therefore remembered in the node's context, which survives the tries, and
 * is not written again.
 */
type Remembered =
	{ state: 'done'; results: OperationResult[] } | { state: 'inDoubt'; startedAt: number };

const KEY = 'signAndCloseWrites';

export class WriteMemory {
	private readonly entries: Record<string, Remembered>;

	private readonly run: string;

	constructor(private readonly context: IExecuteFunctions) {
		const nodeContext = context.getContext('node');
		this.entries = (nodeContext[KEY] ??= {} as IDataObject) as unknown as Record<
			string,
			Remembered
		>;
		// A node in a loop runs several times in one execution: each run has writes of its own.
		this.run = String(context.getWorkflowDataProxy(0).$runIndex ?? 0);
	}

	get(itemIndex: number): Remembered | undefined {
		return this.entries[this.key(itemIndex)];
	}

	set(itemIndex: number, entry: Remembered): void {
		this.entries[this.key(itemIndex)] = entry;
	}

	/** Ids of what this run has made so far. */
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

	/** After a run without any failure n8n will not try again: nothing needs to be kept. */
	forgetRun(): void {
		for (const key of Object.keys(this.entries))
			if (key.startsWith(`${this.run}:`)) delete this.entries[key];
		if (Object.keys(this.entries).length === 0) delete this.context.getContext('node')[KEY];
	}

	private key(itemIndex: number): string {
		return `${this.run}:${itemIndex}`;
	}
}

import type {
	DeduplicationItemTypes,
	DeduplicationScope,
	ICheckProcessedContextData,
	ICheckProcessedOptions,
	IDataDeduplicator,
	IDeduplicationOutput,
} from 'n8n-workflow';

/**
 * n8n's store of processed keys, whose own needs its database, for the engine of the tests: it
 * reads, waits, then writes without a lock, as n8n's does, and keeps the newest `maxEntries`. The
 * tests in a real n8n use its own.
 */
export class ProcessedKeys implements IDataDeduplicator {
	readonly keys = new Map<string, string[]>();

	async checkProcessedAndRecord(
		items: DeduplicationItemTypes[],
		_scope: DeduplicationScope,
		data: ICheckProcessedContextData,
		{ maxEntries }: ICheckProcessedOptions,
	): Promise<IDeduplicationOutput> {
		const name = `${data.workflow.id}:${data.node?.id}`;
		const known = new Set(this.keys.get(name) ?? []);
		await new Promise((wake) => setTimeout(wake, 5));
		const fresh = items.filter((item) => !known.has(String(item)));
		this.keys.set(name, [...known, ...fresh.map(String)].slice(-(maxEntries ?? 10_000)));
		return { new: fresh, processed: items.filter((item) => known.has(String(item))) };
	}

	async removeProcessed(
		items: DeduplicationItemTypes[],
		_scope: DeduplicationScope,
		data: ICheckProcessedContextData,
	): Promise<void> {
		const name = `${data.workflow.id}:${data.node?.id}`;
		this.keys.set(
			name,
			(this.keys.get(name) ?? []).filter((key) => !items.map(String).includes(key)),
		);
		return await Promise.resolve();
	}

	async clearAllProcessedItems(): Promise<void> {
		return await Promise.resolve(this.keys.clear());
	}

	async checkProcessedItemsAndRecord(): Promise<never> {
		return await Promise.reject(new Error('the package does not use it'));
	}

	async getProcessedDataCount(): Promise<number> {
		return await Promise.resolve([...this.keys.values()].flat().length);
	}
}

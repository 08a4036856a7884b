import type { HeldFile } from '../demo/archiveFolder.mts';

/**
 * The sandbox's console as calls: what a person does there as signer, notary or title agency. Works
 * with a sandbox in any process.
 */

export interface ConsoleTransaction {
	id: string;
	status: string;
	detailed_status: string;
	history: Array<{ status: string; detailed_status: string }>;
}

export class Console {
	readonly url: string;

	constructor(url: string) {
		this.url = url;
	}

	async transactions(): Promise<ConsoleTransaction[]> {
		return (await this.call<{ transactions: ConsoleTransaction[] }>('GET', '/sandbox/state'))
			.transactions;
	}

	/** @throws when the sandbox does not know it */
	async transaction(id: string): Promise<ConsoleTransaction> {
		const found = (await this.transactions()).find((transaction) => transaction.id === id);
		if (found === undefined) throw new Error(`The sandbox has no transaction ${id}`);
		return found;
	}

	/** Takes a step as the person it needs. */
	async act(id: string, step: 'sign' | 'notarize' | 'reject'): Promise<void> {
		await this.call('POST', `/sandbox/transactions/${id}/${step}`);
	}

	/** Everything a completed transaction leaves behind. */
	async files(id: string): Promise<HeldFile[]> {
		return await this.call('GET', `/sandbox/files/${id}`);
	}

	private async call<T>(method: string, path: string): Promise<T> {
		const response = await fetch(`${this.url}${path}`, { method });
		const body = (await response.json()) as T & { message?: string };
		if (!response.ok)
			throw new Error(
				`The sandbox answered ${response.status} to ${method} ${path}: ${body.message ?? JSON.stringify(body)}`,
			);
		return body;
	}
}

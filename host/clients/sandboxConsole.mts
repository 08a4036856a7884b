/** A file of a completed transaction, as GET /sandbox/files/:id describes it. */
export interface ServiceFile {
	kind: 'document' | 'auditTrail' | 'video' | 'identityImage';
	name: string;
	bytes: number;
	sha256: string;
}

interface ConsoleTransaction {
	id: string;
	status: string;
	detailed_status: string;
	history: Array<{ status: string; detailed_status: string }>;
}

/**
 * The sandbox's console as calls: what a person does there as signer, notary or title agency. The
 * sandbox may run in another process.
 */
export class SandboxConsole {
	readonly #url: string;

	constructor(url: string) {
		this.#url = url;
	}

	async transactions(): Promise<ConsoleTransaction[]> {
		return (await this.#call<{ transactions: ConsoleTransaction[] }>('GET', '/sandbox/state'))
			.transactions;
	}

	/** @throws when the sandbox doesn't have it */
	async transaction(id: string): Promise<ConsoleTransaction> {
		const found = (await this.transactions()).find((transaction) => transaction.id === id);
		if (found === undefined) throw new Error(`The sandbox has no transaction ${id}`);
		return found;
	}

	/** Performs a step in the role that it belongs to. */
	async act(id: string, step: 'sign' | 'notarize' | 'reject'): Promise<void> {
		await this.#call('POST', `/sandbox/transactions/${id}/${step}`);
	}

	/** Every file that a completed transaction has at the service. */
	async files(id: string): Promise<ServiceFile[]> {
		return await this.#call('GET', `/sandbox/files/${id}`);
	}

	async #call<T>(method: string, path: string): Promise<T> {
		const response = await fetch(`${this.#url}${path}`, { method });
		const body = (await response.json()) as T & { message?: string };
		if (!response.ok)
			throw new Error(
				`The sandbox answered ${response.status} to ${method} ${path}: ${body.message ?? JSON.stringify(body)}`,
			);
		return body;
	}
}

import type { TransactionAnswer } from '../../transport/answers/answers';
import { retrieveTransaction } from '../../transport/answers/retrieveTransaction';
import type { ServiceClient } from '../../transport/client';
import { asError } from '../../transport/failure/failure';
import type { Platform } from '../../transport/service/endpoints';

/* What the editor's lists have read, for a short time. */

/** How long something is kept, in milliseconds, from when it was asked for. */
const KEPT_MS = 30_000;
/** How many answers are kept at most: a search through 5,000 entries takes 50. */
const MOST_KEPT = 200;

/**
 * What the lists of the editor have read within the last 30 seconds. n8n asks for a list each time
 * that somebody opens it or types a letter, and several fields show the same one.
 */
class KeptLists {
	private readonly answers = new Map<string, { since: number; answer: Promise<unknown> }>();

	/**
	 * Reads something of the service, or gives what the same credential has read of it a moment ago.
	 * @param what tells it from everything else that is read with the credential
	 * @param read must give no keys and no passwords
	 * @throws what `read` throws. Nothing of it is kept
	 */
	async read<T>(service: ServiceClient, what: unknown[], read: () => Promise<T>): Promise<T> {
		const { account, organizationId, prefixes } = service.settings;
		const key = JSON.stringify([account, organizationId, prefixes, ...what]);
		const now = Date.now();
		for (const [other, { since }] of this.answers)
			if (now - since >= KEPT_MS) this.answers.delete(other);
		const known = this.answers.get(key);
		if (known !== undefined) return (await known.answer) as T;
		const kept = { since: now, answer: read() };
		this.answers.set(key, kept);
		if (this.answers.size > MOST_KEPT) this.answers.delete([...this.answers.keys()][0]);
		try {
			return await kept.answer;
		} catch (thrown) {
			if (this.answers.get(key) === kept) this.answers.delete(key);
			throw asError(thrown);
		}
	}

	/** Forgets everything, so that each list is read anew. */
	forget(): void {
		this.answers.clear();
	}
}

/** The lists of this process. docs/architecture.md lists all such state. */
export const keptLists = new KeptLists();

/**
 * Retrieves a transaction, or gives what was kept of it.
 * @throws ServiceFailure
 */
export async function keptTransaction(
	service: ServiceClient,
	transactionId: string,
	platform: Platform,
): Promise<TransactionAnswer> {
	return await keptLists.read(
		service,
		['transaction', transactionId, platform],
		async () => await retrieveTransaction(service, transactionId, platform),
	);
}

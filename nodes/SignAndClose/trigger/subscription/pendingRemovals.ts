import { sleep } from 'n8n-workflow';

import type { SubscriptionMemory } from './memory';

/* Webhooks of workflows that were just unpublished. */

/**
 * How long a webhook stands after its workflow was unpublished, in milliseconds. When a published
 * trigger is changed, n8n unpublishes it first and publishes it again, within a second or some, and
 * the node can't tell which of the two it is.
 */
const REMOVAL_PAUSE_MS = 10_000;

const RETRY_PAUSE_MS = 10_000;

interface Pending {
	memory: SubscriptionMemory;
	/** Whether the workflow was published again, so that the rest is up to that one. */
	isReplaced: boolean;
}

/**
 * Removes webhooks some seconds after their workflow was unpublished, unless it is published again
 * until then and uses its webhook further on, with its event records. If n8n ends in these seconds,
 * the webhook stands, and is used by the next publishing.
 */
class PendingRemovals {
	/** Milliseconds until a webhook is removed. Tests shorten it. */
	pauseMs = REMOVAL_PAUSE_MS;

	/** Milliseconds until a removal that has failed is tried again. Tests shorten it. */
	retryMs = RETRY_PAUSE_MS;

	private readonly pending = new Map<string, Pending>();

	/**
	 * Does the removal after the pause, if nobody has adopted the webhook.
	 * @param key names the node
	 * @param removal gets `isReplaced`: whether the node has another webhook now. It never throws
	 */
	schedule(
		key: string,
		memory: SubscriptionMemory,
		removal: (isReplaced: () => boolean, isAdopted: () => boolean) => Promise<void>,
	): void {
		const own: Pending = { memory: { ...memory }, isReplaced: false };
		this.pending.set(key, own);
		const isAdopted = () => this.pending.get(key) !== own;
		void (async () => {
			await sleep(this.pauseMs);
			if (isAdopted()) return;
			await removal(() => own.isReplaced, isAdopted);
			if (!isAdopted()) this.pending.delete(key);
		})();
	}

	/** Gives what is known to a node that n8n has stored nothing for, e.g. a renamed one. */
	lend(key: string, memory: SubscriptionMemory): void {
		const known = this.pending.get(key);
		if (known !== undefined && memory.webhookId === undefined) Object.assign(memory, known.memory);
	}

	/** Ends the removal of a webhook that the node uses further on; another one is removed all the same. */
	settle(key: string, webhookId: string | undefined): void {
		const known = this.pending.get(key);
		if (known === undefined) return;
		if (known.memory.webhookId === webhookId) this.pending.delete(key);
		else known.isReplaced = true;
	}
}

/** State of this process; docs/architecture.md lists all of it. */
export const pendingRemovals = new PendingRemovals();

/** `sandbox.act`: plays the people behind a transaction, for tests and benchmarks. */

import { ACTION_NAMES, type ActionName, type ActionOptions } from './actionNames.mts';
import { completeTransaction } from './forceComplete.mts';
import { setCompliance, type ReviewedCompliance } from './notaryAccounts.mts';
import { performAction } from './performAction.mts';
import { addNotary, type NewNotary } from '../domain/notaries.mts';
import type { Deliveries } from '../domain/webhooks/deliveries.mts';
import type { Notary, Transaction, World } from '../world/world.mts';

/** @throws ActionNotPossible with the reason */
type Act = (transactionId: string, options?: ActionOptions) => Promise<void>;

export interface Actions extends Record<ActionName, Act> {
	/**
	 * Takes a sent transaction to its end: all signers sign, then the notary completes it where one
	 * is needed. What is signed on paper is signed there.
	 */
	complete(transactionId: string): Promise<void>;
	/**
	 * Adds a notary to the account (docs/service/webhooks.md#events-of-notaries).
	 * @returns the notary's id
	 */
	addNotary(notary?: NewNotary): string;
	/** Ends a review of a notary of the account. */
	setCompliance(notaryId: string, compliance: ReviewedCompliance): void;
	/**
	 * Sends a delivery once more, because "at least once" allows the service to
	 * (docs/service/webhooks.md#retries).
	 * @returns false when there is no such delivery
	 */
	redeliver(deliveryId: string): Promise<boolean>;
}

export function createActions(world: World, deliveries: Deliveries): Actions {
	const find = (id: string): Transaction => {
		const transaction = world.transactions.get(id);
		if (transaction === undefined) throw new Error(`The sandbox has no transaction ${id}`);
		return transaction;
	};
	const findNotary = (id: string): Notary => {
		const notary = world.notaries.find((entry) => entry.id === id);
		if (notary === undefined) throw new Error(`The sandbox has no notary ${id}`);
		return notary;
	};
	const actions = Object.fromEntries(
		ACTION_NAMES.map((name): [ActionName, Act] => [
			name,
			async (id, options = {}) => await performAction(world, find(id), name, options),
		]),
	) as Record<ActionName, Act>;
	return {
		...actions,
		async complete(id) {
			await completeTransaction(world, find(id));
		},
		addNotary: (notary) => addNotary(world, notary).id,
		setCompliance: (id, compliance) => setCompliance(world, findNotary(id), compliance),
		redeliver: async (id) => await deliveries.redeliver(id),
	};
}

/**
 * When a transaction expires: `expiry` or `expiration_time`
 * (docs/service/transactions.md#creation-fields).
 */

import { refuse } from './refusal.mts';
import { STATES } from './states.mts';
import { isFinished, move } from './transitions.mts';
import type { Fields, Transaction, World } from '../world/world.mts';

const expiryOf = ({ expiry, expiration_time }: Fields): unknown => expiry ?? expiration_time;

/** @throws Refusal 422 for an expiry in the past */
export function checkExpiry(world: World, fields: Fields): void {
	const expiry = expiryOf(fields);
	if (expiry !== undefined && expiry !== null && Date.parse(String(expiry)) <= world.clock.now())
		refuse('expiry lies in the past');
}

/** Lets the transaction expire at the time that its fields name. */
export function scheduleExpiry(world: World, transaction: Transaction): void {
	const expiry = expiryOf(transaction.fields);
	if (typeof expiry !== 'string') return;
	world.clock.later(Date.parse(expiry) - world.clock.now(), () => {
		// An update may have moved the date, and the transaction may have been deleted.
		const moved = expiryOf(transaction.fields) !== expiry;
		if (moved || isFinished(transaction) || !world.transactions.has(transaction.id)) return;
		expire(world, transaction);
	});
}

export function expire(world: World, transaction: Transaction): void {
	move(world, transaction, STATES.expired, 'expired');
	world.emit('transaction.expired', transaction);
}

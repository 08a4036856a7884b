/**
 * From when on and until when a transaction can be signed, and what happens at the end
 * (docs/service/transactions.md#creation-fields, docs/service/transactions.md#times).
 */

import { refuse } from './refusal.mts';
import { STATES } from './states.mts';
import { isFinished, move } from './transitions.mts';
import type { Platform, Transaction, World } from '../world/world.mts';

type Timed = Pick<Transaction, 'platform' | 'fields'>;

const DAY_MS = 86_400_000;

/** The sandbox's account is in UTC, which is where a time without an offset is read. */
function parseTime(text: string): number {
	const hasOffset = /(Z|[+-]\d\d:?\d\d)$/i.test(text);
	return Date.parse(/T/i.test(text) && !hasOffset ? `${text}Z` : text);
}

const startOfDay = (time: number) => Math.floor(time / DAY_MS) * DAY_MS;

function timeOf(value: unknown, platform: Platform, moved: (time: number) => number) {
	if (typeof value !== 'string') return undefined;
	const time = parseTime(value);
	return platform === 'realEstate' ? moved(time) : time;
}

/** The end of the signing period, in milliseconds since 1970. A closing ends at 23:59:59. */
export function expiryOf({ platform, fields }: Timed): number | undefined {
	return timeOf(
		fields.expiry ?? fields.expiration_time,
		platform,
		(time) => startOfDay(time) + DAY_MS - 1000,
	);
}

/**
 * From when on the signer may sign and meet the notary, in milliseconds since 1970. Before it,
 * signers can only read. A closing begins at 00:00.
 */
export function activationOf({ platform, fields }: Timed): number | undefined {
	return timeOf(fields.activation_time, platform, startOfDay);
}

/** @throws Refusal 422 for an end in the past */
export function checkExpiry(world: World, transaction: Timed): void {
	const expiry = expiryOf(transaction);
	if (expiry !== undefined && expiry <= world.clock.now()) refuse('expiry lies in the past');
}

/** Lets the transaction expire at the end of its signing period. */
export function scheduleExpiry(world: World, transaction: Transaction): void {
	const expiry = expiryOf(transaction);
	if (expiry === undefined) return;
	world.clock.later(expiry - world.clock.now(), () => {
		// An update may have moved the date, and the transaction may have been deleted.
		const moved = expiryOf(transaction) !== expiry;
		if (moved || isFinished(transaction) || !world.transactions.has(transaction.id)) return;
		expire(world, transaction);
	});
}

export function expire(world: World, transaction: Transaction): void {
	move(world, transaction, STATES.expired, 'expired');
	world.emit('transaction.expired', transaction);
}

/** Ids of transactions, documents, signers, ...: the same in each run with the same seed. */

import { createHash } from 'node:crypto';

/**
 * The prefixes of docs/service/README.md#identifiers, where webhooks have no underscore. `dl` is
 * for the deliveries in the console, which the service does not have.
 */
export type IdKind = 'ot_' | 'do_' | 'oc_' | 'me_' | 'us_' | 'wh' | 'dl';

/** @returns a function that gives the next id of a kind */
export function createIds(seed: string): (kind: IdKind) => string {
	const counts = new Map<IdKind, number>();
	return (kind) => {
		const count = (counts.get(kind) ?? 0) + 1;
		counts.set(kind, count);
		const text = `${seed}/${kind}/${count}`;
		return kind + (kind === 'do_' ? uuidOf(text) : hash(text).slice(0, 20));
	};
}

/** A UUID that is the same for the same text. */
export function uuidOf(text: string): string {
	const digits = hash(text);
	const variant = '89ab'[parseInt(digits[16], 16) % 4];
	return [
		digits.slice(0, 8),
		digits.slice(8, 12),
		`4${digits.slice(13, 16)}`,
		`${variant}${digits.slice(17, 20)}`,
		digits.slice(20, 32),
	].join('-');
}

const hash = (text: string) => createHash('sha256').update(text).digest('hex');

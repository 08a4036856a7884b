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
		return (
			kind + createHash('sha256').update(`${seed}/${kind}/${count}`).digest('hex').slice(0, 20)
		);
	};
}

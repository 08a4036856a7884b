import { createHash } from 'node:crypto';

/**
 * Prefixes of gaps.md §1; webhooks have no underscore. `dl` numbers the sandbox's own list of
 * deliveries.
 */
export type IdKind = 'ot_' | 'do_' | 'oc_' | 'me_' | 'us_' | 'wh' | 'dl';

/** Ids from a seed: the same run gives the same ids. */
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

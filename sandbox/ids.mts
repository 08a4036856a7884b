import { createHash } from 'node:crypto';

/** Prefixes of gaps.md §1; webhooks have no underscore. */
export type IdKind = 'ot_' | 'do_' | 'oc_' | 'me_' | 'us_' | 'wh';

/** Ids from a seed: the same run gives the same ids. */
export function createIds(seed: string): (kind: IdKind) => string {
	let count = 0;
	return (kind) => kind + createHash('sha256').update(`${seed}/${kind}/${count++}`).digest('hex').slice(0, 20);
}

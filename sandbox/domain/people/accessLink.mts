/** The link by which a signer opens a transaction (docs/service/signers.md#signer-answer). */

import { createHash } from 'node:crypto';

import { isDraft } from '../transitions.mts';
import type { Signer, Transaction, World } from '../../world/world.mts';

/** Whoever has the link can open the transaction. It is empty while the transaction is a draft. */
export function accessLink(world: World, transaction: Transaction, { id }: Signer): string {
	if (isDraft(transaction)) return '';
	const token = createHash('sha256').update(`access/${transaction.id}/${id}`).digest('hex');
	return `${world.origin()}/access/${token.slice(0, 32)}`;
}

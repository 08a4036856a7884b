/** How documents are signed: online, before a notary, on paper. */

import type { Document, Transaction } from '../world/world.mts';

export function isNotarized({ requirement, flags }: Document): boolean {
	return requirement === 'notarization' || flags.notarization_required === true;
}

export function needsNotary({ documents }: Transaction): boolean {
	return documents.some(isNotarized);
}

/**
 * Some documents of a hybrid closing are e-signed, the rest are signed on paper (the types
 * hybrid_... of docs/service/closings.md#transaction-types).
 */
export function isHybrid({ fields }: Pick<Transaction, 'fields'>): boolean {
	return String(fields.transaction_type ?? '').startsWith('hybrid_');
}

import type { Transaction } from '../state/world.mts';

/** Where a transaction ends (gaps.md §5, detailed_status). */

/**
 * Some documents are e-signed, the rest are signed on paper (gaps.md §3, transaction_type
 * hybrid_...).
 */
export function isHybrid({ fields }: Pick<Transaction, 'fields'>): boolean {
	return String(fields.transaction_type ?? '').startsWith('hybrid_');
}

/** detailed_status of a transaction whose documents are all done (gaps.md §5). */
export function outcomeOf({ fields, onPaper, documents }: Transaction): string {
	if (onPaper === true || fields.transaction_type === 'wet_sign') return 'wet_sign_complete';
	const identityOnly =
		documents.length > 0 &&
		documents.every(({ requirement }) => requirement === 'identity_confirmation');
	return identityOnly ? 'identify_complete_idv_passed' : 'complete';
}

import type { Notary, Transaction, World } from '../state/world.mts';

/**
 * Notaries of the account at the start; the first compliant one takes meetings unless notary_id
 * names another.
 */
export const NOTARIES: Notary[] = [
	{
		id: 'us_nora_notary',
		name: 'Nora Notary',
		email: 'nora@notaries.example',
		state: 'MA',
		county: 'Suffolk County',
		registration: '7712093',
		compliance: 'compliant',
	},
	{
		id: 'us_oscar_oath',
		name: 'Oscar Oath',
		email: 'oscar@notaries.example',
		state: 'TX',
		county: 'Travis County',
		registration: '1300442',
		compliance: 'compliant',
	},
];

/** Who takes the meeting of a transaction (gaps.md §3, notary_id). */
export function notaryOf({ notaries }: World, { fields }: Transaction): Notary {
	return (
		notaries.find(({ id }) => id === fields.notary_id) ??
		notaries.find(({ compliance }) => compliance === 'compliant') ??
		notaries[0]
	);
}

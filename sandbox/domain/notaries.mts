/**
 * Which notary of the account takes the meeting of a transaction
 * (docs/service/notarization.md#notaries-of-a-transaction).
 */

import { Refusal } from './refusal.mts';
import type { Fields, Notary, Transaction, World } from '../world/world.mts';

/** @throws Refusal 422 when notary_id isn't one of the account's notaries */
export function checkNotary(world: World, { notary_id: id }: Fields): void {
	if (id !== undefined && id !== null && !world.notaries.some((notary) => notary.id === id))
		throw new Refusal(422, `notary_id ${id} does not exist`);
}

/** The notary that notary_id names, else the first compliant one. */
export function notaryOf({ notaries }: World, { fields }: Transaction): Notary {
	return (
		notaries.find(({ id }) => id === fields.notary_id) ??
		notaries.find(({ compliance }) => compliance === 'compliant') ??
		notaries[0]
	);
}

/**
 * The notaries of the account (docs/service/notarization.md#add-a-notary), and which of them takes
 * the meeting of a transaction (docs/service/notarization.md#notaries-of-a-transaction).
 */

import { Refusal } from './refusal.mts';
import type { Fields, Notary, Transaction, World } from '../world/world.mts';

export interface NewNotary {
	/** By default, the parent. */
	organization?: string;
	name?: string;
	email?: string;
	state?: string;
	county?: string;
}

/** Adds a notary to the account (notary.created), who has yet to be found compliant. */
export function addNotary(
	world: World,
	{
		organization = world.parent,
		name = 'Paula Public',
		email,
		state = 'FL',
		county = 'Orange County',
	}: NewNotary = {},
): Notary {
	const id = world.newId('us_');
	const mailbox = email ?? `${name.split(' ')[0].toLowerCase()}@notaries.example`;
	const notary: Notary = {
		id,
		organization,
		name,
		email: mailbox,
		state,
		county,
		registration: String(2_000_000 + world.notaries.length),
		compliance: 'created',
	};
	world.notaries.push(notary);
	world.emitNotary('notary.created', notary);
	return notary;
}

/** @throws Refusal 422 when notary_id isn't one of the account's notaries */
export function checkNotary(world: World, { notary_id: id }: Fields): void {
	if (id !== undefined && id !== null && !world.notaries.some((notary) => notary.id === id))
		throw new Refusal(422, `notary_id ${id} does not exist`);
}

/** The notaries who can take the meeting: those of its organization who are compliant. */
export function eligibleNotaries(
	{ notaries, parent }: World,
	{ organization }: Transaction,
): Notary[] {
	return notaries.filter(
		(notary) =>
			notary.compliance === 'compliant' &&
			(notary.organization === organization || notary.organization === parent),
	);
}

/** The notary that notary_id names, else the first compliant one. */
export function notaryOf({ notaries }: World, { fields }: Transaction): Notary {
	return (
		notaries.find(({ id }) => id === fields.notary_id) ??
		notaries.find(({ compliance }) => compliance === 'compliant') ??
		notaries[0]
	);
}

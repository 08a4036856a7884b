/**
 * The notaries of the account: they join and are reviewed. Only a compliant notary takes meetings
 * (docs/service/webhooks.md#events-of-notaries, docs/service/notarization.md#list-notaries).
 */

import type { Compliance, Notary, World } from '../world/world.mts';

export interface NewNotary {
	name?: string;
	email?: string;
	state?: string;
	county?: string;
}

/** The outcomes of a review. Each is announced by an event of the same name. */
export type ReviewedCompliance = Exclude<Compliance, 'created'>;
export const REVIEWED_COMPLIANCE: readonly ReviewedCompliance[] = [
	'needs_review',
	'compliant',
	'non_compliant',
];

/** Adds a notary to the account (notary.created), who has yet to be found compliant. */
export function addNotary(
	world: World,
	{ name = 'Paula Public', email, state = 'FL', county = 'Orange County' }: NewNotary = {},
): Notary {
	const id = world.newId('us_');
	const mailbox = email ?? `${name.split(' ')[0].toLowerCase()}@notaries.example`;
	const notary: Notary = {
		id,
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

/** Ends a review: notary.needs_review, notary.compliant or notary.non_compliant. */
export function setCompliance(world: World, notary: Notary, compliance: ReviewedCompliance): void {
	notary.compliance = compliance;
	world.emitNotary(`notary.${compliance}`, notary);
}

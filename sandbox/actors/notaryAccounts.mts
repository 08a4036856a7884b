import type { Compliance, Notary, World } from '../state/world.mts';

/**
 * Notaries of the account: they join and are reviewed (gaps.md §8, notary.). A notary who is not
 * compliant takes no meeting.
 */

export interface NewNotary {
	name?: string;
	email?: string;
	state?: string;
	county?: string;
}

/** The outcomes of a review; each is an event of the same name. */
export type Verdict = Exclude<Compliance, 'created'>;
export const VERDICTS: readonly Verdict[] = ['needs_review', 'compliant', 'non_compliant'];

/**
 * A notary joins the account: notary.created. Until a review finds them compliant they take no
 * meeting.
 */
export function joinNotary(
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

/** The account reviews a notary: notary.needs_review, notary.compliant, notary.non_compliant. */
export function judgeNotary(world: World, notary: Notary, verdict: Verdict): void {
	notary.compliance = verdict;
	world.emitNotary(`notary.${verdict}`, notary);
}

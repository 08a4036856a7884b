/**
 * The notaries of the account are reviewed. Only a compliant notary takes meetings
 * (docs/service/webhooks.md#events-of-notaries, docs/service/notarization.md#list-notaries).
 */

import type { Compliance, Notary, World } from '../world/world.mts';

/** The outcomes of a review. Each is announced by an event of the same name. */
export type ReviewedCompliance = Exclude<Compliance, 'created'>;
export const REVIEWED_COMPLIANCE: readonly ReviewedCompliance[] = [
	'needs_review',
	'compliant',
	'non_compliant',
];

/** Ends a review: notary.needs_review, notary.compliant or notary.non_compliant. */
export function setCompliance(world: World, notary: Notary, compliance: ReviewedCompliance): void {
	notary.compliance = compliance;
	world.emitNotary(`notary.${compliance}`, notary);
}

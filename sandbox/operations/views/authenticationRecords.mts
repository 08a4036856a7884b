/** Records of identity checks (docs/service/signers.md#e-signature-authentication-records). */

import type { Fields, Identity } from '../../world/world.mts';

type FailedCheck = Record<'check' | 'category' | 'reason' | 'verification_type', string>;

const KNOWLEDGE: FailedCheck = {
	check: 'knowledge_based_authentication',
	category: 'kba_mismatch',
	reason: 'The knowledge-based questions were not answered correctly',
	verification_type: 'id',
};
const SELFIE: FailedCheck = {
	check: 'selfie_comparison',
	category: 'user_action_required',
	reason: 'The selfie does not show the person on the photo ID',
	verification_type: 'selfie',
};
const CREDENTIALS: FailedCheck = {
	check: 'credential_analysis',
	category: 'ineligible_id',
	reason: 'The identity could not be confirmed',
	verification_type: 'id',
};

/**
 * One record for each kind of check that a signer has failed last, or one that says that all were
 * passed. undefined for a signer of whom none was asked, or who has not begun.
 */
export function authenticationRecords(identity: Identity | undefined): Fields[] | undefined {
	const { knowledge, selfie, credentials } = identity ?? {};
	const failed = [
		knowledge === 'failed' && KNOWLEDGE,
		selfie === 'failed' && SELFIE,
		credentials === 'failed' && CREDENTIALS,
	].filter((check) => check !== false);
	if (failed.length > 0) return failed.map(failedRecord);
	// Photo IDs are looked at in every signing; by itself that is no identity check.
	const isPassed = knowledge === 'passed' || selfie === 'passed';
	return isPassed ? [{ status: 'success', verified: true, failure_reasons: [] }] : undefined;
}

function failedRecord({ check, category, reason, verification_type }: FailedCheck): Fields {
	return {
		status: 'failure',
		verified: false,
		verified_at: null,
		failure_reasons: [{ check, category, reasons: [reason], required: true, verification_type }],
	};
}

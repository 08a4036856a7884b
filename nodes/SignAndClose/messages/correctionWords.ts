import type { CorrectionStands } from '../transport/failure/failure';

/* Words for corrections of signers: what would be lost, and where the transaction stands. */

/** Settings that no answer shows, by their names in requests, as people call them. */
const SETTINGS: Readonly<Record<string, string>> = {
	assurance_requirement: 'identity checks',
	order: 'signing order',
	dob: 'date of birth',
	entity: 'capacity',
	notary_id: 'notary',
	recipient_group: 'shared inbox',
	suppress_communications: 'suppressed messages',
	primary_id_allow_list_by_country: 'accepted IDs',
	secondary_id_allow_list_by_country: 'accepted IDs',
	verify_tools_configuration: 'verification tools',
	verify_tool_configuration: 'verification tools',
	require_new_signer_verification: 'new signer verification',
};

/**
 * Names settings, each once: a, b and c.
 * @param names of the fields of requests
 */
export function namesOfSettings(names: string[]): string {
	const each = [...new Set(names.map((name) => SETTINGS[name] ?? name.replace(/_/g, ' ')))];
	const last = each.pop() ?? '';
	return each.length === 0 ? last : `${each.join(', ')} and ${last}`;
}

/** What to do about a transaction that is a draft now, and isn't to stay one. */
const GO_ON = "Run this again: it goes on from here. Or send it as it is with 'Transaction: Send'";

/** Where a transaction stands after a correction that was interrupted, and what to do. */
export const STANDS: Record<CorrectionStands, [stands: string, remedy: string]> = {
	recalling: [
		'Nobody knows whether the transaction is recalled',
		"Look at the transaction. If it's a draft, its signers can't sign. Run this again: it goes on from there",
	],
	recalled: ['The transaction is recalled, and not sent again yet', GO_ON],
	correcting: [
		'The transaction is recalled, and nobody knows whether the signer is corrected',
		'Run this again: it looks first, and goes on from there',
	],
	corrected: ['The transaction is recalled and corrected, and not sent again yet', GO_ON],
	sending: [
		'The transaction is recalled and corrected, and may be sent again already',
		'Run this again: it looks first, and goes on from there',
	],
	restored: [
		"The transaction was recalled and is sent again, and the service doesn't show the correction",
		'Run this again when the cause is mended',
	],
	restoring: [
		'The transaction was recalled, the signer is not corrected, and nobody knows whether the transaction is sent again',
		'Run this again: it looks first, and goes on from there',
	],
};

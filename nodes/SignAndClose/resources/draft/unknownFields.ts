import type { IDataObject } from 'n8n-workflow';

import { asObjects } from '../../values/json';
import { isBlank } from '../../values/comparison';
import { BUSINESS_FIELDS, CLOSING_FIELDS, CONTACT_PARTS, SIGNER_FIELDS } from './requestFields';

/* What answers show and nothing here knows, so that no request writes it back. */

/** The names in a text, which blanks separate. */
const splitNames = (list: string) => list.split(/\s+/);

/**
 * Fields of answers that need not be written back: the service makes them, or a request has another
 * name for them (docs/service/transactions.md#answer-fields).
 */
const KNOWN_OF_CLOSING: ReadonlySet<string> = new Set([
	...Object.keys({ ...BUSINESS_FIELDS, ...CLOSING_FIELDS }),
	...splitNames(
		`id organization_id status detailed_status status_description order_progress date_created
		date_updated documents signers signer_info cosigner_info attachments audit_trail_url
		charge_statement_url identity_report cost recall_reason referral_campaign_id referral_code
		notarization_record notarization_records sender_name sender_logo default_text_tag_syntax
		eo_transaction_id lender title_underwriter title_agency recording_jurisdiction
		underwriter_override`,
	),
]);

/** The same for a contact (docs/service/closings.md#contacts). */
const KNOWN_OF_CONTACT: ReadonlySet<string> = new Set([
	...CONTACT_PARTS,
	...splitNames('id contact_id date_created date_updated'),
]);

/** The same for a signer (docs/service/signers.md#signer-answer). */
const KNOWN_OF_SIGNER: ReadonlySet<string> = new Set([
	...Object.keys(SIGNER_FIELDS),
	...splitNames(
		`id signer_id link_expired transaction_access_link sdk_token signing_status credential_assets
		esign_authentication_records`,
	),
]);

const listUnknownFields = (knownNames: ReadonlySet<string>, answers: IDataObject[]) => [
	...new Set(
		answers.flatMap((answer) =>
			Object.keys(answer).filter((name) => !knownNames.has(name) && !isBlank(answer[name])),
		),
	),
];

/**
 * Names what is set in a closing and its contacts, and isn't known here, so that nothing sends it.
 * @param fields what a request sets by itself
 */
export const listUnknownClosingFields = (
	closing: IDataObject,
	fields: IDataObject = {},
): string[] => [
	...listUnknownFields(KNOWN_OF_CLOSING, [closing]).filter((name) => !(name in fields)),
	...('contacts' in fields ? [] : listUnknownFields(KNOWN_OF_CONTACT, asObjects(closing.contacts))),
];

/** Names what is set of signers, and isn't known here. */
export const listUnknownSignerFields = (signers: IDataObject[], assuranceField: string): string[] =>
	listUnknownFields(new Set([...KNOWN_OF_SIGNER, assuranceField]), signers);

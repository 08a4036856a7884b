import { id, TITLE } from '../closing.mts';

/**
 * Values for every field that a person can fill in, in the form in which the editor stores them.
 */

export const SIGNER_DETAILS = {
	address_line1: '12 Elm Street',
	address_line2: 'Unit 4',
	address_city: 'Boston',
	address_state: 'MA',
	address_postal: '02110',
	address_country: 'US',
	capacity: 'Trustee',
	entity: 'Harbor Street Trust',
	dob: '1980-05-17',
	notary_id: id('us_nora_notary'),
	order: 1,
	country_code: '1',
	signingRequirement: 'esign',
	vestingType: 'borrower',
	additionalJson: '{}',
};
export const CHECKS = ['selfie', 'knowledge', 'sms'];
/** A row of signers. */
export const signer = (name: string) => ({
	email: `${name}@example.com`,
	first_name: 'Jane',
	middle_name: 'Ann',
	last_name: 'Borrower',
	phone_number: '(617) 555-0123',
	external_id: name,
	identityChecks: CHECKS,
	details: SIGNER_DETAILS,
});
/** A row of signers in which a group signs. */
export const group = {
	first_name: 'Loan',
	last_name: 'Desk',
	phone_number: '(617) 555-0124',
	external_id: 'desk',
	details: { order: 2, shared_inbox_email: 'desk@example.com' },
};
export const CONTACTS = {
	row: [
		{
			role: 'title_agent',
			email: 'a@title.example',
			first_name: 'Sam',
			last_name: 'Officer',
			phone_number: '6175550100',
			organization_name: 'Harbor Title',
			contactDetails: {
				access_to_transaction: true,
				organization_line1: '1 Main Street',
				organization_line2: 'Floor 3',
				organization_city: 'Boston',
				organization_state: 'ma',
				organization_postal: '02110',
				organization_country: 'us',
				shown_to_signer: true,
			},
		},
		{
			role: 'other',
			email: 'b@title.example',
			first_name: 'Ann',
			last_name: 'Other',
			contactDetails: { access_to_transaction: false, shown_to_signer: false, title: 'Trustee' },
		},
	],
};
const GROUPS = { row: [{ name: 'either', min_required: 1, max_required: 1 }] };

/** Fields of both platforms. */
const SHARED_FIELDS = {
	// Past, because signers can only read before it.
	activation_time: '2024-01-01T12:00:00',
	cc_recipient_emails: ['files@example.com'],
	message_signature: 'The team',
	message_subject: 'Sign',
	notary_id: id('us_nora_notary'),
	notary_instructions: ['Ring twice'],
	notary_meeting_time: '2098-02-01T12:00:00',
	redirect_message: 'Back',
	redirect_url: 'https://example.com/back',
	require_new_signer_verification: true,
};
/** Fields of new closings and of changes. */
const SHARED_CLOSING_FIELDS = {
	...SHARED_FIELDS,
	contacts: CONTACTS,
	expiration_time: '2099-01-01T12:00:00',
	external_id: 'case-1',
	file_number: 'F-1',
	loan_number: '77',
	message_to_signer: 'Hello',
	organization_id: 'or_harbor',
	paper_note_consent: true,
	country: 'us',
	require_secondary_photo_id: true,
};
export const CLOSING_FIELDS = {
	...SHARED_CLOSING_FIELDS,
	jurisdiction_eligibility_consent: true,
	skip_closing_ops: true,
};
export const BUSINESS_FIELDS = {
	...SHARED_FIELDS,
	authentication_requirement: 'sms',
	expiry: '2099-01-01T12:00:00',
	external_id: 'case-2',
	message_to_signer: 'Hello',
	organization_id: 'or_harbor',
	payer: 'sender',
	require_secondary_photo_id: true,
	pdf_bookmarked: false,
	returnSigningLinks: true,
	suppress_email: true,
	transaction_type: 'Power of attorney',
};
export const DOCUMENT_FIELDS = {
	authorization_header: 'Authorization: Bearer sesame-4711',
	bundle_position: 0,
	signing_designation_groups: GROUPS,
	esign_required: true,
	identity_confirmation_required: false,
	notarization_required: true,
	customer_can_annotate: true,
	signing_requires_meeting: true,
	pdf_bookmarked: false,
	tracking_id: '1042',
	vaulted: true,
	witness_required: false,
};
/** A designation of a signer. */
const place = (name: string, x: number) => ({
	signer_identifier: name,
	type: 'checkmark',
	page: 1,
	x,
	y: 96,
	width: 20,
	height: 20,
});
/** Rows of designations, with each field in one of them. */
export const designations = (name: string) => ({
	row: [
		{
			...place(name, 72),
			details: {
				hint: 'Tick',
				instruction: 'Tick this',
				optional: true,
				primary_designation_identifier: 'more',
			},
		},
		{ ...place(name, 144), type: 'free_text', details: { conditional_on_primary: 'more' } },
		{ ...place(name, 216), details: { signing_designation_group: 'either' } },
		{ ...place('notary', 288), type: 'seal' },
	],
});

export const TIMES = {
	created_date_start: '2020-01-01T00:00:00',
	created_date_end: '2099-01-01T00:00:00',
	last_updated_date_start: '2020-01-01T00:00:00',
	last_updated_date_end: '2099-01-01T00:00:00',
};

/** Update fields of a closing. */
export const CLOSING_UPDATES = {
	...SHARED_CLOSING_FIELDS,
	...TITLE,
	street_address: {
		row: { line1: '2 Main St', line2: 'Unit 3', city: 'Boston', state: 'ma', zipCode: '02111' },
	},
	signers: { row: [signer('borrower-1'), signer('co'), group] },
};

/** Update fields of a business transaction. */
export const BUSINESS_UPDATES = {
	...BUSINESS_FIELDS,
	signers: { row: [signer('s1'), group] },
};

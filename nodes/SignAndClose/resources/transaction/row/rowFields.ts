import type { ResourceMapperFields } from 'n8n-workflow';

import { titleOf } from '../../shared/titles';
import { plainHeading } from './words';

/*
 * What a row can fill in of a new transaction. Workflows in which columns are mapped by hand store
 * the IDs.
 */

/** What a row becomes. */
export type RowKind = 'closing' | 'transaction';

/** What a column is about. */
export interface Target {
	/** A side and a number, e.g. `buyer 2`; the role of a contact; `property`; empty for other fields. */
	owner: string;
	/** A meaning of the tables of words, or the ID of a field. */
	name: string;
}

/** A field that a column of a row can fill in. */
export interface RowField {
	id: string;
	target: Target;
	/** Also a heading that is found. */
	displayName: string;
	required?: boolean;
	/** Whether it's offered at once where columns are mapped by hand. */
	isShown?: boolean;
}

/** A field that isn't a person's. */
export interface FormField extends RowField {
	/** The parameter that it replaces. */
	parameter: string;
	/** All headings that are found, as plainHeading gives them. */
	headings: string[];
}

/** What a row tells of each signer where columns are mapped by hand, and of the first one at once. */
const SIGNER =
	'email first_name last_name phone middle_name country_code external_id identity_checks ' +
	'vesting_type dob capacity entity order address_line1 address_line2 address_city address_state ' +
	'address_zip address_country';
const SHOWN_OF_FIRST = 4;
const MAPPED_SIGNERS = 4;

/** What no signer can do without. */
export const NEEDED: Readonly<Record<RowKind, readonly string[]>> = {
	closing: ['email', 'first_name', 'last_name'],
	transaction: ['email'],
};

const signers = (kind: RowKind): RowField[] =>
	Array.from({ length: MAPPED_SIGNERS }, (_, index) => index + 1).flatMap((number) =>
		SIGNER.split(' ').map((name, place) => ({
			id: `signer${number}_${name}`,
			target: { owner: `signer ${number}`, name },
			displayName: `Signer ${number} ${labelOf(name)}`,
			required: number === 1 && NEEDED[kind].includes(name),
			isShown: number === 1 && place < SHOWN_OF_FIRST,
		})),
	);

/** How messages and the form name what is told of a person. */
export const labelOf = (name: string): string => titleOf(name).replace('Address Line 1', 'Address');

const ROLES = ['title_agent', 'loan_officer', 'escrow_officer', 'real_estate_agent'];
const OF_CONTACT = ['email', 'first_name', 'last_name', 'phone', 'organization_name'];
const contacts: RowField[] = ROLES.flatMap((owner) =>
	OF_CONTACT.map((name) => ({
		id: `${owner}_${name.replace('phone', 'phone_number')}`,
		target: { owner, name },
		displayName: `${titleOf(owner)} ${titleOf(name)}`,
	})),
);

/**
 * Reads a table of fields: a line has the ID, the display name and other headings. Before the ID
 * stands ! where it's required and + where it's offered at once; behind it, the parameter
 * that isn't called the same.
 */
const table = (text: string): FormField[] =>
	text
		.trim()
		.split('\n')
		.map((line) => {
			const [named, displayName, headings] = line.trim().split(' | ');
			const [, marks, id, parameter = id] = /^([!+]*)(\w+)(?: (\w+))?$/.exec(named)!;
			return {
				id,
				target: id.startsWith('property_')
					? { owner: 'property', name: id.replace('property', 'address') }
					: { owner: '', name: id },
				displayName,
				headings: [plainHeading(displayName), ...(headings?.split(', ') ?? [])],
				parameter,
				required: marks.includes('!'),
				isShown: marks.includes('+'),
			};
		});

/** What transactions of both platforms have. */
const SHARED = `
	+transaction_name transactionName | Transaction Name | closing name, deal name
	activation_time | Activation Time
	cc_recipient_emails | CC Recipients | cc recipient emails
	external_id | External ID | case id, case number, matter number
	message_signature | Message Signature | invitation signature
	message_subject | Message Subject | invitation subject
	message_to_signer | Message to Signer | invitation message
	notary_meeting_time | Notary Meeting Time | signing time
	organization_id | Organization ID
	require_secondary_photo_id | Require Secondary Photo ID`;

/** The country comes first: state and zip code depend on it. */
const CLOSING = `
	property_country country | Property Country
	!+property_line1 addressLine1 | Property Address
	property_line2 addressLine2 | Property Address Line 2
	!+property_city addressCity | Property City
	!+property_state addressState | Property State
	+property_zip addressZipCode | Property Zip Code
	transaction_type transactionType | Transaction Type | closing type, type of closing
	+loan_number | Loan Number | loan id, loan account number
	file_number | File Number | file id, title file number, escrow number, gf number, order number, title number
	expiration_time | Closing Expiration | expiration time, closing expiration time
	paper_note_consent | Paper Note Consent | paper note
	recording_jurisdiction_id recordingJurisdictionId | Recording Jurisdiction ID | jurisdiction id
	skip_closing_ops | Skip Closing Team | skip closing ops
	title_agency_id titleAgencyId | Title Agency ID
	title_underwriter_id titleUnderwriterId | Title Underwriter ID | underwriter id`;

const TRANSACTION = `
	expiry | Transaction Expiration | transaction expiry
	transaction_type | Transaction Type | type of transaction`;

/** The fields of each kind of row that aren't a person's. */
export const FORM_FIELDS: Readonly<Record<RowKind, readonly FormField[]>> = {
	closing: table(CLOSING + SHARED),
	transaction: table(TRANSACTION + SHARED),
};

/** The fields of each kind of row. */
export const ROW_FIELDS: Readonly<Record<RowKind, readonly RowField[]>> = {
	closing: [...signers('closing'), ...FORM_FIELDS.closing, ...contacts],
	transaction: [...signers('transaction'), ...FORM_FIELDS.transaction],
};

/**
 * Lists the fields for n8n's mapping by hand. They're all texts: n8n would refuse other ones in words
 * of its own, and takes neither 'Massachusetts' nor 'yes'.
 */
const mappingOf = (kind: RowKind) => async (): Promise<ResourceMapperFields> =>
	await Promise.resolve({
		fields: ROW_FIELDS[kind].map((field) => ({
			id: field.id,
			displayName: field.displayName,
			required: field.required === true,
			defaultMatch: false,
			display: true,
			type: 'string',
			...(!field.isShown && { removed: true }),
		})),
	});

export const getClosingColumns = mappingOf('closing');
export const getTransactionColumns = mappingOf('transaction');

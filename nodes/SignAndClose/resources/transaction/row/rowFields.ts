import type { INodePropertyOptions, ResourceMapperField } from 'n8n-workflow';

import { titleOf } from '../../shared/fields';
import { STATES } from '../../shared/places';
import { transactionTypes } from '../../shared/transactionType';
import { CONTACT_FIELDS, SIGNER_FIELDS } from './words';

/*
 * What a row can fill in of a new transaction. The IDs are stored in workflows, in which columns are
 * mapped by hand, so they never change.
 */

/** What a row becomes. */
export type RowKind = 'closing' | 'transaction';

/** A field that a column of a row can fill in. */
export interface RowField {
	id: string;
	displayName: string;
	/**
	 * The parameter that it replaces, with the name of its collection if it's in one. Those of signers,
	 * contacts and the address of a signer have none.
	 */
	parameter?: string;
	collection?: 'additionalFields';
	/** What sheets call it besides its ID and name, in the form that `plainHeading` gives. */
	headings?: string[];
	type?: ResourceMapperField['type'];
	options?: INodePropertyOptions[];
	required?: true;
	/** Offered only on demand where columns are mapped by hand. */
	rare?: true;
}

/** What a signer can't do without in a row. */
export const NEEDED: Readonly<Record<RowKind, readonly string[]>> = {
	closing: ['email', 'first_name', 'last_name'],
	transaction: ['email'],
};

/** What the first signer shows at once where columns are mapped by hand. */
const OFTEN = new Set(['email', 'first_name', 'last_name', 'phone']);

/** How many signers can be mapped by hand. By name, a row can have as many as a transaction. */
const MAPPED_SIGNERS = 4;

/** The field of a row for a signer, counted from 1. */
export const signerField = (number: number, name: string): RowField => ({
	id: `signer${number}_${name}`,
	displayName: `Signer ${number}: ${SIGNER_FIELDS[name][0]}`,
	...(!(number === 1 && OFTEN.has(name)) && { rare: true }),
});

/** The field of a row for a contact. */
export const contactField = (role: string, name: string): RowField => ({
	id: `${role}_${name}`,
	displayName: `${titleOf(role)}: ${titleOf(name)}`,
	rare: true,
});

/** A column with the whole name isn't mapped by hand: it may be split wrongly. */
const withoutName = (names: Iterable<string>) => [...names].filter((name) => name !== 'name');

/** The signers that can be mapped by hand, with what is shown of the first one apart. */
function signersOf(kind: RowKind): { often: RowField[]; others: RowField[] } {
	const all = Array.from({ length: MAPPED_SIGNERS }, (_, index) =>
		withoutName(Object.keys(SIGNER_FIELDS)).map((name): RowField => ({
			...signerField(index + 1, name),
			...(index === 0 && NEEDED[kind].includes(name) && { required: true }),
		})),
	).flat();
	return { often: all.filter(({ rare }) => !rare), others: all.filter(({ rare }) => rare) };
}

const CONTACT_ROLES = ['title_agent', 'loan_officer', 'escrow_officer', 'real_estate_agent'];
const contacts = CONTACT_ROLES.flatMap((role) =>
	withoutName(CONTACT_FIELDS).map((name) => contactField(role, name)),
);

/** A field that replaces a parameter of the form. */
const field = (
	id: string,
	displayName: string,
	parameter: string,
	more: Partial<RowField> = {},
): RowField => ({ id, displayName, parameter, ...more });

/** An additional field, mostly under its name in the form. */
const additional = (
	id: string,
	displayName: string,
	headings: string[] = [],
	more: Partial<RowField> = {},
): RowField =>
	field(id, displayName, id, { collection: 'additionalFields', headings, rare: true, ...more });

const states: INodePropertyOptions[] = STATES.map(([value, name]) => ({
	name: `${name} (${value})`,
	value,
}));

const address: RowField[] = [
	field('property_address', 'Property: Street Address', 'addressLine1', { required: true }),
	additional('property_address_line2', 'Property: Street Address Line 2', [], {
		parameter: 'addressLine2',
	}),
	field('property_city', 'Property: City', 'addressCity', { required: true }),
	field('property_state', 'Property: State', 'addressState', {
		type: 'options',
		options: states,
		required: true,
	}),
	field('property_zip', 'Property: Zip Code', 'addressZipCode'),
	additional('property_country', 'Property: Country', [], { parameter: 'country' }),
];

const name = field('transaction_name', 'Transaction Name', 'transactionName', {
	headings: ['closing name', 'deal name'],
});

const EXTERNAL_ID = ['reference', 'reference number', 'case id', 'case number', 'matter number'];

/** What transactions of both platforms have. */
const shared: RowField[] = [
	additional('activation_time', 'Activation Time'),
	additional('cc_recipient_emails', 'CC Recipients', ['cc', 'cc email', 'cc emails']),
	additional('external_id', 'External ID', EXTERNAL_ID),
	additional('message_signature', 'Message Signature'),
	additional('message_subject', 'Message Subject', ['subject', 'email subject']),
	additional('message_to_signer', 'Message to Signer', ['message', 'note to signer']),
	additional('notary_meeting_time', 'Notary Meeting Time', ['meeting time', 'signing time']),
	additional('organization_id', 'Organization ID'),
	additional('require_secondary_photo_id', 'Require Secondary Photo ID', [], { type: 'boolean' }),
];

const FILE_NUMBER = ['file id', 'escrow number', 'gf number', 'order number', 'title number'];
const EXPIRY = ['expires', 'expiration', 'expiration date', 'expiry date', 'expires on'];

const closing: RowField[] = [
	...signersOf('closing').often,
	...address,
	name,
	field('transaction_type', 'Transaction Type', 'transactionType', {
		headings: ['closing type', 'loan purpose', 'type of closing'],
		type: 'options',
		options: transactionTypes,
		rare: true,
	}),
	additional('loan_number', 'Loan Number', ['loan id', 'loan account number'], { rare: undefined }),
	additional('file_number', 'File Number', [...FILE_NUMBER, 'title file number']),
	...signersOf('closing').others,
	...shared,
	additional('expiration_time', 'Expiration Time', [...EXPIRY, 'expiry']),
	additional('paper_note_consent', 'Paper Note Consent', ['paper note'], { type: 'boolean' }),
	additional('recording_jurisdiction_id', 'Recording Jurisdiction ID', ['jurisdiction id'], {
		parameter: 'recordingJurisdictionId',
	}),
	additional('skip_closing_ops', 'Skip Closing Team', [], { type: 'boolean' }),
	additional('title_agency_id', 'Title Agency ID', [], { parameter: 'titleAgencyId' }),
	additional('title_underwriter_id', 'Underwriter ID', [], { parameter: 'titleUnderwriterId' }),
	...contacts,
];

const transaction: RowField[] = [
	...signersOf('transaction').often,
	name,
	...signersOf('transaction').others,
	...shared,
	additional('expiry', 'Expiry', EXPIRY),
	additional('transaction_type', 'Transaction Type', ['type of transaction']),
];

/** The fields of each kind of row, those that are needed first. */
export const ROW_FIELDS: Readonly<Record<RowKind, readonly RowField[]>> = { closing, transaction };

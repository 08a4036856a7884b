import type { ResourceMapperFields } from 'n8n-workflow';

import { toTitle } from '../../../form/titles';
import { toPlainHeading } from './words';

/*
 * What a row can fill in of a new transaction. Workflows in which columns are mapped by hand store
 * the IDs.
 */

/** What a row becomes. */
export type RowKind = 'closing' | 'transaction';

/** Somebody who may sign, e.g. the second buyer, or the spouse of the first one. */
export interface Person {
	side: string;
	/** Which person of the side, from 1. A spouse has the number of the person whose spouse it is. */
	number: number;
	isSpouse: boolean;
}

/** Whose a column is: a person's, a contact's, by the role, or the `property` or `transaction`. */
export type Owner = Person | string;

export const isPerson = (owner: Owner | undefined): owner is Person => typeof owner === 'object';

export const isSameOwner = (a: Owner, b: Owner): boolean =>
	isPerson(a) && isPerson(b)
		? a.side === b.side && a.number === b.number && a.isSpouse === b.isSpouse
		: a === b;

/** What a column is about. */
export interface ColumnTarget {
	owner: Owner;
	/** A meaning of the tables of words, or the ID of a field. */
	name: string;
}

/** A field that a column of a row can fill in. */
interface RowField {
	id: string;
	target: ColumnTarget;
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
	/** All headings that are found, as toPlainHeading gives them. */
	headings: string[];
}

/** What a row tells of each signer where columns are mapped by hand, and of the first one at once. */
const SIGNER_NAMES =
	'email first_name last_name phone middle_name country_code external_id role identity_checks ' +
	'vesting_type dob capacity entity order address_line1 address_line2 address_city address_state ' +
	'address_zip address_country';
const SHOWN_OF_FIRST = 4;
const MAPPED_SIGNERS = 4;

/** What no signer can do without. */
export const REQUIRED_NAMES: Readonly<Record<RowKind, readonly string[]>> = {
	closing: ['email', 'first_name', 'last_name'],
	transaction: ['email'],
};

const defineSignerFields = (kind: RowKind): RowField[] =>
	Array.from({ length: MAPPED_SIGNERS }, (_, index) => index + 1).flatMap((number) =>
		SIGNER_NAMES.split(' ').map((name, place) => ({
			id: `signer${number}_${name}`,
			target: { owner: { side: 'signer', number, isSpouse: false }, name },
			displayName: `Signer ${number} ${formatCellLabel(name)}`,
			required: number === 1 && REQUIRED_NAMES[kind].includes(name),
			isShown: number === 1 && place < SHOWN_OF_FIRST,
		})),
	);

/** How messages and the form name what is told of a person. */
export const formatCellLabel = (name: string): string =>
	toTitle(name).replace('Address Line 1', 'Address');

const ROLES = ['title_agent', 'loan_officer', 'escrow_officer', 'real_estate_agent'];
const CONTACT_NAMES = ['email', 'first_name', 'last_name', 'phone', 'organization_name'];
const contacts: RowField[] = ROLES.flatMap((owner) =>
	CONTACT_NAMES.map((name) => ({
		id: `${owner}_${name.replace('phone', 'phone_number')}`,
		target: { owner, name },
		displayName: `${toTitle(owner)} ${toTitle(name)}`,
	})),
);

/**
 * Builds a field. Its parameter and its title are called as its ID, if nothing else is said, and what's
 * required is offered at once.
 */
function defineField(
	id: string,
	{ title = toTitle(id), headings = [], ...options }: Partial<FormField> & { title?: string } = {},
): FormField {
	const target = id.startsWith('property_')
		? { owner: 'property', name: id.replace('property', 'address') }
		: { owner: 'transaction', name: id };
	const all = [toPlainHeading(title), ...headings];
	const rest = { parameter: id, isShown: options.required, ...options };
	return { ...rest, id, target, displayName: title, headings: all };
}

/** What transactions of both platforms have. */
const SHARED_FIELDS = [
	defineField('transaction_name', {
		parameter: 'transactionName',
		headings: ['closing name', 'deal name'],
		isShown: true,
	}),
	defineField('activation_time'),
	defineField('cc_recipient_emails', { headings: ['cc recipient emails'] }),
	defineField('external_id', { headings: ['case id', 'case number', 'matter number'] }),
	defineField('message_signature', { headings: ['invitation signature'] }),
	defineField('message_subject', { headings: ['invitation subject'] }),
	defineField('message_to_signer', { headings: ['invitation message'] }),
	defineField('notary_meeting_time', { headings: ['signing time'] }),
	defineField('organization_id'),
	defineField('require_secondary_photo_id'),
];

/** The country comes first: state and zip code depend on it. */
const CLOSING_FIELDS = [
	defineField('property_country', { parameter: 'country' }),
	defineField('property_line1', {
		title: 'Property Address',
		parameter: 'addressLine1',
		required: true,
	}),
	defineField('property_line2', { title: 'Property Address Line 2', parameter: 'addressLine2' }),
	defineField('property_city', { parameter: 'addressCity', required: true }),
	defineField('property_state', { parameter: 'addressState', required: true }),
	defineField('property_zip', {
		title: 'Property Zip Code',
		parameter: 'addressZipCode',
		isShown: true,
	}),
	defineField('transaction_type', {
		parameter: 'transactionType',
		headings: ['closing type', 'type of closing'],
	}),
	defineField('loan_number', { headings: ['loan id', 'loan account number'], isShown: true }),
	defineField('file_number', {
		headings: [
			'file id',
			'title file number',
			'escrow number',
			'gf number',
			'order number',
			'title number',
		],
	}),
	defineField('expiration_time', {
		title: 'Closing Expiration',
		headings: ['expiration time', 'closing expiration time'],
	}),
	defineField('paper_note_consent', { headings: ['paper note'] }),
	defineField('recording_jurisdiction_id', {
		parameter: 'recordingJurisdictionId',
		headings: ['jurisdiction id'],
	}),
	defineField('skip_closing_ops', { title: 'Skip Closing Team', headings: ['skip closing ops'] }),
	defineField('title_agency_id', { parameter: 'titleAgencyId' }),
	defineField('title_underwriter_id', {
		parameter: 'titleUnderwriterId',
		headings: ['underwriter id'],
	}),
];

const TRANSACTION_FIELDS = [
	defineField('expiry', { title: 'Transaction Expiration', headings: ['transaction expiry'] }),
	defineField('transaction_type', { headings: ['type of transaction'] }),
];

/** The fields of each kind of row that aren't a person's. */
export const FORM_FIELDS: Readonly<Record<RowKind, readonly FormField[]>> = {
	closing: [...CLOSING_FIELDS, ...SHARED_FIELDS],
	transaction: [...TRANSACTION_FIELDS, ...SHARED_FIELDS],
};

/** The fields of each kind of row. */
export const ROW_FIELDS: Readonly<Record<RowKind, readonly RowField[]>> = {
	closing: [...defineSignerFields('closing'), ...FORM_FIELDS.closing, ...contacts],
	transaction: [...defineSignerFields('transaction'), ...FORM_FIELDS.transaction],
};

/**
 * Lists the fields for n8n's mapping by hand. They're all texts: n8n would refuse other ones in words
 * of its own, and takes neither 'Massachusetts' nor 'yes'.
 */
const defineMapping = (kind: RowKind) => async (): Promise<ResourceMapperFields> =>
	await Promise.resolve({
		fields: ROW_FIELDS[kind].map((entry) => ({
			id: entry.id,
			displayName: entry.displayName,
			required: entry.required === true,
			defaultMatch: false,
			display: true,
			type: 'string',
			...(!entry.isShown && { removed: true }),
		})),
	});

export const getClosingColumns = defineMapping('closing');
export const getTransactionColumns = defineMapping('transaction');

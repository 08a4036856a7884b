import type { INodeProperties } from 'n8n-workflow';

import {
	additionalJson,
	defineChoice,
	defineCollection,
	defineNumber,
	defineRows,
	defineText,
} from '../../form/fields';
import { defineNotaryLocator } from '../../form/locators';
import { defineCountryField, defineStateField } from '../../form/statesAndCountries';
import { identityChecks } from './identityChecks';

/*
 * The fields of signers (docs/service/signers.md#signer-fields): those that are always shown, the
 * others under Details.
 */

/** The rarely used fields of a signer. */
export const signerDetailFields: INodeProperties[] = [
	defineText('Address Line 1', 'address_line1', '12 Elm Street'),
	defineText('Address Line 2', 'address_line2', 'Unit 4'),
	defineText(
		'Capacity',
		'capacity',
		'Trustee',
		"What the signer is to the 'Entity' that they sign for. Both are needed together.",
	),
	defineText('City', 'address_city', 'Boston'),
	defineCountryField('Country', 'address_country'),
	defineText('Date of Birth', 'dob', '1980-05-17', 'Year-month-day'),
	defineText(
		'Entity',
		'entity',
		'Harbor Street Trust',
		"Trust, company or other entity that the signer signs for, with their 'Capacity'",
	),
	defineNotaryLocator(
		'notary_id',
		"The notary who meets this signer. Needs an 'Order', too, and all signers of an order have the same notary.",
	),
	defineNumber(
		'Order',
		'order',
		[1, 1],
		'When the signer signs, starting at 1. Signers with the same number sign at the same time.',
	),
	defineText('Phone Country Code', 'country_code', '1'),
	defineText('Zip Code', 'address_postal', '02110'),
	defineChoice(
		'Signing Requirement',
		'signingRequirement',
		[
			['eSign', 'esign', 'The signer signs electronically'],
			['Identify', 'identify', 'The signer proves their identity'],
			['Verify', 'verify', 'The signer passes the identity checks of the service'],
		],
		"What this signer has to do, whatever the requirements of the documents are. Use an expression for a value that isn't in the list.",
	),
	defineStateField('State', 'address_state'),
	defineChoice(
		'Vesting Type',
		'vestingType',
		[
			['Borrower', 'borrower', 'The signer owes the loan'],
			['Non-Borrower', 'non_borrower', "The signer doesn't owe the loan"],
		],
		"Whether the signer is a borrower. Choose it where it matters, because services assume different values. Use an expression for a value that isn't in the list.",
	),
	{
		...additionalJson,
		description: "Fields of the signer that the node doesn't list, as a JSON object",
	},
];

/**
 * A group that signs instead of a person (docs/service/signers.md#groups-as-signers). Rows have it,
 * because elsewhere a signer has an e-mail address in any case.
 */
const sharedInbox = defineText(
	'Shared Inbox',
	'shared_inbox_email',
	'desk@example.com',
	"Email address of a group, instead of 'Email'. One of the group claims the signing.",
);

/** All details that a row can have. */
export const rowDetailFields: INodeProperties[] = [...signerDetailFields, sharedInbox];

/** What the external ID of a signer is for, and what happens without one. */
const EXTERNAL_ID =
	"Your own ID for the signer, which designations refer to. If it's empty, the node makes one of the Role, or gives signer-1, signer-2 and so on to the signers of a new transaction.";

/** What the role of a signer is for, and what it makes of the external ID. */
const ROLE =
	'Borrower, Co-Borrower, Borrower 3, Buyer, Seller, Spouse, Trustee, Grantor or Grantee. Designations can name the signer by it. It makes an external ID such as borrower-2.';

/** What a phone number is for, and how it's written. */
const PHONE =
	"In any usual form; US numbers need no country code. Required for the text message (SMS) of 'Identity Checks'.";
const PHONE_EXAMPLE = '+1 617 555 0123';

const row: INodeProperties[] = [
	defineText(
		'Email',
		'email',
		'jane@example.com',
		"Where the service sends the signing link. Required unless the details have a 'Shared Inbox'.",
	),
	defineText('First Name', 'first_name', 'Jane'),
	defineText('Middle Name', 'middle_name', 'Ann'),
	defineText('Last Name', 'last_name', 'Borrower'),
	defineText('Phone', 'phone_number', PHONE_EXAMPLE, PHONE),
	defineText('External ID', 'external_id', 'borrower-1', EXTERNAL_ID),
	identityChecks,
	defineCollection('Details', 'details', rowDetailFields),
];

/** Builds rows of signers. @param fields of a row */
export const defineSignerRows = (
	displayName: string,
	name: string,
	description: string,
	overrides: Partial<INodeProperties> = {},
	fields = row,
): INodeProperties =>
	defineRows(displayName, name, 'Signer', fields, { description, ...overrides }, [
		'email',
		'first_name',
		'last_name',
	]);

/** Builds rows of the signers of a new transaction: those of one that's there have their external IDs. */
export const defineNewSignerRows = (description: string): INodeProperties =>
	defineSignerRows('Signers', 'signers', description, { required: true }, [
		...row,
		defineText('Role', 'role', 'Co-Borrower', ROLE),
	]);

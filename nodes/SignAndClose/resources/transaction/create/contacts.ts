import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { InputFailure } from '../../../messages/failures';
import { parseEach, parseTogether } from '../../../messages/inputFaults';
import type { Params } from '../../../run/parameters/params';
import { asObject, asText, withoutEmpty } from '../../../values/json';
import { normalizeAddress, type AddressParts } from '../../address/form';
import { parseEmail } from '../../../form/checks';
import { defineCollection, defineFlag, defineRows, defineText } from '../../../form/fields';
import { parseCollection } from '../../../form/input';
import { toTitle } from '../../../form/titles';
import { parseUsPhone } from '../../../form/phone';
import { defineCountryField, defineStateField } from '../../../form/statesAndCountries';

/* The contacts of a closing (docs/service/closings.md#contacts). */

/** The roles of contacts, and who they are (docs/service/closings.md#contact-roles). */
const ROLES: Array<[string, string]> = [
	['attorney', 'Advises or represents one of the parties'],
	['closer', 'Prepares and conducts the closing for the lender'],
	['escrow_officer', 'Holds and pays out the money of the closing'],
	['loan_officer', 'Originates the loan'],
	['loan_processor', 'Collects and checks the papers of the loan'],
	['mortgage_broker', 'Has arranged the loan'],
	['other', "Any other role. Enter it in 'Title'."],
	['real_estate_agent', 'Buys or sells the property for one of the parties'],
	[
		'title_agent',
		'Handles the title. With its organization and address, a new title agency is invited.',
	],
];

/** The role whose organization counts. */
const TITLE_AGENT = 'title_agent';

const details = defineCollection('Details', 'contactDetails', [
	{
		...defineFlag(
			'Access to Transaction',
			'access_to_transaction',
			'Whether the contact can open the transaction',
		),
		default: true,
	},
	defineText(
		'Organization Address Line 1',
		'organization_line1',
		'1 Main Street',
		"Address of a new title agency, which the service invites. Only for the role 'Title Agent'.",
	),
	defineText('Organization Address Line 2', 'organization_line2', 'Floor 3'),
	defineText('Organization City', 'organization_city', 'Boston'),
	defineCountryField('Organization Country', 'organization_country'),
	defineStateField('Organization State', 'organization_state'),
	defineText('Organization Zip Code', 'organization_postal', '02110'),
	{
		...defineFlag(
			'Shown to Signer',
			'shown_to_signer',
			'Whether signers see the contact. If turned off, only the service knows it.',
		),
		default: true,
	},
	defineText('Title', 'title', 'Trustee', "What the contact is, for the role 'Other'"),
]);

/** The fields of a contact, under the service's names. */
const contactFields: INodeProperties[] = [
	{
		displayName: 'Role',
		name: 'role',
		type: 'options',
		options: ROLES.map(([value, description]) => ({ name: toTitle(value), value, description })),
		default: TITLE_AGENT,
	},
	defineText('Email', 'email', 'orders@title.example.com'),
	defineText('First Name', 'first_name', 'Sam'),
	defineText('Last Name', 'last_name', 'Officer'),
	defineText('Phone', 'phone_number', '6175550100', 'Ten digits of a US number'),
	defineText('Organization', 'organization_name', 'Harbor Title'),
];

export const contacts = defineRows(
	'Contacts',
	'contacts',
	'Contact',
	[...contactFields, details],
	{
		description:
			'People involved in the closing. A lender needs a title agency or a contact with the role "Title Agent".',
	},
	['role', 'email', 'first_name', 'last_name'],
);

/**
 * Parses the contacts as fields of the request.
 * @returns nothing when there is no row: the field that was added without one isn't filled in, so it
 *   must not remove the contacts that are there
 * @throws InputFailure naming the row
 */
export function parseContacts(params: Params, value: unknown): IDataObject {
	const label = params.label('contacts');
	const people = parseEach(params.getRows('contacts', value), (row, index) =>
		parseContact(params, row, (field) => `${label}, entry ${index + 1}: ${field}`),
	);
	return people.length === 0 ? {} : { contacts: people };
}

function parseContact(
	params: Params,
	row: IDataObject,
	labelOf: (field: string) => string,
): IDataObject {
	const {
		email: address,
		phone_number: phone,
		...contact
	} = Object.fromEntries(contactFields.map(({ name }) => [name, params.getTextIn(row, name)]));
	const { email, digits, rights } = parseTogether({
		email: () => address && parseEmail(address, labelOf('Email')),
		digits: () => (phone === undefined ? undefined : parseUsPhone(phone, labelOf('Phone'))),
		rights: () => parseContactDetails(params, asObject(row.contactDetails), contact.role, labelOf),
	});
	return withoutEmpty({ ...contact, email, phone_number: digits, ...rights });
}

/** The parts of the organization's address. */
const ADDRESS = ['line1', 'line2', 'city', 'state', 'postal', 'country'];

/**
 * Parses the details.
 * @throws InputFailure for those that the service ignores with this role
 */
function parseContactDetails(
	params: Params,
	values: IDataObject,
	role: string | undefined,
	labelOf: (field: string) => string,
): IDataObject {
	const fields = parseCollection(params, values, details.options as INodeProperties[]);
	const { access_to_transaction: hasAccess, shown_to_signer: isShown, title } = fields;
	const addressEntries = ADDRESS.map((name) => [name, asText(fields[`organization_${name}`])]);
	const placeParts = normalizeAddress(Object.fromEntries(addressEntries) as AddressParts, (field) =>
		labelOf(`Organization ${field}`),
	);
	const address = withoutEmpty({ ...placeParts });
	const hasAddress = Object.keys(address).length > 0;
	const requireRole = (needed: string, field: string) => {
		if (role !== needed)
			throw new InputFailure(
				labelOf(field),
				`has no effect with the role '${toTitle(role ?? '')}'`,
				`Choose the role '${toTitle(needed)}', or remove '${field}'`,
			);
	};
	if (title !== undefined) requireRole('other', 'Title');
	if (hasAddress) requireRole(TITLE_AGENT, 'Organization Address');
	return {
		title,
		shown_to_signer: isShown,
		access_to_transaction: hasAccess,
		...(hasAddress && { organization_address: address }),
	};
}

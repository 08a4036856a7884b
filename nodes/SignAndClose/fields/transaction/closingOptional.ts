import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { Params } from '../../core/params';
import { withoutEmpty } from '../../service/values/json';
import {
	additionalJson,
	flag,
	longText,
	moment,
	payer,
	readCollection,
	rows,
	text,
	titleOf,
} from '../shared/builders';
import { organizationId } from '../shared/organization';

/* The optional fields of a closing (docs/service/transactions.md#creation-fields). */

/** The roles of contacts (docs/service/closings.md#contact-roles). */
const ROLES = [
	'attorney',
	'closer',
	'escrow_officer',
	'loan_officer',
	'loan_processor',
	'mortgage_broker',
	'other',
	'real_estate_agent',
	'title_agent',
];

const contacts = rows(
	'Contacts',
	'contacts',
	'Contact',
	[
		{
			displayName: 'Role',
			name: 'role',
			type: 'options',
			options: ROLES.map((value) => ({ name: titleOf(value), value })),
			default: 'title_agent',
		},
		text('Email', 'email', 'orders@title.example.com'),
		text('First Name', 'first_name', 'Sam'),
		text('Last Name', 'last_name', 'Officer'),
		text('Phone', 'phone_number', '6175550100'),
		text('Organization', 'organization_name', 'Harbor Title'),
	],
	{
		description:
			'People involved in the closing. A lender needs a title agency or a contact with the role "Title Agent".',
	},
);

/** The optional fields, for new closings and for changes. */
export const closingFields: INodeProperties[] = [
	additionalJson,
	contacts,
	moment(
		'Expiration Time',
		'expiration_time',
		'When the closing expires if it has not been completed',
	),
	text(
		'External ID',
		'external_id',
		'case-118',
		'Your own reference. The node also uses it to find the closing if the connection drops while creating it.',
	),
	text('File Number', 'file_number', 'F-2026-118'),
	flag(
		'Jurisdiction Eligibility Consent',
		'jurisdiction_eligibility_consent',
		"Whether to proceed even if the service doesn't list the jurisdiction as eligible",
	),
	text('Loan Number', 'loan_number', '7001234'),
	longText('Message to Signer', 'message_to_signer', 'Text shown to the signer in the invitation'),
	organizationId('Organization that the closing belongs to, instead of the one in the credential'),
	flag(
		'Paper Note Consent',
		'paper_note_consent',
		'Whether the note is signed on paper, so no eNote is needed',
	),
	payer,
	text('Property Country', 'country', 'US', 'Two-letter code of the country of the property'),
	flag(
		'Require Secondary Photo ID',
		'require_secondary_photo_id',
		'Whether the signer must show a second photo ID',
	),
	flag(
		'Skip Closing Team',
		'skip_closing_ops',
		'Whether to send the closing to the signer without preparation by the closing team',
	),
];

/**
 * Reads these fields.
 * @returns fields of the request, and the country of the property, which belongs to its address
 * @throws InputFailure naming the field
 */
export function readClosingFields(
	params: Params,
	values: IDataObject,
): { fields: IDataObject; country?: string } {
	const { country, ...fields } = readCollection(params, values, closingFields, {
		contacts: (value) => {
			const people = params
				.rows('contacts', value)
				.map((row) =>
					withoutEmpty(
						Object.fromEntries(Object.keys(row).map((name) => [name, params.textOf(row, name)])),
					),
				);
			// The field without a row isn't filled in, so it must not remove the contacts that are there.
			return people.length === 0 ? {} : { contacts: people };
		},
	});
	return { fields, ...(typeof country === 'string' && { country: country.toUpperCase() }) };
}

import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { Params } from '../../../run/parameters/params';
import { asBoolean } from '../../../values/booleans';
import { additionalJson, flag, longText, moment, text } from '../../shared/fields';
import { countryField, parseCountry } from '../../shared/places';
import { organizationId } from '../../shared/commonFields';
import { contacts, readContacts } from './contacts';
import { readTransactionFields, sharedFields } from './sharedOptional';

/* The optional fields of a closing (docs/service/transactions.md#creation-fields). */

/** Fields that a create takes and a change doesn't (docs/service/transactions.md#creation-fields). */
const CREATE_ONLY = new Set(['jurisdiction_eligibility_consent', 'skip_closing_ops']);

/** The optional fields of a new closing. */
export const closingFields: INodeProperties[] = [
	...sharedFields,
	additionalJson,
	contacts,
	moment(
		'Expiration Time',
		'expiration_time',
		'When the closing expires if it has not been completed. A day without a time is included.',
	),
	text(
		'External ID',
		'external_id',
		'case-118',
		'Your own reference. A closing that the node created without one has a reference of the node here (n8n-...).',
	),
	text('File Number', 'file_number', 'F-2026-118'),
	flag(
		'Jurisdiction Eligibility Consent',
		'jurisdiction_eligibility_consent',
		"Whether to proceed even if the service doesn't list the jurisdiction as eligible. The service takes this as text: if turned on, 'true' is sent. An expression may return another text.",
	),
	text('Loan Number', 'loan_number', '7001234'),
	longText(
		'Message to Signer',
		'message_to_signer',
		'Text shown to the signer in the invitation. The service removes links, images and HTML.',
	),
	organizationId('Organization that the closing belongs to, instead of the one in the credential'),
	flag(
		'Paper Note Consent',
		'paper_note_consent',
		'Whether the note is signed on paper, so no eNote is needed',
	),
	countryField('Property Country', 'country', 'Country of the property'),
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

/** The optional fields of a change. */
export const closingChanges = closingFields.filter(({ name }) => !CREATE_ONLY.has(name));

/**
 * Reads optional fields.
 * @param of those of a new closing or of a change
 * @returns fields of the request, and the country of the property, which belongs to its address
 * @throws InputFailure naming the field
 */
export function readClosingFields(
	params: Params,
	values: IDataObject,
	of = closingFields,
): { fields: IDataObject; country?: string } {
	const { country, ...fields } = readTransactionFields(params, values, of, {
		jurisdiction_eligibility_consent: (value) =>
			readConsent(
				params.textOf(
					{ jurisdiction_eligibility_consent: value as string },
					'jurisdiction_eligibility_consent',
				),
			),
		contacts: (value) => readContacts(params, value),
	});
	return {
		fields,
		...(typeof country === 'string' && { country: parseCountry(country, params.label('country')) }),
	};
}

/**
 * Reads the consent to a jurisdiction, which is a text to the service and a switch in the form
 * (docs/service/transactions.md#creation-fields). Without consent nothing is sent: nobody says what
 * the texts mean, and any of them might count as a consent.
 */
function readConsent(text: string | undefined): IDataObject {
	return text === undefined || asBoolean(text) === false || /^(0|no|n)$/i.test(text)
		? {}
		: { jurisdiction_eligibility_consent: text };
}

import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { Params } from '../../core/params';
import { asBoolean } from '../../service/values/booleans';
import { additionalJson, flag, longText, moment, payer, text } from '../shared/builders';
import { countryCode } from '../shared/checks';
import { organizationId } from '../shared/organization';
import { countryFields } from '../form/places';
import { contacts, readContacts } from './contacts';
import { readTransactionFields, sharedFields } from './sharedOptional';

/* The optional fields of a closing (docs/service/transactions.md#creation-fields). */

/** Fields that a create takes and a change doesn't. */
const CREATE_ONLY = new Set(['jurisdiction_eligibility_consent', 'skip_closing_ops']);

/** Whether the service takes a field of the form (docs/service/transactions.md#creation-fields). */
const isTaken = (name: string, change: boolean) =>
	name !== payer.name && !(change && CREATE_ONLY.has(name));

const NO_EFFECT = ' (No Effect)';

/**
 * Marks a field that isn't sent. It stays in the form for workflows that were made with an earlier
 * version and store it, so that a person can see it and remove it.
 */
function noEffect(field: INodeProperties, why: string): INodeProperties {
	const what = field.description?.replace(/\.$/, '');
	return {
		...field,
		displayName: `${field.displayName}${NO_EFFECT}`,
		description: `${what}. ${why}.`,
	};
}

/** The optional fields, for new closings and for changes. */
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
		'Your own reference. The node also uses it to find the closing if the connection drops while creating it.',
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
	noEffect(payer, 'Only business transactions have a payer, so this is never sent'),
	...countryFields('Property Country', 'country', 'Country of the property', {
		description: 'Two-letter code of the country of the property',
	}),
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
 * The same fields for changes. Two of them only count in a create
 * (docs/service/transactions.md#creation-fields).
 */
export const closingChanges: INodeProperties[] = closingFields.map((field) =>
	CREATE_ONLY.has(field.name)
		? noEffect(field, "Only counts when a closing is created, so this isn't sent")
		: field,
);

/**
 * Reads these fields.
 * @param change whether an existing closing is changed
 * @returns fields of the request, and the country of the property, which belongs to its address
 * @throws InputFailure naming the field
 */
export function readClosingFields(
	params: Params,
	values: IDataObject,
	change = false,
): { fields: IDataObject; country?: string } {
	const sent = closingFields.filter(({ name }) => isTaken(name, change));
	const { country, ...fields } = readTransactionFields(params, values, sent, {
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
		...(typeof country === 'string' && { country: countryCode(country, params.label('country')) }),
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

/**
 * Names the fields that are filled in and aren't sent.
 * @param change whether an existing closing is changed
 * @returns undefined when there are none
 */
export function noEffectHint(values: IDataObject, change = false): string | undefined {
	const names = closingFields
		.filter(({ name }) => !isTaken(name, change))
		.filter(({ name }) => ![undefined, null, '', false].includes(values[name] as never))
		.map(({ displayName }) => `'${displayName.replace(NO_EFFECT, '')}'`);
	const last = names.pop();
	if (last === undefined) return undefined;
	return names.length === 0
		? `${last} has no effect here and wasn't sent: remove it`
		: `${names.join(', ')} and ${last} have no effect here and weren't sent: remove them`;
}

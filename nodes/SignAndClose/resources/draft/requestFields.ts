import type { IDataObject } from 'n8n-workflow';

import type { SignerAnswer, TransactionAnswer } from '../../transport/answers/shapes';
import type { Platform } from '../../transport/service/endpoints';
import { asObject, asObjects, asText } from '../../values/json';
import { isBlank } from '../../values/comparison';
import { asBoolean } from '../../values/plainValues';

/*
 * The fields that requests have, and where an answer shows each of them. What is written back to
 * the service is built from these lists alone: answers use other names, and add fields that a
 * request must not have (docs/service/transactions.md#answer-fields).
 */

type FromAnswer = (answer: IDataObject) => unknown;
type RequestFields = Record<string, FromAnswer>;

/** Fields that have the same name and form in answers. */
const copyFields = (...names: string[]): RequestFields =>
	Object.fromEntries(names.map((name) => [name, (answer: IDataObject) => answer[name]]));

/** A field that takes an ID, where answers have an object with it. */
const defineNestedId =
	(name: string): FromAnswer =>
	(answer) =>
		asText(asObject(answer[name]).id);

const ADDRESS_PARTS = ['line1', 'line2', 'city', 'state', 'postal', 'country'];
export const CONTACT_PARTS = [
	'first_name',
	'last_name',
	'email',
	'role',
	'title',
	'phone_number',
	'shown_to_signer',
	'access_to_transaction',
	'organization_name',
	'organization_address',
];

/** Types that a create takes and a change refuses (docs/service/transactions.md#update-a-draft). */
const CREATE_ONLY_TYPES = new Set(['real_estate_esign', 'real_estate_proof']);

/** Fields of a change on both platforms (docs/service/transactions.md#creation-fields). */
const SHARED_FIELDS: RequestFields = {
	...copyFields(
		'external_id',
		'message_to_signer',
		'message_subject',
		'message_signature',
		'activation_time',
		'notary_meeting_time',
		'notary_id',
		'require_secondary_photo_id',
		'cc_recipient_emails',
		'config_id',
	),
	transaction_name: readName,
	notary_instructions: ({ notary_instructions: notes }) =>
		asObjects(notes).map((note) => pick(note, ['notary_note'])),
	redirect: ({ redirect }) => {
		const { redirect_url: url, redirect_msg: message } = asObject(redirect);
		return { url, message };
	},
};

export const BUSINESS_FIELDS: RequestFields = {
	...SHARED_FIELDS,
	...copyFields('expiry', 'payer', 'transaction_type'),
};

/**
 * What the PUT of a closing takes, and no recorded answer shows. A service that shows it all the same
 * gets it back; where it's missing, it may be set (docs/service/transactions.md#creation-fields).
 */
const RARELY_SHOWN: RequestFields = copyFields(
	'allowed_notary_states',
	'paper_note_consent',
	'require_new_signer_verification',
);

/** What the PUT of a closing takes, except for its signers. */
export const CLOSING_FIELDS: RequestFields = {
	...SHARED_FIELDS,
	...RARELY_SHOWN,
	...copyFields('file_number', 'loan_number'),
	expiration_time: ({ expiration_time: time, expiry }) => time ?? expiry,
	transaction_type: ({ transaction_type: type }) =>
		CREATE_ONLY_TYPES.has(String(type)) ? undefined : type,
	recording_jurisdiction_id: defineNestedId('recording_jurisdiction'),
	title_agency_id: defineNestedId('title_agency'),
	title_underwriter_id: defineNestedId('title_underwriter'),
	street_address: ({ street_address: address }) => readAddress(address),
	contacts: ({ contacts }) =>
		asObjects(contacts).map((contact) => {
			const { organization_address: address, ...rest } = pick(contact, CONTACT_PARTS);
			return dropEmpty({ ...rest, organization_address: readAddress(address) });
		}),
};

/** Fields of a signer in a request (docs/service/signers.md#signer-fields). */
export const SIGNER_FIELDS: RequestFields = {
	...copyFields(
		'email',
		'first_name',
		'middle_name',
		'last_name',
		'dob',
		'external_id',
		'capacity',
		'entity',
		'vesting_type',
		'signing_requirement',
		'order',
		'notary_id',
		'personally_known_to_notary',
		'suppress_communications',
		'primary_id_allow_list_by_country',
		'secondary_id_allow_list_by_country',
	),
	recipient_group: ({ recipient_group: group }) => pick(asObject(group), ['shared_inbox_email']),
	signatory_capacities: ({ signatory_capacities: capacities }) =>
		asObjects(capacities).map((capacity) =>
			pick(capacity, ['capacity', 'type', 'representative_of']),
		),
	verify_tools_configuration: ({ verify_tools_configuration: tools }) =>
		dropEmpty(
			Object.fromEntries(
				['credit_card_config', 'selfie_config', 'credential_analysis_config'].map((name) => [
					name,
					dropEmpty(pick(asObject(asObject(tools)[name]), ['requirement'])),
				]),
			),
		),
	verify_tool_configuration: ({ verify_tool_configuration: tool }) =>
		pick(asObject(tool), ['requirement']),
	address: ({ address }) => readAddress(address),
	phone: ({ phone }) => pick(asObject(phone), ['country_code', 'number']),
	phone_number: ({ phone, phone_number: number }) => (isBlank(phone) ? number : undefined),
};

/**
 * Fields of a change that answers show if they're set, so that a missing one is unset
 * (docs/service/transactions.md#unset-fields).
 */
export const ANSWERED_IF_SET: ReadonlySet<string> = new Set(
	[...Object.keys({ ...BUSINESS_FIELDS, ...CLOSING_FIELDS }), 'documents'].filter(
		(name) => !Object.hasOwn(RARELY_SHOWN, name),
	),
);

/** The same for fields of a signer (docs/service/signers.md#signer-answer). */
export const SIGNER_ANSWERED_IF_SET: ReadonlySet<string> = new Set([
	'email',
	'first_name',
	'last_name',
	'external_id',
	'phone',
	'phone_number',
	'address',
	'vesting_type',
	'personally_known_to_notary',
	'signatory_capacities',
]);

/**
 * The fields of a signer that the service's schema has and no recorded answer shows. One that is
 * missing in an answer may be set (docs/service/signers.md#signer-answer).
 */
export const listHiddenSignerFields = (
	signer: SignerAnswer,
	platform: Platform,
	assuranceField: string,
): string[] =>
	[assuranceField, ...Object.keys(SIGNER_FIELDS)].filter(
		(name) =>
			!SIGNER_ANSWERED_IF_SET.has(name) &&
			signer[name] === undefined &&
			// Either a person signs, or one of a group.
			!(name === 'recipient_group' && !isBlank(signer.email)) &&
			!(name === 'verify_tools_configuration' && platform === 'realEstate'),
	);

/**
 * Builds the request fields of a transaction as they are now, without its signers.
 * @returns only those that are set
 */
export function toTransactionRequest(
	transaction: TransactionAnswer,
	platform: Platform,
): IDataObject {
	return buildRequest(platform === 'realEstate' ? CLOSING_FIELDS : BUSINESS_FIELDS, transaction);
}

/**
 * Builds a signer of a request from one of an answer.
 * @param assuranceField the service's name for the identity-assurance object
 */
export function toSignerRequest(signer: SignerAnswer, assuranceField: string): IDataObject {
	return buildRequest(
		{ ...SIGNER_FIELDS, [assuranceField]: (answer) => readAssurance(answer[assuranceField]) },
		signer,
	);
}

function buildRequest(fields: RequestFields, answer: IDataObject): IDataObject {
	return dropEmpty(
		Object.fromEntries(
			Object.entries(fields).map(([name, readField]) => [name, readField(answer)]),
		),
	);
}

/**
 * The name, unless it's the one that the service shows for a transaction without a name
 * (docs/service/transactions.md#name-of-a-transaction).
 */
function readName({ transaction_name: name, street_address: address }: IDataObject): unknown {
	return name === 'Untitled Transaction' || name === asObject(address).full_address
		? undefined
		: name;
}

function readAddress(address: unknown): IDataObject {
	const { zip_code: zipCode } = asObject(address);
	return dropEmpty({ postal: zipCode, ...dropEmpty(pick(asObject(address), ADDRESS_PARTS)) });
}

/** The identity checks of a signer (docs/service/signers.md#identity-assurance). */
function readAssurance(assurance: unknown): IDataObject {
	const {
		knowledge_based_authentication: knowledge,
		id_verification: verification,
		multi_factor_authentication: factor,
	} = asObject(assurance);
	const otherChecks = dropEmpty({
		id_verification: { selfie: asBoolean(asObject(verification).selfie) },
		multi_factor_authentication: dropEmpty(pick(asObject(factor), ['type'])),
	});
	// A live service requires it beside the others, which the documented one lets stand alone.
	const questions = asBoolean(knowledge) ?? (isBlank(otherChecks) ? undefined : false);
	return dropEmpty({ knowledge_based_authentication: questions, ...otherChecks });
}

function pick(from: IDataObject, names: string[]): IDataObject {
	return Object.fromEntries(names.map((name) => [name, from[name]]));
}

/**
 * Leaves out what is unset. A service shows that as null, empty text, an empty array, or an object
 * that has nothing in it (docs/service/transactions.md#answer-fields).
 */
function dropEmpty(fields: Record<string, unknown>): IDataObject {
	return Object.fromEntries(
		Object.entries(fields).filter(([, value]) => !isBlank(value)),
	) as IDataObject;
}

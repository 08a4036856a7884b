import type { IDataObject } from 'n8n-workflow';

import { InputFailure } from '../../core/explainedFailure';
import type { Params } from '../../core/params';
import { toAssurance } from '../../service/values/assurance';
import { asObject, withoutEmpty } from '../../service/values/json';
import { DEFAULT_COUNTRY } from '../../service/values/phone';
import { shownValue } from '../../service/values/shown';
import { toDay } from '../../service/values/times';
import { checkedAddress } from '../shared/address';
import { readCollection, titleOf } from '../shared/builders';
import { checkedPhone, checkEmail, checkName, wholeNumber } from '../shared/checks';
import { readIdentityChecks } from './identityChecks';
import { rowDetailFields } from './signer';

/* Reads and checks the fields of signers (docs/service/signers.md#signer-fields). */

/** How many signers a transaction can have (docs/service/api.md#limits). */
export const MOST_SIGNERS = 10;

/** A signer as the request takes it. */
export interface ReadSigner {
	signer: IDataObject;
	/**
	 * How many identity checks are chosen; three reach IAL2
	 * (docs/service/signers.md#highest-assurance-level).
	 */
	checks: number;
}

/**
 * Reads all rows of signers.
 * @param assuranceField the service's name for the identity-assurance object
 * @throws InputFailure naming the row, from 1
 */
export function readSignerRows(
	params: Params,
	name: string,
	assuranceField: string,
	value: unknown = params.raw(name),
): ReadSigner[] {
	const label = params.label(name);
	const given = params.rows(name, value);
	if (given.length > MOST_SIGNERS)
		throw new InputFailure(
			label,
			`has ${given.length} signers; the service accepts up to ${MOST_SIGNERS}`,
			'Create more than one transaction',
		);
	const read = given.map((entry, index) =>
		readSigner(params, entry, assuranceField, (field) => `${label}, row ${index + 1}: ${field}`),
	);
	checkSigners(read, label);
	return read;
}

/**
 * Checks what signers have together: external IDs of their own, because designations refer to
 * signers by it (docs/service/documents.md#signer-identifier), and one notary for all who sign at
 * the same time (docs/service/transactions.md#rules-between-fields).
 * @throws InputFailure
 */
export function checkSigners(read: ReadSigner[], label: string): void {
	const ids = read.map(({ signer }) => signer.external_id).filter((id) => id !== undefined);
	const twice = ids.find((id, index) => ids.indexOf(id) !== index);
	if (twice !== undefined)
		throw new InputFailure(
			label,
			`has the external ID '${String(twice)}' twice`,
			'Give each signer an external ID of its own',
		);
	const notaries = new Map<unknown, unknown>();
	for (const { signer } of read.filter(({ signer }) => signer.order !== undefined)) {
		const { order, notary_id: notary } = signer;
		if (notaries.has(order) && notaries.get(order) !== notary)
			throw new InputFailure(
				label,
				`has signers of order ${String(order)} with different notaries`,
				"Give signers who sign at the same time the same 'Notary', or another 'Order'",
			);
		notaries.set(order, notary);
	}
}

/**
 * Reads one signer.
 * @param values the row's values
 * @param labelOf returns a field's label for messages
 * @throws InputFailure naming the field
 */
export function readSigner(
	params: Params,
	values: IDataObject,
	assuranceField: string,
	labelOf: (field: string) => string,
): ReadSigner {
	const email = params.textOf(values, 'email');
	const inbox = asObject(values.details).shared_inbox_email ?? '';
	if (email === undefined && inbox === '')
		throw new InputFailure(
			labelOf('Email'),
			'is empty',
			"Enter the signer's email address. If it's an expression, check what it returns for this item",
		);
	if (email !== undefined && inbox !== '')
		throw new InputFailure(
			labelOf('Shared Inbox'),
			"is filled in together with 'Email'",
			'Remove one of the two: either a person signs, or one of a group',
		);
	if (email !== undefined) checkEmail(email, labelOf('Email'));
	const given = params.textOf(values, 'phone_number');
	const phone =
		given === undefined
			? undefined
			: checkedPhone(given, asObject(values.details).country_code, labelOf('Phone')).number;
	const chosen = readIdentityChecks(values.identityChecks, labelOf('Identity Checks'));
	if (chosen.has('sms') && phone === undefined)
		throw new InputFailure(
			labelOf('Phone'),
			'is empty',
			"Enter the signer's phone number: the SMS code of 'Identity Checks' is sent there",
		);
	const assurance = toAssurance({
		selfie: chosen.has('selfie'),
		knowledge: chosen.has('knowledge'),
		sms: chosen.has('sms'),
	});
	const details = readDetails(params, asObject(values.details), phone, labelOf);
	checkCapacity(details, labelOf);
	if (details.notary_id !== undefined && details.order === undefined)
		throw new InputFailure(
			labelOf('Order'),
			'is empty',
			"Fill it in together with 'Notary', or remove the notary",
		);
	return {
		signer: {
			...withoutEmpty({ email, ...readNames(params, values, labelOf), phone_number: phone }),
			...details,
			...(assurance && { [assuranceField]: assurance }),
		},
		checks: chosen.size,
	};
}

/**
 * Reads the names and the external ID of a signer.
 * @param labelOf returns a field's label for messages
 * @throws InputFailure when a name is too long
 */
export function readNames(
	params: Params,
	values: IDataObject,
	labelOf: (field: string) => string,
): IDataObject {
	const names = {
		first_name: params.textOf(values, 'first_name'),
		middle_name: params.textOf(values, 'middle_name'),
		last_name: params.textOf(values, 'last_name'),
	};
	for (const [name, text] of Object.entries(names))
		if (text !== undefined) checkName(text, labelOf(titleOf(name)));
	return { ...names, external_id: params.textOf(values, 'external_id') };
}

/**
 * Reads the details of a signer as fields of the request: the address as an object, the date of
 * birth as a date, the phone number with its country code.
 * @param phone digits of the phone number, which is not one of the details
 * @throws InputFailure naming the field
 */
export function readDetails(
	params: Params,
	values: IDataObject,
	phone: string | undefined,
	labelOf: (field: string) => string,
): IDataObject {
	const as = (name: string, field: string) => (value: unknown) => ({
		[name]: params.textOf({ [field]: value } as IDataObject, field),
	});
	const fields = readCollection(params, values, rowDetailFields, {
		vestingType: as('vesting_type', 'vestingType'),
		signingRequirement: as('signing_requirement', 'signingRequirement'),
		shared_inbox_email: (value) => ({ recipient_group: readInbox(params, value, labelOf) }),
	});
	const text = (name: string) => (fields[name] === undefined ? undefined : String(fields[name]));
	const { zipCode, ...place } = checkedAddress(
		{
			line1: text('address_line1'),
			line2: text('address_line2'),
			city: text('address_city'),
			state: text('address_state'),
			zipCode: text('address_postal'),
			country: text('address_country'),
		},
		labelOf,
	);
	const address = withoutEmpty({ ...place, postal: zipCode });
	if (fields.order !== undefined) wholeNumber(fields.order, 1, labelOf('Order'));
	const day = fields.dob === undefined ? undefined : toDay(fields.dob);
	if (fields.dob !== undefined && day === undefined)
		throw new InputFailure(
			labelOf('Date of Birth'),
			`is '${shownValue(fields.dob)}'`,
			'Enter it as year-month-day, e.g. 1980-05-17',
		);
	const country = text('country_code');
	return {
		...Object.fromEntries(Object.entries(fields).filter(([name]) => !COMBINED.has(name))),
		...(Object.keys(address).length > 0 && { address }),
		...(day !== undefined && { dob: day }),
		...(country !== undefined && phoneParts(country, phone, labelOf)),
	};
}

/** Fields of the form that become parts of other fields of the request. */
const COMBINED = new Set([
	'address_line1',
	'address_line2',
	'address_city',
	'address_state',
	'address_postal',
	'address_country',
	'country_code',
	'dob',
]);

/**
 * Builds the phone number with its country code, in both of the service's forms. The one in one text
 * begins with + unless the code is that of the service itself (docs/service/signers.md#phones).
 * @throws InputFailure when the code has no digits or there is no number
 */
function phoneParts(
	country: string,
	number: string | undefined,
	labelOf: (field: string) => string,
): IDataObject {
	const label = labelOf('Phone Country Code');
	const code = country.replace(/\D/g, '');
	if (code === '')
		throw new InputFailure(label, `is '${country}'`, 'Enter its digits, e.g. 1 or +44');
	if (number === undefined)
		throw new InputFailure(
			label,
			'has no phone number with it',
			"Fill in 'Phone' too, or remove the country code",
		);
	return {
		...(code !== DEFAULT_COUNTRY && { phone_number: `+${code}${number}` }),
		phone: { country_code: code, number },
	};
}

/**
 * Capacity and entity require each other (docs/service/signers.md#capacities).
 * @throws InputFailure when one of them is missing
 */
function checkCapacity(
	{ capacity, entity }: IDataObject,
	labelOf: (field: string) => string,
): void {
	if ((capacity === undefined) === (entity === undefined)) return;
	const [missing, given] = capacity === undefined ? ['Capacity', 'Entity'] : ['Entity', 'Capacity'];
	throw new InputFailure(
		labelOf(missing),
		'is empty',
		`Fill it in together with '${given}', or remove '${given}'`,
	);
}

/** Reads the shared inbox of a group that signs (docs/service/signers.md#groups-as-signers). */
function readInbox(
	params: Params,
	value: unknown,
	labelOf: (field: string) => string,
): IDataObject | undefined {
	const email = params.textOf({ inbox: value as string }, 'inbox');
	if (email === undefined) return undefined;
	checkEmail(email, labelOf('Shared Inbox'));
	return { shared_inbox_email: email };
}

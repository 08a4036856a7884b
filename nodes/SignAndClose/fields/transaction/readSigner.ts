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
import { signerDetailFields } from './signer';

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
	checkExternalIds(read, label);
	return read;
}

/**
 * Checks that no two signers have the same external ID, because designations refer to signers by it
 * (docs/service/documents.md#signer-identifier).
 * @throws InputFailure
 */
export function checkExternalIds(read: ReadSigner[], label: string): void {
	const ids = read.map(({ signer }) => signer.external_id).filter((id) => id !== undefined);
	const twice = ids.find((id, index) => ids.indexOf(id) !== index);
	if (twice !== undefined)
		throw new InputFailure(
			label,
			`has the external ID '${String(twice)}' twice`,
			'Give each signer an external ID of its own',
		);
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
	if (email === undefined)
		throw new InputFailure(
			labelOf('Email'),
			'is empty',
			"Enter the signer's email address. If it's an expression, check what it returns for this item",
		);
	checkEmail(email, labelOf('Email'));
	const given = params.textOf(values, 'phone_number');
	const phone =
		given === undefined
			? undefined
			: checkedPhone(given, asObject(values.details).country_code, labelOf('Phone')).number;
	const chosen = readChecks(values.identityChecks, labelOf('Identity Checks'));
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
	const fields = readCollection(params, values, signerDetailFields, {
		vestingType: as('vesting_type', 'vestingType'),
		signingRequirement: as('signing_requirement', 'signingRequirement'),
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

const CHECKS = new Set(['knowledge', 'selfie', 'sms']);

/**
 * Reads the chosen checks, from the list or from an expression's text or array. Unknown ones are
 * refused, so that nobody relies on a check that isn't made.
 */
function readChecks(value: unknown, label: string): Set<string> {
	const list = Array.isArray(value)
		? value.map(shownValue)
		: typeof value === 'string'
			? value.replace(/["'[\]]/g, '').split(',')
			: [];
	const chosen = new Set(
		list.map((check) => check.trim().toLowerCase()).filter((check) => check !== ''),
	);
	const unknown = [...chosen].find((check) => !CHECKS.has(check));
	if (
		unknown !== undefined ||
		(value !== undefined && value !== null && typeof value !== 'string' && !Array.isArray(value))
	) {
		throw new InputFailure(
			label,
			`holds '${unknown ?? shownValue(value)}'`,
			'Choose from the list. An expression must return selfie, knowledge, sms or several of them',
		);
	}
	return chosen;
}

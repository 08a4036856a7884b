import type { IDataObject } from 'n8n-workflow';

import { InputFailure } from '../../core/explainedFailure';
import type { Params } from '../../core/params';
import { toAssurance } from '../../service/values/assurance';
import { asObject, withoutEmpty } from '../../service/values/json';
import { readPhone, type Phone } from '../../service/values/phone';
import { toDay } from '../../service/values/times';
import { readCollection } from '../shared/builders';
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
	const names = Object.fromEntries(
		['first_name', 'middle_name', 'last_name', 'external_id'].map((name) => [
			name,
			params.textOf(values, name),
		]),
	);
	return {
		signer: {
			...withoutEmpty({ email, ...names, phone_number: phone }),
			...readDetails(params, asObject(values.details), phone, labelOf),
			...(assurance && { [assuranceField]: assurance }),
		},
		checks: chosen.size,
	};
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
	const flat = readCollection(params, values, signerDetailFields);
	const parts = ['line1', 'line2', 'city', 'state', 'postal', 'country'];
	const address = withoutEmpty(
		Object.fromEntries(parts.map((part) => [part, flat[`address_${part}`]])),
	);
	for (const part of parts) delete flat[`address_${part}`];
	const { country_code: country, dob, ...rest } = flat;
	if (country !== undefined && phone === undefined)
		throw new InputFailure(
			labelOf('Phone Country Code'),
			'has no phone number with it',
			"Fill in 'Phone' too, or remove the country code",
		);
	const day = dob === undefined ? undefined : toDay(dob);
	if (dob !== undefined && day === undefined)
		throw new InputFailure(
			labelOf('Date of Birth'),
			`is '${String(dob)}'`,
			'Enter it as year-month-day, e.g. 1980-05-17',
		);
	return {
		...rest,
		...(Object.keys(address).length > 0 && { address }),
		...(day !== undefined && { dob: day }),
		...(country !== undefined &&
			phone !== undefined && {
				phone: { country_code: String(country).replace(/\D/g, ''), number: phone },
			}),
	};
}

/**
 * Reads a phone number.
 * @throws InputFailure when it isn't one, or when it contradicts the country code
 */
export function checkedPhone(text: string, country: unknown, label: string): Phone {
	const code = country === undefined || country === null ? undefined : String(country);
	const phone = readPhone(text, code);
	if (phone === 'contradiction')
		throw new InputFailure(
			label,
			`is '${text}', which isn't a number of country code ${String(code)}`,
			"Correct 'Phone Country Code', or enter the number without its country code",
		);
	if (phone === undefined)
		throw new InputFailure(
			label,
			`is '${text}'`,
			'Enter a phone number of 5 to 15 digits, e.g. 6175550123',
		);
	return phone;
}

const CHECKS = new Set(['knowledge', 'selfie', 'sms']);

/**
 * Reads the chosen checks, from the list or from an expression's text or array. Unknown ones are
 * refused, so that nobody relies on a check that isn't made.
 */
function readChecks(value: unknown, label: string): Set<string> {
	const list = Array.isArray(value)
		? value.map(String)
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
			`holds '${unknown ?? String(value)}'`,
			'Choose from the list. An expression must return selfie, knowledge, sms or several of them',
		);
	}
	return chosen;
}

/** @throws InputFailure when the text isn't one complete e-mail address */
export function checkEmail(email: string, label: string): void {
	if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email))
		throw new InputFailure(
			label,
			`is '${email}'`,
			'Enter one complete email address, e.g. jane@example.com',
		);
}

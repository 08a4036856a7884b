import type { IDataObject } from 'n8n-workflow';

import { InputFailure } from '../messages/failures';
import { asObject, asText } from '../values/json';

/*
 * Phone numbers as the service takes them: digits only, the country code apart from the number
 * (docs/service/signers.md#phones).
 */

/** A phone number in two parts. */
export interface Phone {
	/** Digits without the country code, or with + and the country code when the two can't be told apart. */
	number: string;
	/** Digits of the country code, without +, where it's known. */
	country?: string;
}

/** The country whose code a number without + has, to the service. */
export const DEFAULT_COUNTRY = '1';
const NATIONAL_DIGITS = 10;

/**
 * Writes + for what people dial for it: 00, and in North America 011.
 * @param country digits of the country code of whoever dials
 */
export const withPlus = (text: string, country = DEFAULT_COUNTRY): string =>
	text
		.trim()
		.replace(
			country === DEFAULT_COUNTRY ? /^\(?(?:00|011)(?=[)\s.-]*[1-9])/ : /^\(?00(?=[)\s.-]*[1-9])/,
			'+',
		);

/** What people enter for a number that they don't have: 000-000-0000, 1234567890. */
const PLACEHOLDER = /^(?:(\d)\1+|0?123456789|1234567890)$/;
/** Ten digits behind an area code that there can be. */
const US_NUMBER = /^(?!.11)[2-9][0-8]\d{8}$/;

/**
 * Checks that there can be such a phone number.
 * @param digits without the country code
 * @param text as it was entered
 * @param country digits of the country code, where it's known
 * @throws InputFailure when only a placeholder, or an area code that doesn't exist, looks so
 */
export function checkPhoneDigits(
	digits: string,
	text: string,
	country: string | undefined,
	label: string,
): void {
	const isOfNobody =
		country === DEFAULT_COUNTRY && digits.length === NATIONAL_DIGITS && !US_NUMBER.test(digits);
	if (isOfNobody || PLACEHOLDER.test(digits))
		throw new InputFailure(
			label,
			`is '${text}', which no phone has`,
			'Enter the real number, or leave it empty',
		);
}

/**
 * Parses a phone number in any notation. A + that was written wins over the country code beside it,
 * which a form may have by default.
 * @param country country code, with or without +
 * @param getLabel returns the labels of Phone and Phone Country Code for messages
 * @throws InputFailure when it isn't a number of 5 to 15 digits, or of ten where the country is the
 *   service's own, or the code has no digits
 */
export function parsePhone(
	text: string,
	country: string | undefined,
	getLabel: (field: string) => string,
): Phone {
	const code = country?.replace(/\D/g, '');
	if (code === '')
		throw new InputFailure(
			getLabel('Phone Country Code'),
			`is '${country}', which has no digits`,
			'Enter its digits, e.g. 1 or +44',
		);
	const written = withPlus(text, code);
	const digits = written.replace(/\D/g, '');
	const phone = written.startsWith('+') ? splitCountry(digits, code) : toCountryPhone(digits, code);
	const isWhole =
		phone.number.startsWith('+') || (phone.country ?? DEFAULT_COUNTRY) !== DEFAULT_COUNTRY
			? digits.length >= 5 && digits.length <= 15
			: toCountryPhone(phone.number, DEFAULT_COUNTRY).number.length === NATIONAL_DIGITS;
	if (!isWhole || /[a-z]/i.test(text))
		throw new InputFailure(
			getLabel('Phone'),
			`is '${text}', which isn't a phone number`,
			'Enter ten digits, or + and the country code, e.g. 6175550123 or +44 20 7946 0123',
		);
	checkPhoneDigits(phone.number, text, phone.country, getLabel('Phone'));
	return phone;
}

/** A number that was written with +, and maybe in a country. Country codes are no beginnings of each other. */
function splitCountry(digits: string, code: string | undefined): Phone {
	const country = [code, DEFAULT_COUNTRY].find(
		(candidate) => candidate !== undefined && digits.startsWith(candidate),
	);
	return country === undefined
		? { number: `+${digits}` }
		: { number: digits.slice(country.length), country };
}

/**
 * Parses the phone number of a contact, for which the service only takes the ten digits of a US
 * number (docs/service/closings.md#contacts).
 * @throws InputFailure for any other number
 */
export function parseUsPhone(text: string, label: string): string {
	// Whatever stands between the digits goes; letters stay, and are refused.
	const [, number] = /^(?:\+?1)?(\d{10})$/.exec(withPlus(text).replace(/[^\d+a-z]/gi, '')) ?? [];
	if (number !== undefined) {
		checkPhoneDigits(number, text, DEFAULT_COUNTRY, label);
		return number;
	}
	throw new InputFailure(
		label,
		`is '${text}', which isn't a US phone number`,
		'Enter the ten digits of a US number, e.g. 6175550100',
	);
}

/** A number that was written without +, in a country. North Americans often write their 1, too. */
export function toCountryPhone(digits: string, country: string | undefined): Phone {
	const hasCode = digits.length === NATIONAL_DIGITS + 1 && digits.startsWith(DEFAULT_COUNTRY);
	return country === DEFAULT_COUNTRY && hasCode
		? { number: digits.slice(DEFAULT_COUNTRY.length), country }
		: { number: digits, country };
}

/**
 * Builds the fields of a request: one text, which begins with + unless its country is the service's
 * own, and the same in two parts where the country is known.
 */
export function buildPhoneFields(phone: Phone): IDataObject {
	if (phone.number.startsWith('+')) return { phone_number: phone.number };
	const { number, country } =
		phone.country === undefined ? toCountryPhone(phone.number, DEFAULT_COUNTRY) : phone;
	return {
		phone_number: country === DEFAULT_COUNTRY ? number : `+${country}${number}`,
		...(phone.country !== undefined && { phone: { country_code: country, number } }),
	};
}

/**
 * The whole number of a signer of a request or an answer, to compare it.
 * @returns + and all digits; undefined when the signer has none
 */
export function formatFullPhone({ phone, phone_number: text }: IDataObject): string | undefined {
	const { country_code: country, number } = asObject(phone);
	const written = asText(number) ?? asText(text) ?? '';
	const digits = written.replace(/\D/g, '');
	if (digits === '') return undefined;
	if (written.trim().startsWith('+')) return `+${digits}`;
	return `+${String(country ?? '').replace(/\D/g, '') || DEFAULT_COUNTRY}${digits}`;
}

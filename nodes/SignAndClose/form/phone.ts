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
const DEFAULT_COUNTRY = '1';
const NATIONAL_DIGITS = 10;

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
	const digits = text.replace(/\D/g, '');
	const phone = text.trim().startsWith('+')
		? splitCountry(digits, code)
		: toCountryPhone(digits, code);
	const isWhole =
		phone.number.startsWith('+') || (phone.country ?? DEFAULT_COUNTRY) !== DEFAULT_COUNTRY
			? digits.length >= 5 && digits.length <= 15
			: toCountryPhone(phone.number, DEFAULT_COUNTRY).number.length === NATIONAL_DIGITS;
	if (isWhole && !/[a-z]/i.test(text)) return phone;
	throw new InputFailure(
		getLabel('Phone'),
		`is '${text}', which isn't a phone number`,
		'Enter ten digits, or + and the country code, e.g. 6175550123 or +44 20 7946 0123',
	);
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
	const [, number] = /^(?:\+?1)?(\d{10})$/.exec(text.replace(/[^\d+a-z]/gi, '')) ?? [];
	if (number !== undefined) return number;
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

/*
 * Phone numbers as the service takes them: digits only, the country code apart from the number
 * (docs/service/signers.md#phones).
 */

/** A phone number in two parts. */
export interface Phone {
	/** Digits without the country code, or with + and the country code when the two can't be told apart. */
	number: string;
	/** Digits of the country code, without +. */
	country?: string;
}

/** The country whose code a number without + has, to the service. */
export const DEFAULT_COUNTRY = '1';
const NATIONAL_DIGITS = 10;

/**
 * Reads a phone number in any notation.
 * @param country country code, with or without +
 * @returns undefined when the text isn't a number of 5 to 15 digits; `contradiction` when it begins
 *   with + and another country code than the given one
 */
export function readPhone(text: string, country?: string): Phone | 'contradiction' | undefined {
	const code = country?.replace(/\D/g, '') || undefined;
	const digits = text.replace(/\D/g, '');
	if (/[a-z]/i.test(text) || digits.length < 5 || digits.length > 15) return undefined;
	const international = text.trim().startsWith('+');
	if (code !== undefined) {
		if (!international) return { number: digits, country: code };
		if (!digits.startsWith(code)) return 'contradiction';
		return { number: digits.slice(code.length), country: code };
	}
	// Without a code the service adds +1: sent along, it would be there twice.
	if (digits.startsWith(DEFAULT_COUNTRY) && digits.length === NATIONAL_DIGITS + 1)
		return { number: digits.slice(DEFAULT_COUNTRY.length) };
	return { number: international ? `+${digits}` : digits };
}

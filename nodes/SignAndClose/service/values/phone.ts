/*
 * Phone numbers as the service takes them: digits only, the country code apart from the number
 * (docs/service/signers.md#phones).
 */

/** A phone number in two parts. */
export interface Phone {
	/** Digits, without the country code. */
	number: string;
	/** Digits of the country code, without +. */
	country?: string;
}

/**
 * Reads a phone number in any notation.
 * @param country country code, with or without +
 * @returns undefined when the text isn't a number of 5 to 15 digits
 */
export function readPhone(text: string, country?: string): Phone | undefined {
	const code = country?.replace(/\D/g, '') || undefined;
	if (/[a-z]/i.test(text)) return undefined;
	let number = text.replace(/\D/g, '');
	// A number with + begins with its country code, which must not be sent twice.
	if (text.trim().startsWith('+') && code !== undefined && number.startsWith(code))
		number = number.slice(code.length);
	return number.length < 5 || number.length > 15
		? undefined
		: { number, ...(code !== undefined && { country: code }) };
}

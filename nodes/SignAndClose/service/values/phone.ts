/**
 * Telephone numbers as the service takes them: digits, the country apart (interface.md §2,
 * phone_number; gaps.md §3, phone).
 */

export interface Phone {
	/** Digits, without the country. */
	number: string;
	country?: string;
}

/**
 * Reads a number however it was written.
 * @param country code of the country, with or without +
 * @returns undefined when it is no number of 5 to 15 digits
 */
export function readPhone(text: string, country?: string): Phone | undefined {
	const code = country?.replace(/\D/g, '') || undefined;
	if (/[a-z]/i.test(text)) return undefined;
	let number = text.replace(/\D/g, '');
	// A number with + begins with its country, which must not be there twice.
	if (text.trim().startsWith('+') && code !== undefined && number.startsWith(code))
		number = number.slice(code.length);
	return number.length < 5 || number.length > 15
		? undefined
		: { number, ...(code !== undefined && { country: code }) };
}

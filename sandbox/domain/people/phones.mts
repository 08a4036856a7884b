/** Phones of signers, in one piece or in two (docs/service/signers.md#phones). */

import type { Fields } from '../../world/world.mts';

interface Phone {
	country_code: string;
	number: string;
}

/** The country codes of two digits. 1 and 7 have one digit, all others three. */
const TWO_DIGITS = /^(2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58])/;

/** A number with `+` and country code, as ITU-T E.164 has it. */
const E164 = /^\+[1-9]\d{6,14}$/;

function splitE164(text: string): Phone {
	const digits = text.slice(1);
	const length = /^[17]/.test(digits) ? 1 : TWO_DIGITS.test(digits) ? 2 : 3;
	return { country_code: digits.slice(0, length), number: digits.slice(length) };
}

/** The phone of a signer. Without a `+`, a phone_number is one of country code 1. */
export function phoneOf({ phone, phone_number: text }: Fields): Phone | undefined {
	if (phone?.number) return { country_code: phone.country_code ?? '1', number: phone.number };
	if (!text) return undefined;
	return text.startsWith('+') ? splitE164(text) : { country_code: '1', number: text };
}

/** Whether a number, or its two parts, name a phone with its country. */
export function isPhone(phone: string | Partial<Phone>): boolean {
	if (typeof phone === 'string') return E164.test(phone);
	const country = String(phone.country_code ?? '').replace(/^\+/, '');
	const number = String(phone.number ?? '').replace(/[\s().-]/g, '');
	return country !== '' && E164.test(`+${country}${number}`);
}

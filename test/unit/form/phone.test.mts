import fc from 'fast-check';

import {
	formatFullPhone,
	buildPhoneFields,
	parsePhone,
} from '../../../nodes/SignAndClose/form/phone.ts';

/** Phone numbers, however they are written, and as requests and answers have them. */

/** The code of a country that isn't the service's own, and not the beginning of another one. */
const COUNTRIES = ['44', '49', '52', '353'];
const parse = (text: string, country?: string) => parsePhone(text, country, (field) => field);
/** Digits of a number that somebody may have: behind an area code, with two different ones at least. */
const digits = (minLength: number, maxLength: number) =>
	fc
		.string({
			unit: fc.constantFrom(...'23456789'),
			minLength: minLength - 3,
			maxLength: maxLength - 3,
		})
		.map((rest) => `617${rest}`);

describe('parsePhone', () => {
	test.each<[string, string | undefined, unknown]>([
		['617 555 0123', undefined, { number: '6175550123' }],
		['(617) 555-0123', '1', { number: '6175550123', country: '1' }],
		['7700 900123', '+44', { number: '7700900123', country: '44' }],
		// North Americans often write their 1, too.
		['1-617-555-0123', '1', { number: '6175550123', country: '1' }],
		['1-617-555-0123', '44', { number: '16175550123', country: '44' }],
		// A written + wins over the country beside it.
		['+1 617 555 0123', '44', { number: '6175550123', country: '1' }],
		['+1 617 555 0123', undefined, { number: '6175550123', country: '1' }],
		[' +44 7700 900123', '44', { number: '7700900123', country: '44' }],
		['+49 170 1234567', '1', { number: '+491701234567' }],
		['1-617-555-0123', undefined, { number: '16175550123' }],
		['12345', '44', { number: '12345', country: '44' }],
		['123456789012345', '44', { number: '123456789012345', country: '44' }],
	])('%s with country %s', (text, country, expected) => {
		expect(parse(text, country)).toEqual(expected);
	});
	test.each([
		['001-212-555-1111', undefined, { number: '2125551111', country: '1' }],
		['001-212-555-1111', '1', { number: '2125551111', country: '1' }],
		['011 44 7700 900123', '1', { number: '+447700900123' }],
		['0044 7700 900123', '44', { number: '7700900123', country: '44' }],
		// From abroad, 011 isn't dialed for +: it's the area code of Turin.
		['011 555 1234', '39', { number: '0115551234', country: '39' }],
		['0612345678', undefined, { number: '0612345678' }],
	])('%s with country %s begins with what is dialed for +, or not', (text, country, expected) => {
		expect(parse(text, country)).toEqual(expected);
	});
	test.each([
		['(000) 000-0000', undefined],
		['1234567890', undefined],
		['999-999-9999', '1'],
		['555.555.5555', '44'],
		['123-456-7899', '1'],
		['+1 911 555 0123', '44'],
		['299-555-0123', '1'],
	])('%s with country %s is no number that somebody has', (text, country) => {
		expect(() => parse(text, country)).toThrow(`'Phone' is '${text}', which no phone has`);
	});
	test.each([
		...['', '1234', '1234567890123456', '617-CALL-NOW', '+', '555 0123', '+1 555 0123'].flatMap(
			(text): Array<[string, string?]> => [
				[text, undefined],
				[text, '1'],
			],
		),
		...['1234', '1234567890123456'].map((text): [string, string] => [text, '44']),
	])('%p is no number in country %p', (text, country) => {
		expect(() => parse(text, country)).toThrow(/^'Phone' is .* which isn't a phone number$/);
	});
	test('however a number is punctuated, it is the same', () => {
		const marks = fc.array(fc.constantFrom('', ' ', '-', '.', '(', ')', ' / '), {
			minLength: 10,
			maxLength: 10,
		});
		const prefixes = fc.constantFrom('', '1-', '+1 ', ' +1.');
		fc.assert(
			fc.property(digits(10, 10), marks, prefixes, (number, between, prefix) => {
				const written = prefix + [...number].map((digit, at) => digit + between[at]).join('');
				expect(parse(written, '1')).toEqual({ number, country: '1' });
			}),
		);
	});
});

test.each([
	[{ number: '6175550123' }, { phone_number: '6175550123' }],
	// The service takes a number without + for one of +1.
	[{ number: '16175550123' }, { phone_number: '6175550123' }],
	[
		{ number: '6175550123', country: '1' },
		{ phone_number: '6175550123', phone: { country_code: '1', number: '6175550123' } },
	],
	[
		{ number: '16175550123', country: '44' },
		{ phone_number: '+4416175550123', phone: { country_code: '44', number: '16175550123' } },
	],
	[{ number: '+491701234567' }, { phone_number: '+491701234567' }],
])('%j is sent as %j', (phone, fields) => {
	expect(buildPhoneFields(phone)).toEqual(fields);
});

test.each([
	[{}, undefined],
	[{ phone: { country_code: '1', number: null }, phone_number: '' }, undefined],
	[{ phone_number: '617 555-0123' }, '+16175550123'],
	[{ phone_number: '+49 170 1234567' }, '+491701234567'],
	[{ phone: { country_code: '+44', number: '7700 900123' } }, '+447700900123'],
	[{ phone: { country_code: '', number: '6175550123' } }, '+16175550123'],
	[{ phone: { country_code: '1', number: '+491701234567' } }, '+491701234567'],
	[{ phone: { country_code: '', number: '' }, phone_number: '6175550123' }, '+16175550123'],
])('the whole number of %j is %s', (signer, expected) => {
	expect(formatFullPhone(signer)).toBe(expected);
});

test('no digit of a whole number is lost between the form and the request', () => {
	const beside = fc.constantFrom(undefined, '1', ...COUNTRIES);
	fc.assert(
		fc.property(
			fc.constantFrom('1', ...COUNTRIES),
			digits(10, 10),
			fc.nat({ max: 3 }),
			beside,
			(code, tenDigits, fewer, other) => {
				// Only the service's own country has numbers of one length.
				const number = code === '1' ? tenDigits : tenDigits.slice(fewer);
				const written = parse(`+${code} ${number}`, other);
				expect(formatFullPhone(buildPhoneFields(written))).toBe(`+${code}${number}`);
				const apart = parse(number, code);
				expect(formatFullPhone(buildPhoneFields(apart))).toBe(`+${code}${number}`);
			},
		),
	);
});

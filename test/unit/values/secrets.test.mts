import fc from 'fast-check';

import { hideInText, hideSecrets } from '../../../nodes/SignAndClose/values/secrets.ts';
import { forEachCase } from '../../support/forEachCase.mts';

const KEY = 'key-5f1d0c9e7b3a4286';
const base64 = (text: string) => Buffer.from(text).toString('base64');

describe('a secret is hidden in messages and outputs, as often as it comes', () => {
	test.each([
		['text', KEY, KEY],
		['JSON within JSON', 'a"secret"b', 'a\\\\\\"secret\\\\\\"b'],
		['a link', 'a secret+b', 'a%20secret%2Bb'],
		['a link, of other letters', 'pässwörd', 'p%C3%A4ssw%c3%b6rd'],
		['a link, of pictures', 'a👧secret', 'a%F0%9F%91%A7secret'],
		['escaped JSON, of pictures', 'a👧secret', 'a\\ud83d\\uDC67secret'],
		['lines', KEY, `${KEY.slice(0, 9)}\r\n  ${KEY.slice(9)}`],
		['lines in JSON', KEY, `${KEY.slice(0, 9)}\\r\\n${KEY.slice(9)}`],
		['capitals', KEY, KEY.toUpperCase()],
		['small letters', 'Pässwörd-1', 'pässwörd-1'],
		['mixed letters', KEY, `K${KEY.slice(1)}`],
		['a link, in capitals', 'pässwörd', 'P%C3%84SSW%c3%96RD'],
		['a link that escapes letters, in capitals', 'secret-key', '%53%45CRET-KEY'],
		['escaped JSON, in capitals', 'pässwörd', 'P\\u00C4SSW\\u00d6RD'],
		['base64, in capitals', 'key-of-mine1', 'S0VZLU9GLU1JTkUx'],
		['base64', '>>>???>>>???', 'Pj4+Pz8/Pj4+Pz8/'],
		['base64 of links', '>>>???>>>???', 'Pj4-Pz8_Pj4-Pz8_'],
	])('as %s', (_what, secret, form) => {
		const twice = `1 ${form} 2 ${form} 3`;
		expect(hideInText(twice, [secret])).toBe('1 *** 2 *** 3');
		expect(hideSecrets({ a: twice }, [secret])).toEqual({ a: '1 *** 2 *** 3' });
	});
	test('wherever it stands within base64', () => {
		fc.assert(
			fc.property(fc.uint8Array({ maxLength: 9 }), fc.uint8Array({ maxLength: 9 }), (one, two) => {
				const all = Buffer.concat([one, Buffer.from(KEY), two]);
				forEachCase([all.toString('base64'), all.toString('base64url')], (form) =>
					expect(hideInText(form, [KEY])).toContain('***'),
				);
			}),
		);
	});
	test('of one that contains another, nothing is left', () => {
		forEachCase(
			[
				[KEY, `${KEY}-signing`],
				[`${KEY}-signing`, KEY],
			],
			(secrets) => {
				expect(hideSecrets({ a: `${KEY}-signing` }, secrets)).toEqual({ a: '***' });
				expect(hideInText(`${KEY}-signing`, secrets)).toBe('***');
			},
		);
	});
	test('a new one of a known list, too', () => {
		const secrets = [KEY];
		expect(hideInText(`${KEY} second-secret`, secrets)).toBe('*** second-secret');
		secrets.push('second-secret');
		expect(hideInText(`${KEY} second-secret`, secrets)).toBe('*** ***');
	});
	test('from four characters on in messages, and from eight in outputs', () => {
		expect(hideInText('abcd and abc', ['abcd', 'abc'])).toBe('*** and abc');
		const secrets = ['12345678', '1234567'];
		expect(hideSecrets({ a: '12345678', b: '1234567' }, secrets)).toEqual({
			a: '***',
			b: '1234567',
		});
		const numbers = { page: 1234567, of: 12345678 };
		expect(hideSecrets(numbers, secrets)).toBe(numbers);
	});
});

describe('a social security number', () => {
	test.each(['123456789', '123-45-6789', '123.45.6789', '123–45–6789', '123 - 45 - 6789'])(
		'is hidden as %s',
		(written) => {
			expect(hideInText(`1 ${written} 2`, ['123456789'])).toBe('1 *** 2');
			expect(hideSecrets({ a: `1 ${written} 2` }, ['123456789'])).toEqual({ a: '1 *** 2' });
		},
	);
	test.each(['123%2D45%2d6789', '123%2045%206789', '123+45+6789', '123/45/6789', '123\n45\n6789'])(
		'is also hidden as %p',
		(written) => {
			expect(hideInText(`1 ${written} 2`, ['123456789'])).toBe('1 *** 2');
		},
	);
	test.each(['123456789', '123-45-6789', '123 45 6789'])('is hidden in base64 of %s', (written) => {
		forEachCase(['', 'x', 'xx', 'SSN: '], (before) =>
			expect(hideInText(base64(`${before}${written} is taken`), ['123456789'])).toContain('***'),
		);
		expect(hideInText(base64(written.replace('123', '124')), ['123456789'])).not.toContain('*');
	});
	test('is hidden as a whole number, also without its leading zeros', () => {
		expect(hideInText('SSN 78051120, 178051120 and 780511201', ['078051120'])).toBe(
			'SSN ***, 178051120 and 780511201',
		);
		expect(
			hideSecrets({ a: 78051120, b: [123456789], c: 6789 }, ['078051120', '123456789']),
		).toEqual({ a: '***', b: ['***'], c: 6789 });
	});
	test('keeps its last four digits', () => {
		const json = { note: 'SSN ending in 6789', masked: '***-**-6789' };
		expect(hideSecrets(json, ['123456789'])).toBe(json);
	});
	test('that nobody entered is hidden in its field', () => {
		const borrower = (ssn: unknown) => ({ borrowers: [{ last_name: 'Borrower', ssn }] });
		forEachCase(['123-45-6789', '123456789', 123456789, 78051120], (ssn) =>
			expect(hideSecrets(borrower(ssn), [])).toEqual(borrower('***')),
		);
		forEachCase(['***-**-6789', '6789', 6789, '', null], (ssn) =>
			expect(hideSecrets(borrower(ssn), [])).toEqual(borrower(ssn)),
		);
	});
});

describe('an output', () => {
	test.each(['signing_key', 'client_secret', 'authorization_header', 'apikey', 'API_KEY'])(
		'hides %s wherever it is, but not whether there is one',
		(name) => {
			expect(hideSecrets({ a: [{ b: { [name]: 'x' } }], [name]: 0 }, [])).toEqual({
				a: [{ b: { [name]: '***' } }],
				[name]: '***',
			});
			forEachCase([null, '', undefined, true, false], (value) => {
				const unset = { [name]: value };
				expect(hideSecrets(unset, [])).toBe(unset);
			});
		},
	);
	test('hides a secret in texts and in names, and keeps what stands around it', () => {
		const input = ['a', { [KEY]: 1, b: `x${KEY}y`, c: { d: 2 } }, [KEY], 7];
		expect(hideSecrets(input, [KEY])).toEqual([
			'a',
			{ '***': 1, b: 'x***y', c: { d: 2 } },
			['***'],
			7,
		]);
		expect(input[2]).toEqual([KEY]);
	});
	test('is otherwise the same object; nothing is left of a secret, wherever it is', () => {
		fc.assert(
			fc.property(fc.jsonValue({ maxDepth: 3 }), fc.string(), (json, text) => {
				fc.pre(!/ssn|social|signing|secret|authorization|api/i.test(JSON.stringify(json)));
				const clean = { json };
				expect(hideSecrets(clean, [KEY])).toBe(clean);
				const output = { a: [json, `${text}${KEY}${text}`], b: { [`${text}${KEY}`]: json } };
				expect(JSON.stringify(hideSecrets(output, [KEY]))).not.toContain(KEY);
			}),
		);
	});
	test('is searched through 201 levels; deeper ones are hidden', () => {
		const nested = (levels: number) =>
			JSON.parse('[{"a":'.repeat(levels) + '1' + '}]'.repeat(levels)) as unknown;
		const kept = nested(100);
		expect(hideSecrets(kept, [KEY])).toBe(kept);
		expect(JSON.stringify(hideSecrets(nested(101), [KEY]))).toContain('{"a":["***"]}');
		expect(() => hideSecrets(nested(50_000), [KEY])).not.toThrow();
	});
	test('is searched in objects without a prototype, and not in those of a class', () => {
		const bare = Object.assign(Object.create(null) as object, { a: KEY });
		expect(hideSecrets({ bare }, [KEY])).toEqual({ bare: { a: '***' } });
		const output = { at: new Date(0), bytes: Buffer.from(KEY) };
		expect(hideSecrets(output, [KEY])).toBe(output);
	});
});

import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';

import { hideInText, hideSecrets } from '../../../nodes/SignAndClose/values/secrets.ts';

/** Forms of secrets that only some have, and the limits of the search. */

const KEY = 'key-5f1d0c9e7b3a4286';
const base64 = (text: string) => Buffer.from(text).toString('base64');

describe('every form of a secret is hidden as often as it comes', () => {
	const twice = (form: string) => `1 ${form} 2 ${form} 3`;
	test.each([
		['text', KEY, KEY],
		['base64', KEY, base64(KEY).replace(/=+$/, '').slice(0, -1)],
		['JSON', 'a"secret"b', 'a\\"secret\\"b'],
		['JSON within JSON', 'a"secret"b', 'a\\\\\\"secret\\\\\\"b'],
		['a link', 'a secret+b', 'a%20secret%2Bb'],
		['a link, of other letters', 'pässwörd', 'p%C3%A4ssw%c3%b6rd'],
		['a link, of control characters', 'ab\tsecret', 'ab%09secret'],
		['a link, of pictures', 'a👧secret', 'a%F0%9F%91%A7secret'],
		['escaped JSON, of pictures', 'a👧secret', 'a\\ud83d\\uDC67secret'],
		['escaped JSON, of other letters', 'pässwörd', 'p\\u00e4ssw\\u00F6rd'],
		['lines', KEY, `${KEY.slice(0, 9)}\r\n  ${KEY.slice(9)}`],
		['lines in JSON', KEY, `${KEY.slice(0, 9)}\\r\\n${KEY.slice(9)}`],
		['base64 of links', '>>>???>>>???', 'Pj4-Pz8_Pj4-Pz8_'],
		['base64', '>>>???>>>???', 'Pj4+Pz8/Pj4+Pz8/'],
	])('as %s', (_what, secret, form) => {
		expect(hideInText(twice(form), [secret])).toBe('1 *** 2 *** 3');
		expect(hideSecrets({ a: twice(form) }, [secret])).toEqual({ a: '1 *** 2 *** 3' });
	});
	test('wherever it stands within base64', () => {
		fc.assert(
			fc.property(fc.uint8Array({ maxLength: 9 }), fc.uint8Array({ maxLength: 9 }), (one, two) => {
				const all = Buffer.concat([one, Buffer.from(KEY), two]);
				for (const form of [all.toString('base64'), all.toString('base64url')])
					expect(hideInText(form, [KEY])).toContain('***');
			}),
		);
	});
});

describe('a social security number', () => {
	test.each(['123456789', '123-45-6789', '123 45 6789'])('is hidden in base64 of %s', (written) => {
		for (const before of ['', 'x', 'xx', 'SSN: '])
			expect(hideInText(base64(`${before}${written} is taken`), ['123456789'])).toContain('***');
		expect(hideInText(base64(written.replace('123', '124')), ['123456789'])).not.toContain('*');
	});
	test.each(['123%2D45%2d6789', '123%2045%206789', '123+45+6789', '123/45/6789', '123\n45\n6789'])(
		'is also hidden as %p',
		(written) => {
			expect(hideInText(`1 ${written} 2`, ['123456789'])).toBe('1 *** 2');
		},
	);
});

test('a social security number that lost its leading zeros is hidden as a whole number', () => {
	const hidden = (text: string) => hideInText(text, ['078051120']);
	expect(hidden('SSN 78051120 is taken, {"ssn":78051120}')).toBe('SSN *** is taken, {"ssn":***}');
	expect(hidden('178051120 and 780511201')).toBe('178051120 and 780511201');
	expect(hideInText('1010001', ['001010001'])).toBe('***');
	expect(hideSecrets({ said: 'SSN 78051120' }, ['078051120'])).toEqual({ said: 'SSN ***' });
});

describe('a short secret', () => {
	test('is hidden in messages from four characters on, in outputs from eight', () => {
		expect(hideInText('abcd and abc', ['abcd', 'abc'])).toBe('*** and abc');
		expect(hideSecrets({ a: '12345678', b: '1234567' }, ['12345678', '1234567'])).toEqual({
			a: '***',
			b: '1234567',
		});
	});
	test('stays in outputs where it is a number', () => {
		const output = { page: 1234, of: 12345678 };
		expect(hideSecrets(output, ['1234', '12345678'])).toBe(output);
	});
});

describe('an output', () => {
	test('keeps what stands around a secret', () => {
		expect(hideSecrets(['a', KEY, 'b', [KEY], 7], [KEY])).toEqual(['a', '***', 'b', ['***'], 7]);
		expect(hideSecrets({ a: 1, b: KEY, c: { d: 2 } }, [KEY])).toEqual({
			a: 1,
			b: '***',
			c: { d: 2 },
		});
		const input = { a: [KEY] };
		hideSecrets(input, [KEY]);
		expect(input).toEqual({ a: [KEY] });
	});
	test.each([
		['lists', '[', ']'],
		['objects', '{"a":', '}'],
	])('is searched through 201 levels of %s; deeper ones are hidden', (_what, open, close) => {
		const nested = (levels: number) =>
			JSON.parse(open.repeat(levels) + '1' + close.repeat(levels)) as unknown;
		const kept = nested(201);
		expect(hideSecrets(kept, [KEY])).toBe(kept);
		expect(JSON.stringify(hideSecrets(nested(202), [KEY]))).toBe(
			`${open.repeat(201)}"***"${close.repeat(201)}`,
		);
	});
	test('is searched in objects without a prototype, and not in those of a class', () => {
		const bare = Object.assign(Object.create(null) as object, { a: KEY });
		expect(hideSecrets({ bare }, [KEY])).toEqual({ bare: { a: '***' } });
		class Held {
			key = KEY;
		}
		const output = { held: new Held(), bytes: Buffer.from(KEY) };
		expect(hideSecrets(output, [KEY])).toBe(output);
	});
	test('keeps what says whether there is a secret', () => {
		const output = { signing_key: undefined, api_key: true, client_secret: false, ssn: undefined };
		expect(hideSecrets(output, [])).toBe(output);
		expect(hideSecrets({ signing_key: 0, client_secret: [] }, [])).toEqual({
			signing_key: '***',
			client_secret: '***',
		});
	});
});

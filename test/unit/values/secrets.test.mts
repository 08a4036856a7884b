import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';

import { redact } from '../../../nodes/SignAndClose/transport/failure/refusal.ts';
import { hideSecrets } from '../../../nodes/SignAndClose/values/secrets.ts';
import { canariesIn, formsOf } from '../../support/canaries/canaries.mts';

const KEY = 'key-5f1d0c9e7b3a4286';

describe('a social security number', () => {
	const ENTERED = ['123456789', '123-45-6789', '123 45 6789'];
	/** What is kept of a number that a person enters: as it is, and its digits (resources/enote/form.ts). */
	const kept = (entered: string) => [entered, entered.replace(/\D/g, '')];
	test.each([
		'123-45-6789',
		'123456789',
		'123 45 6789',
		'123.45.6789',
		'123–45–6789',
		'123 - 45 - 6789',
	])('written as %s is hidden in messages and outputs, however it was entered', (written) => {
		for (const entered of ENTERED) {
			const secrets = kept(entered);
			expect(redact(`SSN ${written} is taken`, secrets)).toBe('SSN *** is taken');
			expect(hideSecrets({ note: `SSN ${written} is taken` }, secrets)).toEqual({
				note: 'SSN *** is taken',
			});
		}
	});
	test('that came as a number is hidden, also without its leading zeros', () => {
		expect(
			hideSecrets({ a: 78051120, b: [123456789], c: 6789 }, ['078051120', '123456789']),
		).toEqual({ a: '***', b: ['***'], c: 6789 });
	});
	test('the last four digits stay', () => {
		const json = { note: 'SSN ending in 6789', masked: '***-**-6789' };
		expect(hideSecrets(json, ['123456789'])).toBe(json);
		expect(redact('ends in 6789', ['123456789'])).toBe('ends in 6789');
	});
	test('that nobody entered is hidden in its field', () => {
		const borrower = (ssn: unknown) => ({ borrowers: [{ last_name: 'Borrower', ssn }] });
		for (const ssn of ['123-45-6789', '123456789', 123456789, 78051120])
			expect(hideSecrets(borrower(ssn), [])).toEqual(borrower('***'));
		for (const ssn of ['***-**-6789', '6789', 6789, '', null])
			expect(hideSecrets(borrower(ssn), [])).toEqual(borrower(ssn));
		expect(redact('{"ssn":"123-45-6789"}, borrowers[0].ssn: 123456789', [])).not.toMatch(/123/);
	});
});

describe('a secret in another form', () => {
	const SECRET = 'a/b+c="d9Zk2mW5';
	const FORMS = Object.entries(formsOf(SECRET));
	test.each(FORMS)('%s is hidden in messages and outputs', (_name, form) => {
		const shown = [redact(form, [SECRET]), hideSecrets({ form }, [SECRET]).form];
		for (const text of shown) {
			expect(text).toContain('***');
			expect(canariesIn(text, { secret: SECRET })).toEqual([]);
		}
	});
	test.each(FORMS)('%s of another text stays', (_name, form) => {
		const json = { form };
		expect(hideSecrets(json, ['a/b+c="d9Zk2mWx', 'q/b+c="d9Zk2mW5'])).toBe(json);
	});
});

describe('outputs', () => {
	test.each(['signing_key', 'client_secret', 'authorization_header', 'apikey', 'API_KEY'])(
		'hide %s wherever it is',
		(name) => {
			expect(hideSecrets({ a: [{ b: { [name]: 'x' } }] }, [])).toEqual({
				a: [{ b: { [name]: '***' } }],
			});
			const unset = { [name]: null, a: { [name]: '' } };
			expect(hideSecrets(unset, [])).toBe(unset);
		},
	);
	test('hide a secret in texts, in names, and in the forms that links and JSON give it', () => {
		const secret = 'a/b+c "d" key';
		const json = {
			plain: `x${secret}y`,
			[secret]: 1,
			link: `https://h/?k=${encodeURIComponent(secret)}`,
			text: JSON.stringify({ secret }),
		};
		expect(hideSecrets(json, [secret])).toEqual({
			plain: 'x***y',
			'***': 1,
			link: 'https://h/?k=***',
			text: '{"secret":"***"}',
		});
	});
	test('keep texts that a short secret could be a part of', () => {
		const json = { loan_number: '7001234', name: 'Latest demo' };
		expect(hideSecrets(json, ['1234', 'demo', 'test'])).toBe(json);
	});
	test('of a secret that contains another one, nothing is left', () => {
		for (const secrets of [
			[KEY, `${KEY}-signing`],
			[`${KEY}-signing`, KEY],
		]) {
			expect(hideSecrets({ a: `${KEY}-signing` }, secrets)).toEqual({ a: '***' });
			expect(redact(`${KEY}-signing`, secrets)).toBe('***');
		}
	});
	test('are otherwise the same object; nothing is left of a secret, wherever it is', () => {
		const withSecret = fc.jsonValue({ maxDepth: 4 });
		fc.assert(
			fc.property(withSecret, (json) => {
				const wrapped = { json: json as never };
				const named = /ssn|social|signing|secret|authorization|api/i.test(JSON.stringify(json));
				if (!JSON.stringify(json).includes(KEY) && !named)
					expect(hideSecrets(wrapped, [KEY])).toBe(wrapped);
			}),
		);
		fc.assert(
			fc.property(fc.jsonValue({ maxDepth: 3 }), fc.string(), (json, text) => {
				const hidden = hideSecrets(
					{ a: [json, `${text}${KEY}${text}`], b: { [`${text}${KEY}`]: json } },
					[KEY],
				);
				expect(JSON.stringify(hidden)).not.toContain(KEY);
			}),
		);
	});
	test('dates, functions and other objects of a class stay as they are', () => {
		const json = { at: new Date(0), none: undefined };
		expect(hideSecrets(json, [KEY])).toBe(json);
	});
});

test('a secret far inside takes no longer', () => {
	let json: unknown = KEY;
	for (let depth = 0; depth < 150; depth++) json = { a: json, b: [depth] };
	expect(JSON.stringify(hideSecrets(json, [KEY]))).toMatch(/"\*\*\*"/);
	for (let depth = 0; depth < 50_000; depth++) json = [json];
	expect(() => hideSecrets(json, [KEY])).not.toThrow();
});

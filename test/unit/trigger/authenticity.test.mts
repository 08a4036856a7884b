import { createHmac } from 'node:crypto';

import fc from 'fast-check';

import {
	hashKey,
	isSameSecret,
	isSignedBy,
	createSecret,
	signBody,
	withoutSecret,
	withSecret,
} from '../../../nodes/SignAndClose/trigger/authenticity.ts';
import { signature as sandboxSignature } from '../../../sandbox/domain/webhooks/signature.mts';
import { forEachCase } from '../../support/forEachCase.mts';

describe('signatures', () => {
	// Test cases 1 and 2.
	test.each([
		[
			Buffer.alloc(20, 0x0b).toString('latin1'),
			'Hi There',
			'b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7',
		],
		[
			'Jefe',
			'what do ya want for nothing?',
			'5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
		],
	])('the known answers of RFC 4231 (%#)', (key, body, expected) => {
		expect(signBody(body, key)).toBe(expected);
		expect(isSignedBy(expected, body, [key])).toBe(true);
	});
	test('are those of the sandbox and of Node.js', () => {
		fc.assert(
			fc.property(fc.string(), fc.string({ minLength: 1 }), (body, key) => {
				expect(signBody(body, key)).toBe(sandboxSignature(body, key));
				expect(signBody(Buffer.from(body), key)).toBe(
					createHmac('sha256', key).update(body).digest('hex'),
				);
			}),
		);
	});
	test('any flipped bit of body or signature, and any other key, fails', () => {
		const cases = fc.record({
			body: fc.uint8Array({ minLength: 1, maxLength: 300 }),
			key: fc.string({ minLength: 1 }),
			other: fc.string({ minLength: 1 }),
			bit: fc.nat(),
		});
		fc.assert(
			fc.property(cases, ({ body, key, other, bit }) => {
				const bytes = Buffer.from(body);
				const signed = signBody(bytes, key);
				expect(isSignedBy(signed, bytes, [other, key])).toBe(true);
				if (other !== key) expect(isSignedBy(signed, bytes, [other])).toBe(false);
				const flipped = Buffer.from(bytes);
				flipped[bit % flipped.length] ^= 1 << (bit % 8);
				expect(isSignedBy(signed, flipped, [key])).toBe(false);
				const mark = Buffer.from(signed, 'hex');
				mark[bit % 32] ^= 1 << (bit % 8);
				expect(isSignedBy(mark.toString('hex'), bytes, [key])).toBe(false);
			}),
		);
	});
	test('anything else given as a signature is rejected, never an exception', () => {
		fc.assert(
			fc.property(
				fc.anything(),
				fc.string(),
				(given, body) => isSignedBy(given, body, ['key', '']) === false,
			),
		);
		forEachCase(
			[
				'',
				'sha256=' + signBody('a', 'key'),
				signBody('a', 'key').toUpperCase(),
				[signBody('a', 'key')],
				signBody('a', ''),
			],
			(given) => expect(isSignedBy(given, 'a', ['key', ''])).toBe(false),
		);
	});
});

test('a new secret is the same as itself alone, and 50 of them all differ', () => {
	const secret = createSecret();
	expect(isSameSecret(secret, secret)).toBe(true);
	fc.assert(
		fc.property(
			fc.anything(),
			(given) =>
				isSameSecret(given, secret) === false &&
				isSameSecret(given, '') === false &&
				isSameSecret(given, undefined) === false,
		),
	);
	expect(new Set(Array.from({ length: 50 }, createSecret)).size).toBe(50);
});

test('any two secrets are the same only if they are equal; nothing given is an exception', () => {
	fc.assert(
		fc.property(
			fc.anything(),
			fc.string({ minLength: 1 }),
			(given, secret) => isSameSecret(given, secret) === (given === secret),
		),
	);
	expect(isSameSecret('', '')).toBe(false);
});

test('the secret is put into the address and taken out of it again', () => {
	const address = 'https://n8n.example.com/webhook/abc/events';
	expect(withoutSecret(withSecret(address, createSecret()))).toBe(address);
	expect(withoutSecret('not an address')).toBe('');
});

test('only a text is an address, whatever it would be as text', () => {
	const address = 'https://n8n.example.com/webhook/abc/events';
	forEachCase(
		[[address], new URL(address), { toString: (): string => address }, undefined, null],
		(given) => expect(withoutSecret(given)).toBe(''),
	);
	expect(withoutSecret(`${address}?key=a&b=c#d`)).toBe(address);
});

test('a key is recognized by the first 16 digits of its SHA-256', () => {
	// The known answer of FIPS 180-2 for "abc" begins like this.
	expect(hashKey('abc')).toBe('ba7816bf8f01cfea');
	expect(hashKey('abd')).not.toBe(hashKey('abc'));
});

import { expect, test } from '@jest/globals';
import fc from 'fast-check';

import {
	fingerprint,
	isSameSecret,
	newSecret,
	withoutSecret,
	withSecret,
} from '../../../nodes/SignAndClose/trigger/authenticity.ts';

test('a new secret is the same as itself alone, and 50 of them all differ', () => {
	const secret = newSecret();
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
	expect(new Set(Array.from({ length: 50 }, newSecret)).size).toBe(50);
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
	expect(withoutSecret(withSecret(address, newSecret()))).toBe(address);
	expect(withoutSecret('not an address')).toBe('');
});

test('only a text is an address, whatever it would be as text', () => {
	const address = 'https://n8n.example.com/webhook/abc/events';
	for (const given of [[address], new URL(address), { toString: () => address }, undefined, null])
		expect(withoutSecret(given)).toBe('');
	expect(withoutSecret(`${address}?key=a&b=c#d`)).toBe(address);
});

test('a key is recognized by the first 16 digits of its SHA-256', () => {
	// The known answer of FIPS 180-2 for "abc" begins like this.
	expect(fingerprint('abc')).toBe('ba7816bf8f01cfea');
	expect(fingerprint('abd')).not.toBe(fingerprint('abc'));
});

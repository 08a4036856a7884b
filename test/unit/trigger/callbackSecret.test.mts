import { expect, test } from '@jest/globals';
import fc from 'fast-check';

import {
	isSameSecret,
	newSecret,
	withoutSecret,
	withSecret,
} from '../../../nodes/SignAndClose/trigger/authenticity/callbackSecret.ts';

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

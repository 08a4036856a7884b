import { createHmac } from 'node:crypto';

import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';

import { signature as sandboxSignature } from '../../../sandbox/domain/webhooks/signature.mts';
import { isSignedBy, signBody } from '../../../nodes/SignAndClose/trigger/authenticity.ts';

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
		for (const given of [
			'',
			'sha256=' + signBody('a', 'key'),
			signBody('a', 'key').toUpperCase(),
			[signBody('a', 'key')],
			signBody('a', ''),
		])
			expect(isSignedBy(given, 'a', ['key', ''])).toBe(false);
	});
});

import { createHmac } from 'node:crypto';

import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';

import { signature as sandboxSignature } from '../../sandbox/domain/webhooks.mts';
import { readDelivery } from '../../nodes/SignAndClose/service/resources/deliveries.ts';
import { isOutdated } from '../../nodes/SignAndClose/trigger/events/outdated.ts';
import { isSameSecret } from '../../nodes/SignAndClose/trigger/authenticity/callbackSecret.ts';
import { isSignedBy, signBody } from '../../nodes/SignAndClose/trigger/authenticity/signature.ts';

describe('signatures', () => {
	// RFC 4231, test cases 1 and 2.
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
	])('known answers (%#)', (key, body, expected) => {
		expect(signBody(body, key)).toBe(expected);
		expect(isSignedBy(expected, body, [key])).toBe(true);
	});
	test('are those of the sandbox and of any other implementation', () => {
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
	test('whatever comes as a signature is no exception', () => {
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
	test('secrets: equal only to themselves, and never an exception', () => {
		fc.assert(
			fc.property(
				fc.anything(),
				fc.string({ minLength: 1 }),
				(given, secret) => isSameSecret(given, secret) === (given === secret),
			),
		);
		expect(isSameSecret('', '')).toBe(false);
	});
});

describe('the identity of a delivery', () => {
	const payloads = fc.record({
		event: fc.string({ minLength: 1 }),
		data: fc.record(
			{ transaction_id: fc.string({ minLength: 1 }), more: fc.jsonValue() },
			{ requiredKeys: [] },
		),
	});
	const dated = fc.record({
		event: fc.constantFrom('transaction.completed', 'transaction.sent'),
		data: fc.record({
			transaction_id: fc.constantFrom('ot_1', 'ot_2', 'ot_3'),
			date_occurred: fc.constantFrom('2026-11-21T10:00:00.000000Z', '2026-11-21T10:00:00.000001Z'),
		}),
	});
	test('is the same as a text and as an object, whatever the order of the fields', () => {
		fc.assert(
			fc.property(payloads, ({ event, data }) => {
				const text = JSON.stringify({ event, data });
				const turned = JSON.stringify({
					data: Object.fromEntries(Object.entries(data).reverse()),
					event,
				});
				expect(readDelivery(turned)?.key).toBe(readDelivery(text)?.key);
				expect(readDelivery(JSON.parse(text))?.key).toBe(readDelivery(text)?.key);
			}),
		);
	});
	test('differs for any other event, transaction or date', () => {
		fc.assert(
			fc.property(
				dated,
				dated,
				(one, other) =>
					(readDelivery(one)!.key === readDelivery(other)!.key) ===
					(JSON.stringify(one) === JSON.stringify(other)),
			),
		);
	});
	test('with a date nothing else matters: repeats may differ in what is added', () => {
		const body = {
			event: 'transaction.sent',
			data: { transaction_id: 'ot_1', date_occurred: 'x' },
		};
		expect(readDelivery({ ...body, data: { ...body.data, signers: [] } })?.key).toBe(
			readDelivery(body)?.key,
		);
	});
	test('what is no event is none, and never an exception', () => {
		fc.assert(
			fc.property(fc.anything(), (given) =>
				['object', 'undefined'].includes(typeof readDelivery(given)),
			),
		);
		for (const given of ['', '[]', '{"event":1}', '{"event":""}', null, 7])
			expect(readDelivery(given)).toBeUndefined();
	});
});

describe('outdated', () => {
	test.each([
		['transaction.sent', { status: 'completed', detailed_status: 'complete' }, true],
		['transaction.sent', { status: 'sent', detailed_status: 'sent_to_signer' }, false],
		['transaction.sent', { status: 'started', detailed_status: 'recalled' }, true],
		[
			'transaction.completed',
			{ status: 'completed_with_rejections', detailed_status: 'complete_with_rejections' },
			false,
		],
		['transaction.recalled', { status: 'sent', detailed_status: 'sent_to_signer' }, true],
		['transaction.sent', { status: 'expired', detailed_status: 'expired' }, true],
		['transaction.expired', { status: 'expired', detailed_status: 'expired' }, false],
		[
			'transaction.completed',
			{ status: 'partially_completed', detailed_status: 'partially_complete' },
			false,
		],
		['transaction.document.upload', { status: 'completed' }, undefined],
		['transaction.sent', { status: 'something_new' }, undefined],
	])('%s while %j: %s', (event, transaction, expected) => {
		expect(isOutdated(event, transaction)).toBe(expected);
	});
});

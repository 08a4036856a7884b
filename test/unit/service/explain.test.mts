import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';

import {
	explainAnswer,
	explainFault,
	extractMessages,
	redact,
} from '../../../nodes/SignAndClose/service/errors/explain.ts';
import { refusalBody } from '../../../sandbox/domain/refusal.mts';

/** Words that n8n's rules for error texts ask to avoid. */
const BLAME = /\b(error|problem|failure|mistake)\b/i;

describe('extractMessages', () => {
	const shapes: Array<[string, unknown]> = [
		['errors: [text]', { errors: ['eNote Required'] }],
		['message and errors', { message: 'eNote Required', errors: ['eNote Required'] }],
		['errors: {request: text}', { errors: { request: 'eNote Required' } }],
		['errors: {request: [text]}', { errors: { request: ['eNote Required'] } }],
		['error: text', { error: 'eNote Required' }],
		['a bare string', 'eNote Required'],
	];
	test.each(shapes)('finds the text in %s', (_name, body) => {
		expect(extractMessages(body)).toEqual(['eNote Required']);
	});
	test('names the field that is complained about', () => {
		expect(extractMessages({ errors: { email: ['is not valid'] } })).toEqual([
			'email: is not valid',
		]);
	});
	test('drops web pages and XML, folds white space, cuts long texts', () => {
		expect(extractMessages('<html><body>Bad gateway</body></html>')).toEqual([]);
		expect(extractMessages('<?xml version="1.0"?><Error/>')).toEqual([]);
		expect(extractMessages({ error: ' a\n\u0000b  c ' })).toEqual(['a b c']);
		expect(extractMessages({ error: 'x'.repeat(5000) })[0].length).toBeLessThan(700);
	});
	test('never throws, whatever the body is', () => {
		fc.assert(
			fc.property(fc.anything(), (body) =>
				extractMessages(body).every((text) => typeof text === 'string' && text.length < 700),
			),
		);
	});
});

describe('explainAnswer', () => {
	test('every status from 300 to 599 has a sentence and a remedy without blame', () => {
		for (let status = 300; status < 600; status++) {
			const { message, details } = explainAnswer({ status, body: undefined, attempts: 1 });
			expect(message.length).toBeGreaterThan(10);
			expect(details.remedy.length).toBeGreaterThan(10);
			expect(`${message} ${details.remedy}`).not.toMatch(BLAME);
		}
	});
	test.each([
		['Need at least 1 signer', /'Signer'/],
		['eNote Required', /'eNote: Add'/],
		['Esign required yet no Signer Designations specified in Document Bundle', /'Designations'/],
		['Transaction has expired', /anew/],
		['Invalid Value for transaction_type', /'Transaction Type'/],
		['File is too big (max is 30MB)', /30 MB/],
		['Transaction has already been completed by at least 1 signer.', /no longer/],
		['Invalid subscription passed', /'Trigger On'/],
	])('%s has a remedy of our own, in every shape the service uses', (text, remedy) => {
		for (const operation of ['a', 'b', 'c', 'd', 'e', 'f']) {
			const { message, details } = explainAnswer({
				status: 422,
				body: refusalBody(operation, 422, text),
				attempts: 1,
			});
			expect(message).toContain(text);
			expect(details.remedy).toMatch(remedy);
		}
	});
	test('404 names the parameter and the id; the trace can be quoted', () => {
		const { message, details } = explainAnswer({
			status: 404,
			body: { error: 'x' },
			subject: { label: 'Document', id: 'do_1' },
			trace: 'Root=1',
			attempts: 1,
		});
		expect(message).toBe("'Document' do_1 was not found");
		expect(details.remedy).toMatch(/Root=1/);
	});
});

test('network faults have a sentence and a remedy without blame, and say when it is not known what was done', () => {
	for (const code of [
		'ECONNREFUSED',
		'ENOTFOUND',
		'ETIMEDOUT',
		'ECONNRESET',
		'CERT_HAS_EXPIRED',
		'EHOSTUNREACH',
		'UNKNOWN',
	]) {
		for (const doubt of [true, false]) {
			const { message, details } = explainFault(code, 2, doubt);
			expect(`${message} ${details.remedy}`).not.toMatch(BLAME);
			expect(details.inDoubt).toBe(doubt);
			expect(message.includes('not known')).toBe(doubt);
		}
	}
});

test('redact leaves no secret in a text', () => {
	fc.assert(
		fc.property(
			fc.string({ minLength: 8, maxLength: 40 }),
			fc.string(),
			fc.string(),
			(secret, before, after) => {
				fc.pre(!'***'.includes(secret) && !secret.includes('*'));
				expect(redact(before + secret + after + secret, [secret])).not.toContain(secret);
			},
		),
	);
});

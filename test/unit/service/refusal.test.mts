import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';

import { extractMessages, redact } from '../../../nodes/SignAndClose/service/errors/refusal.ts';

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

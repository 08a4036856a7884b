import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';

import {
	extractMessages,
	redact,
} from '../../../../nodes/SignAndClose/transport/failure/refusal.ts';

const XML = '<?xml version="1.0" encoding="UTF-8"?>\n';

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
	test.each([
		['errors: {field: [text]}', { errors: { email: ['is not valid'] } }],
		['errors: {field: {message}}', { errors: { email: { message: 'is not valid' } } }],
		['errors: [{field, message}]', { errors: [{ field: 'email', message: 'is not valid' }] }],
		[
			'invalid-params of problem+json',
			{ 'invalid-params': [{ name: 'email', reason: 'is not valid' }] },
		],
	])('names the field that is complained about in %s', (_name, body) => {
		expect(extractMessages(body)).toEqual(['email: is not valid']);
	});
	test.each([
		['detail', { title: 'Unprocessable', status: 422, detail: 'eNote Required' }],
		['detail in errors', { errors: [{ status: '422', code: 'e7', detail: 'eNote Required' }] }],
		['reason', { reason: 'eNote Required' }],
		['reason in error', { error: { code: 422, reason: 'eNote Required' } }],
		['title alone', { type: 'about:blank', title: 'eNote Required', status: 422 }],
		['a list', [{ message: 'eNote Required' }]],
		['Message, as gateways write it', { Message: 'eNote Required' }],
		['errorMessage', { errorType: 'Refused', errorMessage: 'eNote Required' }],
		['description', { code: 422, description: 'eNote Required' }],
		['fault', { fault: { faultstring: 'eNote Required' } }],
		['the XML of a storage', `${XML}<Error><Message>eNote Required</Message></Error>`],
	])('reads %s', (_name, body) => {
		expect(extractMessages(body)).toEqual(['eNote Required']);
	});
	test('reads the code and the text of XML, without what signs the link', () => {
		const body = `${XML}<Error><Code>AccessDenied</Code><Message>Request has expired &amp; ended</Message><X-Amz-Expires>900</X-Amz-Expires><StringToSign>secret</StringToSign></Error>`;
		expect(extractMessages(body)).toEqual(['AccessDenied: Request has expired & ended']);
		expect(extractMessages('<Error><Code>NoSuchKey</Code></Error>')).toEqual(['NoSuchKey']);
	});
	test('reads everything that problem+json and its neighbors say', () => {
		expect(
			extractMessages({
				title: 'Unprocessable',
				detail: 'Two fields are wrong',
				errors: { email: ['is not valid', 'is taken'], 'signers[0]': { phone: 'is too short' } },
				'invalid-params': [{ name: 'zip', reason: 'has four digits' }],
				reason: 'validation',
				message: 'Bad Request',
			}),
		).toEqual([
			'email: is not valid',
			'email: is taken',
			'phone: is too short',
			'zip: has four digits',
			'Two fields are wrong',
			'validation',
			'Bad Request',
		]);
	});
	test('gives every text once', () => {
		expect(
			extractMessages({ errors: ['one', 'two', 'one'], detail: 'three', message: 'two' }),
		).toEqual(['one', 'two', 'three']);
	});
	test('a link keeps its address and loses what it is signed with', () => {
		const link = 'https://user:pass@files.example.com/do_1/deed.pdf?X-Sig=abc&Expires=9#part';
		for (const body of [
			{ errors: [`Could not fetch ${link}, try again`] },
			JSON.stringify({ error: link }).replaceAll('/', '\\/'),
		])
			expect(extractMessages(body).join()).not.toMatch(/abc|pass|Expires/);
		expect(extractMessages({ errors: [`Could not fetch ${link} now`] })).toEqual([
			'Could not fetch https://files.example.com/do_1/deed.pdf now',
		]);
	});
	test.each([
		{ error: 'sdk_token: eyJhbGc is used up' },
		{ errors: { sdk_token: ['eyJhbGc'] } },
		{ error: '{"transaction_access_link":"https://sign.example.com/t/eyJhbGc"}' },
		{ errors: ['transaction_access_link=https://sign.example.com/t/eyJhbGc&x=1'] },
	])('what lets its bearer sign is not shown: %j', (body) => {
		expect(extractMessages(body).join()).not.toMatch(/eyJhbGc/);
		expect(redact(JSON.stringify(body), [])).not.toMatch(/eyJhbGc/);
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

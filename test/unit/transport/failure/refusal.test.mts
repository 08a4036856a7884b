import fc from 'fast-check';

import type { RefusalFacts } from '../../../../nodes/SignAndClose/transport/failure/failure.ts';
import {
	extractMessages,
	redact,
	readRefusal,
	toRefusal,
	buildUnexpectedAnswer,
} from '../../../../nodes/SignAndClose/transport/failure/refusal.ts';
import { forEachCase } from '../../../support/forEachCase.mts';

/** What is read of an answer that isn't a success. */

const XML = '<?xml version="1.0" encoding="UTF-8"?>\n';

describe('the texts of a body', () => {
	test.each<[string, unknown]>([
		['errors: [text]', { errors: ['eNote Required'] }],
		['errors: text', { errors: 'eNote Required' }],
		['message and errors', { message: 'eNote Required', errors: ['eNote Required'] }],
		['errors: {request: text}', { errors: { request: 'eNote Required' } }],
		['errors: {request: [text]}', { errors: { request: ['eNote Required'] } }],
		['errors: {message}', { errors: { message: 'eNote Required' } }],
		['nothing beside others', { errors: [null, true, [['eNote Required']]] }],
		['error: text', { error: 'eNote Required' }],
		['a bare text', 'eNote Required'],
		['a list', [{ message: 'eNote Required' }]],
		['detail', { title: 'Unprocessable', status: 422, detail: 'eNote Required' }],
		['detail in errors', { errors: [{ status: '422', code: 'e7', detail: 'eNote Required' }] }],
		['reason in error', { error: { code: 422, reason: 'eNote Required' } }],
		['title alone', { type: 'about:blank', title: 'eNote Required', status: 422 }],
		['Message, as gateways write it', { Message: 'eNote Required' }],
		['errorMessage', { errorType: 'Refused', errorMessage: 'eNote Required' }],
		['description', { code: 422, description: 'eNote Required' }],
		['fault', { fault: { faultstring: 'eNote Required' } }],
	])('are found in %s', (_name, body) => {
		expect(extractMessages(body)).toEqual(['eNote Required']);
	});
	test.each<[string, unknown]>([
		['errors: {field: [text]}', { errors: { email: ['is not valid'] } }],
		['errors: {field: {message}}', { errors: { email: { message: 'is not valid' } } }],
		['errors: [{field, message}]', { errors: [{ field: 'email', message: 'is not valid' }] }],
		['problem+json', { 'invalid-params': [{ name: 'email', reason: 'is not valid' }] }],
	])('name the field that is complained about in %s', (_name, body) => {
		expect(extractMessages(body)).toEqual(['email: is not valid']);
	});
	test('keep names of fields that elsewhere say what is wrong', () => {
		const errors = { description: 'is too long', name: ['is taken', 'is old'], zip: [7] };
		expect(extractMessages({ errors })).toEqual([
			'description: is too long',
			'name: is taken',
			'name: is old',
			'zip: 7',
		]);
	});
	test('are all that problem+json and its neighbors say, each once', () => {
		expect(
			extractMessages({
				title: 'Unprocessable',
				detail: 'Two fields are wrong',
				errors: { email: ['is not valid', 'is taken'], 'signers[0]': { phone: 'is too short' } },
				'invalid-params': [{ name: 'zip', reason: 'has four digits' }],
				reason: 'validation',
				message: 'validation',
			}),
		).toEqual([
			'email: is not valid',
			'email: is taken',
			'phone: is too short',
			'zip: has four digits',
			'Two fields are wrong',
			'validation',
		]);
	});
	test('of a storage are its code and its text, without what signs the link', () => {
		const refused = `${XML}<Error><Code>AccessDenied</Code><Message>Request has expired</Message><StringToSign>secret</StringToSign></Error>`;
		expect(extractMessages(refused)).toEqual(['AccessDenied: Request has expired']);
	});
	test.each([
		'<html><body>Bad gateway</body></html>',
		'<!DOCTYPE html><p>x',
		`${XML}<a/>`,
		'\n<H1>Gone',
		'<soap:Envelope xmlns="x"><Body>No</Body></soap:Envelope>',
	])('are none in a page such as %p', (page) => {
		expect(extractMessages(page)).toEqual([]);
		expect(extractMessages({ error: page })).toEqual([]);
	});
	test.each(['<3 errors', 'a <b> c', '<jane@example.com> is no address', '<email> is taken'])(
		'are no page when they are %p',
		(text) => {
			expect(extractMessages({ error: text })).toEqual([text]);
		},
	);
	test('are none where no name says so', () => {
		expect(extractMessages({ id: 'do_1', status: 422, email: 'a@b.example' })).toEqual([]);
	});
	test('are one line each, at most ten of 600 characters from five levels', () => {
		expect(extractMessages({ error: ' a\n\u0000b  c ' })).toEqual(['a b c']);
		expect(extractMessages({ error: 'x'.repeat(600) })).toEqual(['x'.repeat(600)]);
		expect(extractMessages({ error: 'x'.repeat(601) })).toEqual([`${'x'.repeat(600)}…`]);
		const errors = Array.from({ length: 12 }, (_, index) => `text ${index}`);
		expect(extractMessages({ errors })).toEqual(errors.slice(0, 10));
		const lists = (levels: number) =>
			JSON.parse('['.repeat(levels) + '"x"' + ']'.repeat(levels)) as unknown;
		expect(extractMessages(lists(4))).toEqual(['x']);
		expect(extractMessages(lists(100_000))).toEqual([]);
	});
	test('lose a secret before a cut could leave a part of it', () => {
		const clean = (text: string) => text.replaceAll('secret-of-this-test', '***');
		forEachCase(
			Array.from({ length: 30 }, (_value, index) => 575 + index),
			(before) => {
				const [said] = extractMessages(
					{ error: `${'x'.repeat(before)}secret-of-this-test` },
					clean,
				);
				expect(said).not.toMatch(/xs|sec/);
			},
		);
	});
	test('are texts whatever the body is', () => {
		fc.assert(
			fc.property(fc.anything(), (body) =>
				extractMessages(body).every((text) => typeof text === 'string' && text.length < 700),
			),
		);
	});
});

describe('what gives access to whoever has it is not shown', () => {
	test.each([
		{ error: 'sdk_token: eyJhbGc is used up' },
		{ errors: { sdk_token: ['eyJhbGc'] } },
		{ error: '{"transaction_access_link":"https://sign.example.com/t/eyJhbGc"}' },
		{ errors: ['transaction_access_link=https://sign.example.com/t/eyJhbGc&x=1'] },
		{ errors: ['Could not fetch https://eyJhbGc:pass@files.example.com/a.pdf?X-Sig=eyJhbGc now'] },
		JSON.stringify({ error: 'https://h.example/a.pdf?sig=eyJhbGc' }).replaceAll('/', '\\/'),
	])('in %j', (body) => {
		expect(extractMessages(body).join()).not.toMatch(/eyJhbGc|pass/);
		expect(redact(typeof body === 'string' ? body : JSON.stringify(body), [])).not.toMatch(
			/eyJhbGc|pass/,
		);
	});
	test.each([
		['{"signing_key":"eyJ","a":1}', '{"signing_key":"***","a":1}'],
		['client_secret=eyJ&x=1', 'client_secret=***'],
		['ssn: 123-45-6789 is taken', 'ssn: *** is taken'],
		['{"social_security_number":"123456789"}', '{"social_security_number":"***"}'],
		['ssn: 6789', 'ssn: 6789'],
		['See https://u:p@h.example/a?s=1#x now', 'See https://h.example/a now'],
		['a key-of-four and 4444', 'a *** and ***'],
		['nothing to hide', 'nothing to hide'],
	])('%p is shown as %p', (text, expected) => {
		expect(redact(text, ['key-of-four', '4444', 'hid'])).toBe(expected);
	});
});

describe('a refusal', () => {
	const FACTS: RefusalFacts = { status: 422, purpose: 'write', attempts: 2 };
	const clean = (text: string) => text.replaceAll('the-key', '***');
	test('holds what is known and what was said, without secrets', () => {
		const headers = {
			'retry-after': '5',
			location: 'https://h.example/the-key',
			'x-amz-trace-id': 'the-key\r\n\u001b[31mdef',
		};
		const answer = { status: 422, headers, body: '{"errors":["No the-key"]}' };
		const path = { documentId: 'do_1' };
		expect(readRefusal(answer, { purpose: 'write', attempts: 2, path }, clean)).toMatchObject({
			reason: {
				...FACTS,
				code: 'refused',
				details: ['No ***'],
				structured: true,
				subject: { name: 'documentId', id: 'do_1' },
				redirectHost: 'h.example',
				retryAfterMs: 5000,
				trace: '*** [31mdef',
			},
			flags: { httpStatus: 422, final: true },
		});
		expect(toRefusal('', FACTS).reason).not.toHaveProperty('trace');
	});
	test.each([
		[true, [301, 400, 401, 403, 404, 409, 410, 422, 499]],
		[false, [408, 429, 500, 501, 502, 503, 504, 599]],
	])('it is %p that repeating does not help after %j', (final, statuses) => {
		forEachCase(statuses, (status) =>
			expect(toRefusal('', { ...FACTS, status }).flags).toEqual({ httpStatus: status, final }),
		);
	});
});

test('a success that is none has its status, and may be another one next time', () => {
	expect(buildUnexpectedAnswer(204)).toMatchObject({ reason: { code: 'unexpectedAnswer' } });
	expect(buildUnexpectedAnswer(204).flags).toEqual({ httpStatus: 204 });
});

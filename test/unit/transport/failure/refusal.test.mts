import { describe, expect, test } from '@jest/globals';

import {
	redact,
	toRefusal,
	unexpectedAnswer,
} from '../../../../nodes/SignAndClose/transport/failure/refusal.ts';

describe('a refusal', () => {
	const FACTS = { status: 422, asked: 'write' as const, attempts: 2 };
	test('holds what is known and what was said', () => {
		const facts = {
			...FACTS,
			subject: { name: 'documentId' as const, id: 'do_1' },
			retryAfterMs: 5,
			undocumented: true,
		};
		expect(toRefusal({ errors: ['eNote Required'] }, facts)).toMatchObject({
			message: 'refused',
			reason: { ...facts, code: 'refused', said: ['eNote Required'], structured: true },
			flags: { httpStatus: 422, final: true },
		});
	});
	test.each<[boolean, unknown]>([
		[true, {}],
		[true, { errors: [] }],
		[true, []],
		[false, 'Not Found'],
		[false, ''],
		[false, null],
		[false, undefined],
		[false, 404],
	])('it is %p that its body %j is structured', (structured, body) => {
		expect(toRefusal(body, FACTS).reason).toMatchObject({ structured });
	});
	test.each([
		[true, [301, 400, 401, 403, 404, 409, 410, 422, 499]],
		[false, [408, 429, 500, 501, 502, 503, 504, 599]],
	])('it is %p that repeating does not help after %j', (final, statuses) => {
		for (const status of statuses)
			expect(toRefusal('', { ...FACTS, status }).flags).toEqual({ httpStatus: status, final });
	});
	test('has a trace in one line, if there is one', () => {
		const traced = toRefusal('', { ...FACTS, trace: 'abc\r\n\u001b[31mdef' });
		expect(traced.reason).toMatchObject({ trace: 'abc [31mdef' });
		expect(toRefusal('', FACTS).reason).not.toHaveProperty('trace');
	});
});

test('a success that is none has its status, and may be another one next time', () => {
	expect(unexpectedAnswer(204)).toMatchObject({
		message: 'unexpectedAnswer',
		reason: { code: 'unexpectedAnswer' },
		flags: { httpStatus: 204 },
	});
	expect(unexpectedAnswer(204).flags.final).toBeUndefined();
});

test.each([
	['sdk_token: eyJhbGc is used up', 'sdk_token: *** is used up'],
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

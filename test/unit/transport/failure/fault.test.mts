import { describe, expect, test } from '@jest/globals';
import { OperationalError, UserError } from 'n8n-workflow';

import { ServiceFailure } from '../../../../nodes/SignAndClose/transport/failure/failure.ts';
import {
	readAnswerFault,
	readFault,
} from '../../../../nodes/SignAndClose/transport/failure/fault.ts';

/** An error as n8n's helpers throw it: their own class around what went wrong. */
const wrapped = (cause: unknown) =>
	Object.assign(new Error('wrapped', { cause }), { level: 'warning', httpCode: null });
const coded = (code: string, syscall?: string) =>
	wrapped(Object.assign(new Error(code), { code, syscall }));

describe('readFault', () => {
	test.each(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH'])(
		'%s is before the first byte, and may pass',
		(code) => {
			expect(readFault(coded(code))).toMatchObject({ code, nothingSent: true, lasting: false });
		},
	);
	test.each(['ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ECONNABORTED', 'EPROTO', 'ERR_CANCELED'])(
		'%s proves nothing',
		(code) => {
			expect(readFault(coded(code))).toMatchObject({ code, nothingSent: false, lasting: false });
		},
	);
	test('a server without encryption is noticed before the first byte', () => {
		const plain = Object.assign(new Error('SSL routines: wrong version number'), {
			code: 'EPROTO',
			syscall: 'write',
		});
		expect(readFault(wrapped(plain))).toMatchObject({ nothingSent: true, lasting: true });
	});
	test('a time-out while connecting is before the first byte', () => {
		expect(readFault(coded('ETIMEDOUT', 'connect'))).toMatchObject({ nothingSent: true });
	});
	test.each([
		'CERT_HAS_EXPIRED',
		'DEPTH_ZERO_SELF_SIGNED_CERT',
		'SELF_SIGNED_CERT_IN_CHAIN',
		'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
		'ERR_TLS_CERT_ALTNAME_INVALID',
		'ERR_SSL_WRONG_VERSION_NUMBER',
		'ERR_INVALID_CHAR',
		'ERR_INVALID_URL',
		'ERR_UNESCAPED_CHARACTERS',
	])('%s is before the first byte, and lasts', (code) => {
		expect(readFault(coded(code))).toMatchObject({ code, nothingSent: true, lasting: true });
	});
	test.each([
		[new UserError('Credential with ID "1" does not exist')],
		[new OperationalError('The database is not ready')],
	])("n8n's own %s is before the first byte", (error) => {
		const fault = { said: error.message, nothingSent: true, lasting: true };
		expect(readFault(wrapped(error))).toMatchObject(fault);
		expect(readFault(error)).toMatchObject(fault);
		// It may come from the file that is being sent.
		expect(readFault(wrapped(error), true)).toMatchObject({ nothingSent: false });
	});
	test("n8n's block of addresses is before the first byte, also while a file is sent", () => {
		const blocked = Object.assign(new UserError('The request was blocked'), {
			name: 'SsrfBlockedIpError',
		});
		const byAxios = Object.assign(new Error(blocked.message, { cause: blocked }), {
			name: blocked.name,
		});
		for (const error of [blocked, wrapped(blocked), wrapped(byAxios)])
			expect(readFault(error, true)).toMatchObject({
				code: 'N8N_BLOCKED',
				nothingSent: true,
				lasting: true,
			});
	});
	test('a time-out of a name server is before the first byte', () => {
		expect(readFault(coded('EAI_FAIL', 'getaddrinfo'))).toMatchObject({ nothingSent: true });
		expect(readFault(coded('EAI_FAIL', 'read'))).toMatchObject({ nothingSent: false });
	});
	test.each([
		['ECONNABORTED', true],
		['ETIMEDOUT', true],
		['ESTALLED', true],
		['ECONNRESET', false],
		['ECONNREFUSED', false],
	])('%s: it is %p that time ran out', (code, timedOut) => {
		expect(readFault(coded(code))).toMatchObject({ code, timedOut });
	});
	test("a code of the network counts more than n8n's error around or below it", () => {
		const below = Object.assign(new Error('x', { cause: new UserError('y') }), {
			code: 'ECONNRESET',
		});
		expect(readFault(below)).toEqual({
			code: 'ECONNRESET',
			nothingSent: false,
			timedOut: false,
			lasting: false,
		});
	});
	test('of n8n, what it said is told if it said something', () => {
		const stopped = { code: 'N8N_STOPPED', nothingSent: true, timedOut: false, lasting: true };
		expect(readFault(new UserError('No such credential'))).toStrictEqual({
			...stopped,
			said: 'No such credential',
		});
		expect(readFault({ level: 'error' })).toStrictEqual(stopped);
		expect(readFault({ name: 'NotSsrfBlocked', level: 'error' })).toStrictEqual(stopped);
	});
	test('only both the code and the words tell of a server without encryption', () => {
		const words = 'SSL routines: wrong version number';
		for (const thrown of [
			{ code: 'EPROTO' },
			{ code: 'EPROTO', message: 'SSL alert number 40' },
			{ code: 'ECONNRESET', message: words },
			{ message: words },
		])
			expect(readFault(thrown)).toMatchObject({ nothingSent: false, lasting: false });
		expect(readFault({ code: 'EPROTO', message: words })).toMatchObject({
			code: 'ERR_SSL_WRONG_VERSION_NUMBER',
		});
	});
	test('causes that go round in a circle have an end', () => {
		const round: Error & { cause?: unknown } = new Error('round');
		round.cause = round;
		expect(readFault(round)).toMatchObject({ code: 'ECONNRESET', nothingSent: false });
	});
	test('an error without a code is taken for a cut connection, anything else for nothing known', () => {
		expect(readFault(new Error('?'))).toMatchObject({ code: 'ECONNRESET', timedOut: false });
		expect(readFault('text')).toMatchObject({ code: 'UNKNOWN', timedOut: false });
		expect(readFault(new Error('TIMEOUT of 5 ms'))).toMatchObject({ code: 'ETIMEDOUT' });
	});
	test('what nobody knows proves nothing', () => {
		for (const thrown of [
			new Error('?'),
			wrapped(new Error('?')),
			wrapped(undefined),
			'text',
			null,
		])
			expect(readFault(thrown)).toMatchObject({ nothingSent: false, lasting: false });
		expect(readFault(new Error('stalled'))).toMatchObject({ timedOut: true, code: 'ETIMEDOUT' });
	});
});

describe('readAnswerFault', () => {
	const ended = (fault: string) =>
		new Error('wrapped', {
			cause: new ServiceFailure({ code: 'unreachable', fault, attempts: 1 }),
		});
	const base = { nothingSent: false, timedOut: false, lasting: false };
	test.each<[unknown, object]>([
		[Object.assign(new Error('aborted'), { code: 'ECONNRESET' }), { code: 'ANSWER_CUT' }],
		[Object.assign(new Error('?'), { code: 'Z_BUF_ERROR' }), { code: 'ANSWER_CUT' }],
		['text', { code: 'ANSWER_CUT' }],
		[
			Object.assign(new Error('ESTALLED'), { code: 'ESTALLED' }),
			{ code: 'ESTALLED', timedOut: true },
		],
		[new ServiceFailure({ code: 'noContent' }), { code: 'ANSWER_CUT' }],
		[new ServiceFailure({ code: 'unusableBaseUrl', fault: 'empty' }), { code: 'ANSWER_CUT' }],
		[ended('ANSWER_SLOW'), { code: 'ANSWER_SLOW', timedOut: true }],
		[ended('ANSWER_TOO_BIG'), { code: 'ANSWER_TOO_BIG', lasting: true }],
	])('%s', (thrown, expected) => {
		expect(readAnswerFault(thrown)).toEqual({ ...base, ...expected });
	});
});

import { OperationalError, UserError } from 'n8n-workflow';

import { ServiceFailure } from '../../../../nodes/SignAndClose/transport/failure/failure.ts';
import {
	readFault,
	readAnswerFault,
} from '../../../../nodes/SignAndClose/transport/failure/networkFault.ts';
import { forEachCase } from '../../../support/forEachCase.mts';

/** An error as n8n's helpers throw it: their own class around what went wrong. */
const wrapped = (cause: unknown) =>
	Object.assign(new Error('wrapped', { cause }), { level: 'warning', httpCode: null });
const coded = (code: string, syscall?: string, message = code) =>
	wrapped(Object.assign(new Error(message), { code, syscall }));
const UNKNOWN = { nothingSent: false, timedOut: false, lasting: false };

describe('what was thrown instead of an answer', () => {
	test.each<[string, object, string?]>([
		...['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH'].map((code): [string, object] => [
			code,
			{ nothingSent: true },
		]),
		...['ECONNRESET', 'EPIPE', 'EPROTO', 'ERR_CANCELED'].map((code): [string, object] => [
			code,
			{},
		]),
		...['ETIMEDOUT', 'ECONNABORTED', 'ESTALLED'].map((code): [string, object] => [
			code,
			{ timedOut: true },
		]),
		...[
			'CERT_HAS_EXPIRED',
			'DEPTH_ZERO_SELF_SIGNED_CERT',
			'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
			'ERR_TLS_CERT_ALTNAME_INVALID',
			'ERR_INVALID_CHAR',
			'ERR_INVALID_URL',
			'ERR_UNESCAPED_CHARACTERS',
		].map((code): [string, object] => [code, { nothingSent: true, lasting: true }]),
		['ETIMEDOUT', { nothingSent: true, timedOut: true }, 'connect'],
		['EAI_FAIL', { nothingSent: true }, 'getaddrinfo'],
		['EAI_FAIL', {}, 'read'],
	])('%s: %j', (...[code, expected, syscall]) => {
		expect(readFault(coded(code, syscall))).toEqual({ ...UNKNOWN, code, ...expected });
	});
	test('a server without encryption is noticed before the first byte, by code and words', () => {
		const words = 'SSL routines: wrong version number';
		expect(readFault(coded('EPROTO', 'write', words))).toMatchObject({
			code: 'ERR_SSL_WRONG_VERSION_NUMBER',
			nothingSent: true,
			lasting: true,
		});
		expect(readFault(coded('ECONNRESET', 'write', words))).toMatchObject(UNKNOWN);
	});
	test.each([new UserError('No such credential'), new OperationalError('The database is busy')])(
		"n8n's own %s is before the first byte, unless it may come from a file that is being sent",
		(error) => {
			const fault = { details: error.message, nothingSent: true, lasting: true };
			forEachCase([error, wrapped(error)], (thrown) => {
				expect(readFault(thrown)).toMatchObject({ code: 'N8N_STOPPED', ...fault });
				expect(readFault(thrown, true)).toMatchObject({ nothingSent: false });
			});
		},
	);
	test("n8n's block of addresses is before the first byte, also while a file is sent", () => {
		const blocked = Object.assign(new UserError('Blocked'), { name: 'SsrfBlockedIpError' });
		const byAxios = Object.assign(new Error('x', { cause: blocked }), { name: blocked.name });
		forEachCase([blocked, wrapped(blocked), wrapped(byAxios)], (error) =>
			expect(readFault(error, true)).toMatchObject({
				code: 'N8N_BLOCKED',
				nothingSent: true,
				lasting: true,
			}),
		);
	});
	test("a code of the network counts more than n8n's error below it", () => {
		const error = new Error('x', { cause: new UserError('y') });
		expect(readFault(Object.assign(error, { code: 'ECONNRESET' }))).toMatchObject(UNKNOWN);
	});
	test('what nobody knows proves nothing', () => {
		const round: Error & { cause?: unknown } = new Error('round');
		round.cause = round;
		forEachCase([new Error('?'), wrapped(new Error('?')), wrapped(undefined), round], (thrown) =>
			expect(readFault(thrown)).toEqual({ ...UNKNOWN, code: 'ECONNRESET' }),
		);
		forEachCase(['text', null], (thrown) =>
			expect(readFault(thrown)).toEqual({ ...UNKNOWN, code: 'UNKNOWN' }),
		);
		expect(readFault(new Error('TIMEOUT of 5 ms'))).toMatchObject({ timedOut: true });
	});
});

test.each<[unknown, object]>([
	[Object.assign(new Error('aborted'), { code: 'ECONNRESET' }), { code: 'ANSWER_CUT' }],
	['text', { code: 'ANSWER_CUT' }],
	[new ServiceFailure({ code: 'noContent' }), { code: 'ANSWER_CUT' }],
	[wrapped({ code: 'ESTALLED' }), { code: 'ESTALLED', timedOut: true }],
	[wrapped({ code: 'ANSWER_SLOW' }), { code: 'ANSWER_SLOW', timedOut: true }],
	[wrapped({ code: 'ANSWER_TOO_BIG' }), { code: 'ANSWER_TOO_BIG', lasting: true }],
])('an answer that begins and ends with %s is none', (thrown, expected) => {
	expect(readAnswerFault(thrown)).toEqual({ ...UNKNOWN, ...expected });
});

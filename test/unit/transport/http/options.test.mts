import { expect, test } from '@jest/globals';

import { requestOf } from '../../../../nodes/SignAndClose/transport/http/options.ts';
import { chunked } from '../../../support/chunked.mts';

const { signal } = new AbortController();
const OPTIONS = {
	url: 'https://api.example.com/x',
	method: 'POST' as const,
	body: '{}',
	encoding: 'text' as const,
	disableFollowRedirect: false,
	timeout: 5,
	headers: { Accept: '*/*', 'Content-Type': 'text/plain' },
};

test('a request follows no redirect, has no limit of n8n, and gives each answer as a stream', () => {
	expect(requestOf(OPTIONS, signal, undefined, undefined)).toEqual({
		...OPTIONS,
		encoding: 'stream',
		timeout: 0,
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
		abortSignal: signal,
	});
});

test('a body that is produced while it is sent has its length and its type', () => {
	const content = { contentLength: 3, open: () => Promise.reject(new Error('unused')) };
	const body = chunked(Buffer.from('abc'), 1);
	const request = requestOf(OPTIONS, signal, content, body);
	expect(request.body).toBe(body);
	expect(request.headers).toEqual({
		Accept: '*/*',
		'Content-Type': 'application/json',
		'Content-Length': '3',
	});
	expect(OPTIONS.headers).toEqual({ Accept: '*/*', 'Content-Type': 'text/plain' });
});

test("only our own signal ends the connection, also where n8n's helper puts another one", () => {
	const request = requestOf(OPTIONS, signal, undefined, undefined);
	request.abortSignal = AbortSignal.abort();
	expect(request.abortSignal).toBe(signal);
});

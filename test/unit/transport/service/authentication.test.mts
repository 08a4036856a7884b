import fc from 'fast-check';

import { authenticateRequest } from '../../../../nodes/SignAndClose/transport/service/credential.ts';
import { explainedMessage } from '../../../support/explainedMessage.mts';
import { forEachCase } from '../../../support/forEachCase.mts';

describe('the API key', () => {
	const credentials = { baseUrl: 'https://api.example.com/x', apiKey: ' canary-key\n' };
	test('goes to the base URL, without the spaces a copy brings along', () => {
		expect(
			authenticateRequest(credentials, { url: 'https://api.example.com/x/v2/webhooks' }).headers,
		).toEqual({ ApiKey: 'canary-key' });
		expect(
			authenticateRequest(credentials, { url: '/v2/webhooks', baseURL: 'https://api.example.com' })
				.headers,
		).toEqual({ ApiKey: 'canary-key' });
	});
	test('goes out without characters that nobody sees, and not at all when a header cannot hold it', () => {
		const sent = (apiKey: unknown) =>
			authenticateRequest({ ...credentials, apiKey } as never, { url: 'https://api.example.com/' })
				.headers!.ApiKey;
		expect(sent('\ufeffcanary\u200b-key\u00a0')).toBe('canary-key');
		expect(explainedMessage(() => sent('c\u0430nary-key'))).toMatch(/'API Key' .* can't be sent/);
		expect(explainedMessage(() => sent('canary\nkey'))).toMatch(/'API Key' .* can't be sent/);
		forEachCase(['', ' ', '\u200b', undefined], (empty) =>
			expect(explainedMessage(() => sent(empty))).toMatch(/'API Key' is empty/),
		);
	});
	test.each([
		'https://api.example.com.evil.example/',
		'http://api.example.com/',
		'https://api.example.com:8443/',
		'https://evil.example/https://api.example.com/',
		'//evil.example/',
	])('does not go to %s', (url) => {
		expect(explainedMessage(() => authenticateRequest(credentials, { url }))).toMatch(
			/wasn't sent to/,
		);
	});
	test("goes nowhere else when the request has a uri, as that of n8n's HTTP Request node, and follows no redirect", () => {
		const complaint = (request: object) =>
			explainedMessage(() => authenticateRequest(credentials, request as never));
		expect(complaint({ uri: 'https://evil.example/' })).toMatch(
			/wasn't sent to https:\/\/evil.example/,
		);
		expect(complaint({})).toMatch(/can't be read/);
		expect(complaint({ url: { href: 'https://evil.example/' } })).toMatch(/can't be read/);
		expect(
			authenticateRequest(credentials, {
				uri: 'https://api.example.com/x',
				followRedirect: true,
				followAllRedirects: true,
			} as never),
		).toMatchObject({
			headers: { ApiKey: 'canary-key' },
			disableFollowRedirect: true,
			followRedirect: false,
			followAllRedirects: false,
		});
	});
	test('goes to a path without a host, because that is one of the base URL', () => {
		forEachCase([{ url: '/v2/webhooks' }, { uri: 'v2/webhooks' }, { url: '?page=2' }], (request) =>
			expect(authenticateRequest(credentials, request as never).headers).toEqual({
				ApiKey: 'canary-key',
			}),
		);
		expect(
			explainedMessage(() =>
				authenticateRequest(credentials, { url: '/v2', baseURL: 'https://evil.example' }),
			),
		).toMatch(/wasn't sent to https:\/\/evil.example/);
	});
	test('no URL of another origin gets it', () => {
		fc.assert(
			fc.property(fc.webUrl(), (url) => {
				fc.pre(new URL(url).origin !== 'https://api.example.com');
				expect(() => authenticateRequest(credentials, { url })).toThrow();
				expect(() => authenticateRequest(credentials, { uri: url } as never)).toThrow();
			}),
		);
	});
});

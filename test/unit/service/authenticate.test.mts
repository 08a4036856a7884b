import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';

import { authenticateRequest } from '../../../nodes/SignAndClose/service/transport/authenticate.ts';

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
	test.each([
		'https://api.example.com.evil.example/',
		'http://api.example.com/',
		'https://api.example.com:8443/',
		'https://evil.example/https://api.example.com/',
		'//evil.example/',
	])('does not go to %s', (url) => {
		expect(() => authenticateRequest(credentials, { url })).toThrow(/was not sent to/);
	});
	test("goes nowhere else when the request has a uri, as that of n8n's HTTP Request node, and follows no redirect", () => {
		expect(() =>
			authenticateRequest(credentials, { uri: 'https://evil.example/' } as never),
		).toThrow(/was not sent to https:\/\/evil.example/);
		expect(() => authenticateRequest(credentials, {} as never)).toThrow(/can not be read/);
		expect(() =>
			authenticateRequest(credentials, { url: { href: 'https://evil.example/' } } as never),
		).toThrow(/can not be read/);
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

import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';

import { checkBaseUrl } from '../../nodes/SignAndClose/service/transport/baseUrl.ts';
import { buildPath, fillPath, LAYOUTS } from '../../nodes/SignAndClose/service/endpoints.ts';
import { authenticateRequest } from '../../nodes/SignAndClose/service/transport/authenticate.ts';
import { readSettings } from '../../nodes/SignAndClose/service/transport/credential.ts';

describe('fillPath', () => {
	test('an id stays one segment, whatever it holds', () => {
		fc.assert(
			fc.property(fc.string({ minLength: 1 }), (id) => {
				fc.pre(id.trim() !== '' && !/^\.+$/.test(id.trim()) && id.isWellFormed());
				const url = new URL(
					`https://x.example${fillPath('/transactions/{transactionId}/documents', { transactionId: id })}`,
				);
				const parts = url.pathname.split('/');
				expect(parts).toHaveLength(4);
				expect(decodeURIComponent(parts[2])).toBe(id.trim());
				expect(url.search + url.hash).toBe('');
			}),
		);
	});
	test.each(['', ' ', '.', '..', '...'])('refuses %p and names the parameter', (id) => {
		expect(() => fillPath('/transactions/{transactionId}', { transactionId: id })).toThrow(
			/'Transaction'/,
		);
	});
});

test('layouts: the prefix is chosen for each request', () => {
	const path = (
		layout: 'documented' | 'current',
		platform: 'business' | 'realEstate',
		assurance = false,
	) => buildPath('createTransaction', platform, LAYOUTS[layout], {}, assurance);
	expect(path('documented', 'business')).toBe('/transactions');
	expect(path('current', 'business')).toBe('/v1/transactions');
	expect(path('documented', 'realEstate')).toBe('/mortgage/v1/transactions');
	expect(path('current', 'realEstate')).toBe('/mortgage/v2/transactions');
	expect(path('documented', 'realEstate', true)).toBe('/mortgage/v2/transactions');
	expect(
		buildPath('sendTransaction', 'realEstate', LAYOUTS.documented, { transactionId: 'ot_1' }),
	).toBe('/mortgage/v1/transactions/ot_1/place_order');
	const custom = readSettings({
		baseUrl: 'https://a.example/api/',
		apiKey: 'key',
		pathLayout: 'custom',
		businessPrefix: 'b/',
		realEstatePrefix: '/r',
		webhooksPrefix: '',
	});
	expect(custom.baseUrl).toBe('https://a.example/api');
	expect(buildPath('listWebhooks', 'webhooks', custom.prefixes)).toBe('/webhooks');
	expect(buildPath('createTransaction', 'business', custom.prefixes)).toBe('/b/transactions');
});

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
	test('nor where the HTTP Request node of n8n wants to go, which says uri, and no redirect is followed with it', () => {
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

test('checkBaseUrl never throws and accepts only what can be a base', () => {
	fc.assert(
		fc.property(fc.anything(), (value) => {
			const check = checkBaseUrl(value);
			if (check.ok) expect(new URL(check.url).search + new URL(check.url).hash).toBe('');
			else expect(check.reason).toMatch(/'Base URL'/);
		}),
	);
	expect(checkBaseUrl(' https://api.example.com/ ')).toEqual({
		ok: true,
		url: 'https://api.example.com',
		origin: 'https://api.example.com',
	});
});

import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';

import { checkBaseUrl } from '../../../../nodes/SignAndClose/transport/credential/baseUrl.ts';

const HOST = 'https://api.example.com';

test('checkBaseUrl never throws, and accepts no URL with a query or a fragment', () => {
	fc.assert(
		fc.property(fc.anything(), (value) => {
			const check = checkBaseUrl(value);
			if (check.ok) expect(new URL(check.url).search + new URL(check.url).hash).toBe('');
			else expect(check.fault).toMatch(/^[a-zA-Z]+$/);
		}),
	);
});

test.each([
	[' https://api.example.com/ ', HOST, HOST],
	['https://api.example.com/a/b///', `${HOST}/a/b`, HOST],
	['https://API.example.com:8443//a', 'https://api.example.com:8443//a', `${HOST}:8443`],
	['https://api.example.com?', HOST, HOST],
	['https://api.example.com#', HOST, HOST],
	['http://localhost:5000', 'http://localhost:5000', 'http://localhost:5000'],
	['http://127.0.0.1:5000/x/', 'http://127.0.0.1:5000/x', 'http://127.0.0.1:5000'],
	['http://[::1]', 'http://[::1]', 'http://[::1]'],
])('%p is read as %s', (value, url, origin) => {
	expect(checkBaseUrl(value)).toEqual({ ok: true, url, origin });
});

test.each<[unknown, string]>([
	['', 'empty'],
	[' \t\n', 'empty'],
	[undefined, 'empty'],
	[5000, 'empty'],
	[[HOST], 'empty'],
	['api.example.com', 'incomplete'],
	['https://', 'incomplete'],
	['/v2', 'incomplete'],
	['ftp://api.example.com', 'notHttps'],
	['file:///etc/passwd', 'notHttps'],
	['localhost:5000', 'notHttps'],
	['http://api.example.com', 'unencrypted'],
	['http://127.0.0.1.example.com', 'unencrypted'],
	['http://127.0.0.2', 'unencrypted'],
	['http://localhost.', 'unencrypted'],
	['https://user@api.example.com', 'hasUserInfo'],
	['https://:secret@api.example.com', 'hasUserInfo'],
	['http://user:secret@localhost', 'hasUserInfo'],
	['https://api.example.com/?organization=1', 'hasQuery'],
	['https://api.example.com/#/v2', 'hasQuery'],
	['https://api.example.com/?a=1#b', 'hasQuery'],
])('%p is %s', (value, fault) => {
	expect(checkBaseUrl(value)).toEqual({ ok: false, fault });
});

describe('a URL that is accepted', () => {
	const urls = fc
		.record({
			protocol: fc.constantFrom('https:', 'http:', 'ftp:', 'HTTPS:'),
			user: fc.constantFrom('', 'user@', ':pass@', 'user:pass@'),
			host: fc.constantFrom('api.example.com', 'localhost', '127.0.0.1', '[::1]', '10.0.0.1'),
			path: fc.constantFrom('', '/', '/a/', '/a//b//'),
			rest: fc.constantFrom('', '?a=1', '#b', '?a=1#b'),
		})
		.map(({ protocol, user, host, path, rest }) => `${protocol}//${user}${host}${path}${rest}`);
	test('sends the key in clear text to nobody but this machine, and gives away no user', () => {
		fc.assert(
			fc.property(urls, (text) => {
				const { protocol, hostname, username, password, search, hash, origin } = new URL(text);
				const near = ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
				const usable =
					(protocol === 'https:' || (protocol === 'http:' && near)) &&
					username + password + search + hash === '';
				const check = checkBaseUrl(text);
				expect(check.ok).toBe(usable);
				if (!check.ok) return;
				expect(check.origin).toBe(origin);
				expect(check.url).toMatch(/[^/]$/);
				expect(`${check.url}/`).toBe(new URL(`${check.url}/`).href);
			}),
			{ numRuns: 400 },
		);
	});
});

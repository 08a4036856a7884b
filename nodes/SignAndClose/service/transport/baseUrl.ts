/**
 * What a base URL must look like before the first request leaves: an origin, optionally with a
 * path, and nothing else.
 */

const LOOPBACK_HOSTS = new Set(['localhost', '127.0.0.1', '[::1]']);

export type BaseUrlCheck =
	{ ok: true; url: string; origin: string } | { ok: false; reason: string };

/**
 * Checks the form of the credential's base URL (interface.md: paths are relative to {base_url}).
 *
 * Plain http is accepted on this machine only, because the API key travels in a header.
 * @returns the URL without trailing slash and its origin, or one sentence that says what to change
 */
export function checkBaseUrl(value: unknown): BaseUrlCheck {
	const text = typeof value === 'string' ? value.trim() : '';
	if (text === '')
		return {
			ok: false,
			reason: "'Base URL' is empty. Enter the address of the service, e.g. https://api.example.com",
		};
	let url: URL;
	try {
		url = new URL(text);
	} catch {
		return {
			ok: false,
			reason:
				"'Base URL' is not a complete address. Start it with https://, e.g. https://api.example.com",
		};
	}
	if (url.protocol !== 'https:' && url.protocol !== 'http:') {
		return { ok: false, reason: "'Base URL' must start with https://" };
	}
	if (url.protocol === 'http:' && !LOOPBACK_HOSTS.has(url.hostname)) {
		return {
			ok: false,
			reason:
				"'Base URL' must start with https://, because the API key would travel unencrypted otherwise",
		};
	}
	if (url.username !== '' || url.password !== '') {
		return {
			ok: false,
			reason: "'Base URL' must not contain a user name or password. Put the key into 'API Key'",
		};
	}
	if (url.search !== '' || url.hash !== '') {
		return {
			ok: false,
			reason: "'Base URL' must end after the host or path. Remove everything from '?' or '#' on",
		};
	}
	return { ok: true, url: (url.origin + url.pathname).replace(/\/+$/, ''), origin: url.origin };
}

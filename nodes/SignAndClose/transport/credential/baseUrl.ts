import type { BaseUrlFault } from '../failure/failure';

/*
 * Checks the base URL before the first request leaves: an origin, optionally with a path, and
 * nothing else.
 */

const LOOPBACK_HOSTS = new Set(['localhost', '127.0.0.1', '[::1]']);

type BaseUrlCheck = { ok: true; url: string; origin: string } | { ok: false; fault: BaseUrlFault };

/**
 * Checks the form of the credential's base URL (docs/service/api.md#base-url-and-requests). Plain
 * http is accepted for this machine only, because the API key travels in a header.
 * @returns the URL without a trailing slash and its origin, or what is wrong with it
 */
export function checkBaseUrl(value: unknown): BaseUrlCheck {
	const text = typeof value === 'string' ? value.trim() : '';
	if (text === '')
		return {
			ok: false,
			fault: 'empty',
		};
	let url: URL;
	try {
		url = new URL(text);
	} catch {
		return {
			ok: false,
			fault: 'incomplete',
		};
	}
	if (url.protocol !== 'https:' && url.protocol !== 'http:') {
		return { ok: false, fault: 'notHttps' };
	}
	if (url.protocol === 'http:' && !LOOPBACK_HOSTS.has(url.hostname)) {
		return {
			ok: false,
			fault: 'unencrypted',
		};
	}
	if (url.username !== '' || url.password !== '') {
		return {
			ok: false,
			fault: 'hasUserInfo',
		};
	}
	if (url.search !== '' || url.hash !== '') {
		return {
			ok: false,
			fault: 'hasQuery',
		};
	}
	return { ok: true, url: (url.origin + url.pathname).replace(/\/+$/, ''), origin: url.origin };
}

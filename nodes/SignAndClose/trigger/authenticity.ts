import { createHmac, timingSafeEqual, createHash, randomBytes } from 'crypto';

import { readSecret, SECRET_PARAMETER } from '../resources/webhook/output';

/* Signatures of deliveries (docs/service/webhooks.md#signatures-of-deliveries). */

/**
 * Signs a raw body: lower-case hexadecimal HMAC-SHA256, without prefix or time stamp. The signature
 * doesn't protect against replay; repeats are dropped by their delivery key.
 */
export function signBody(body: Buffer | string, key: string): string {
	return createHmac('sha256', key).update(body).digest('hex');
}

/**
 * Whether one of the keys made this signature. Compares in constant time with all keys and never
 * throws.
 * @param signature the header's value
 * @param keys keys that the service may have signed with: the registered one, the previous one for
 *   a grace time, the API key
 */
export function isSignedBy(
	signature: unknown,
	body: Buffer | string,
	keys: readonly string[],
): boolean {
	const matches = keys.filter((key) => key !== '' && isSameSecret(signature, signBody(body, key)));
	return matches.length > 0;
}

/* The secret in the URL that the service calls, and the key of its signatures. */

/** Creates a new secret: 256 random bits as URL-safe text. */
export function createSecret(): string {
	return randomBytes(32).toString('base64url');
}

/** Adds a secret to a URL. */
export function withSecret(address: string, secret: string): string {
	const url = new URL(address);
	url.searchParams.set(SECRET_PARAMETER, secret);
	return url.href;
}

/**
 * Returns a URL without its query, which all subscriptions of one node have in common; empty when
 * the value isn't a URL.
 */
export function withoutSecret(address: unknown): string {
	if (typeof address !== 'string' || !URL.canParse(address)) return '';
	const url = new URL(address);
	return url.origin + url.pathname;
}

/**
 * Whether two URLs have the same address, whatever their queries are. A service may write one
 * differently, e.g. with a slash at its end.
 */
export function isSameUrl(left: unknown, right: unknown): boolean {
	const [first, second] = [left, right].map((url) => withoutSecret(url).replace(/\/+$/, ''));
	return first !== '' && first === second;
}

/** Whether a URL, as the service may write it, is the one with our secret. */
export function isCallback(url: unknown, callback: string | undefined): boolean {
	return isSameUrl(url, callback) && readSecret(url) === readSecret(callback);
}

/**
 * Compares two secrets in constant time, whatever their lengths. Never throws; anything but text is
 * unequal.
 */
export function isSameSecret(actual: unknown, expected: unknown): boolean {
	if (typeof actual !== 'string' || typeof expected !== 'string' || expected === '') return false;
	const hash = (text: string) => createHash('sha256').update(text).digest();
	return timingSafeEqual(hash(actual), hash(expected));
}

/** A hash by which a key is recognized without being stored. */
export function hashKey(key: string): string {
	return createHash('sha256').update(key).digest('hex').slice(0, 16);
}

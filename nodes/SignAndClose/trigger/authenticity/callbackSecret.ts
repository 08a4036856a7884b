import { createHash, randomBytes, timingSafeEqual } from 'crypto';

/**
 * Query parameter of the callback address that proves that the caller learned the address from us.
 */
export const SECRET_PARAMETER = 'key';

/** A new secret for a callback address: 256 random bits as URL-safe text. */
export function newSecret(): string {
	return randomBytes(32).toString('base64url');
}

/** The callback address with its secret. */
export function withSecret(address: string, secret: string): string {
	const url = new URL(address);
	url.searchParams.set(SECRET_PARAMETER, secret);
	return url.href;
}

/** The address without its query: what two subscriptions of the same node have in common. */
export function withoutSecret(address: unknown): string {
	if (typeof address !== 'string' || !URL.canParse(address)) return '';
	const url = new URL(address);
	return url.origin + url.pathname;
}

/**
 * Compares in constant time, whatever the lengths; anything that is no text is unequal. Never
 * throws.
 */
export function isSameSecret(given: unknown, expected: unknown): boolean {
	if (typeof given !== 'string' || typeof expected !== 'string' || expected === '') return false;
	const hash = (text: string) => createHash('sha256').update(text).digest();
	return timingSafeEqual(hash(given), hash(expected));
}

/** A mark by which a key is recognised again without being kept. */
export function fingerprint(key: string): string {
	return createHash('sha256').update(key).digest('hex').slice(0, 16);
}

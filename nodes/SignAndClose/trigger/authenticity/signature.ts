import { createHmac, timingSafeEqual } from 'crypto';

import { DEFAULT_SIGNATURE_HEADER } from '../../transport/credential/credential';

/* Signatures of deliveries (docs/service/webhooks.md#signatures-of-deliveries). */

/**
 * Signs a raw body: lower-case hexadecimal HMAC-SHA256, without prefix or time stamp. The signature
 * doesn't protect against replay; repeats are dropped by their delivery key.
 */
export function signBody(body: Buffer | string, key: string): string {
	return createHmac('sha256', key).update(body).digest('hex');
}

/**
 * Name of the signature header, in lower case as n8n gives headers. A service may put its brand
 * into the name, so it is a setting of the credential.
 */
export function signatureHeaderOf({
	webhookSignatureHeader: name,
}: {
	webhookSignatureHeader?: unknown;
}): string {
	return (
		typeof name === 'string' && name.trim() !== '' ? name.trim() : DEFAULT_SIGNATURE_HEADER
	).toLowerCase();
}

const HEX_SHA256 = /^[0-9a-f]{64}$/;

/**
 * Whether one of the keys made this signature. Compares in constant time with all keys and never
 * throws.
 * @param given the header's value
 * @param keys keys that the service may have signed with: the registered one, the previous one for
 *   a grace time, the API key
 */
export function isSignedBy(
	given: unknown,
	body: Buffer | string,
	keys: readonly string[],
): boolean {
	if (typeof given !== 'string' || !HEX_SHA256.test(given)) return false;
	const claimed = Buffer.from(given, 'hex');
	let found = false;
	for (const key of keys) {
		if (key === '') continue;
		found = timingSafeEqual(Buffer.from(signBody(body, key), 'hex'), claimed) || found;
	}
	return found;
}

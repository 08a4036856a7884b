import { createHmac, timingSafeEqual } from 'crypto';

/**
 * The signature of a delivery (gaps.md §2): lower-case hex HMAC-SHA256 over the raw body, without
 * prefix or time stamp. There is no replay protection in it: repeats are dropped by their delivery
 * key.
 */
export function signBody(body: Buffer | string, key: string): string {
	return createHmac('sha256', key).update(body).digest('hex');
}

/**
 * Name of the header with the signature, in lower case as HTTP gives it (gaps.md §2: it carries the
 * brand).
 */
export function signatureHeaderOf({
	webhookSignatureHeader: name,
}: {
	webhookSignatureHeader?: unknown;
}): string {
	return (
		typeof name === 'string' && name.trim() !== '' ? name.trim() : 'X-Signature'
	).toLowerCase();
}

const HEX_SHA256 = /^[0-9a-f]{64}$/;

/**
 * Whether one of the keys made this signature. In constant time over all keys, and never an
 * exception, whatever comes.
 * @param given the header as it came
 * @param keys those that may have signed: the one that was handed over, its predecessor for a grace
 *   time, the API key
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

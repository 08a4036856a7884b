import { createHmac } from 'node:crypto';

/**
 * The signature of a delivery: HMAC-SHA256 over the raw body in lower-case hex, without a prefix
 * (gaps.md §2).
 */
export function signature(payload: string, key: string): string {
	return createHmac('sha256', key).update(payload).digest('hex');
}

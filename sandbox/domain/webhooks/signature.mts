/** How deliveries are signed (docs/service/webhooks.md#signatures-of-deliveries). */

import { createHmac } from 'node:crypto';

/** HMAC-SHA256 over the raw body in lower-case hex, without a prefix. */
export function signature(payload: string, key: string): string {
	return createHmac('sha256', key).update(payload).digest('hex');
}

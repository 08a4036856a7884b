/** One attempt of a delivery: the signed request, and what the endpoint responds. */

import { signature } from './signature.mts';
import { SIGNATURE_HEADER } from '../../world/config.mts';
import type { EventRecord, Webhook, World } from '../../world/world.mts';

const MAX_RECORDED_BODY = 2000;

/** Posts a payload to a webhook's URL. Never throws: what goes wrong is part of the response. */
export async function postToWebhook(
	{ settings }: World,
	webhook: Webhook,
	payload: string,
	timeoutMs: number,
): Promise<EventRecord['response']> {
	const headers: Record<string, string> = { 'Content-Type': 'application/json' };
	// The documented interface doesn't say how a receiver verifies a delivery, so a documented-only
	// service doesn't sign (docs/service/webhooks.md#signatures-of-deliveries).
	if (settings.profile === 'full')
		headers[SIGNATURE_HEADER] = signature(payload, webhook.signingKey ?? webhook.apiKey);
	for (const line of [webhook.header, ...webhook.headers]) {
		if (line !== undefined)
			headers[line.slice(0, line.indexOf(':')).trim()] = line.slice(line.indexOf(':') + 1).trim();
	}
	try {
		const answer = await fetch(webhook.url, {
			method: 'POST',
			headers,
			body: payload,
			redirect: 'manual',
			signal: AbortSignal.timeout(timeoutMs),
		});
		const body = (await answer.text()).slice(0, MAX_RECORDED_BODY);
		const error = answer.status === 200 ? '' : `The endpoint answered ${answer.status}`;
		return {
			code: answer.status,
			body,
			error,
			...(settings.profile === 'full' && { headers: Object.fromEntries(answer.headers) }),
		};
	} catch (thrown) {
		const cause =
			thrown instanceof Error
				? ((thrown.cause as Error | undefined)?.message ?? thrown.message)
				: 'no answer';
		return { code: 0, body: '', error: cause || 'no answer' };
	}
}

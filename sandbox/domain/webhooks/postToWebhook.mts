/** One attempt of a delivery: the signed request, and what the endpoint responds. */

import { signature } from './signature.mts';
import { SIGNATURE_HEADER } from '../../world/config.mts';
import type { EventRecord, OAuthConfig, Webhook, World } from '../../world/world.mts';

const MAX_RECORDED_BODY = 2000;

interface Attempt {
	payload: string;
	requestId: string;
}

/** Posts a payload to a webhook's URL. Never throws: what goes wrong is part of the response. */
export async function postToWebhook(
	world: World,
	webhook: Webhook,
	attempt: Attempt,
	timeoutMs: number,
): Promise<EventRecord['response']> {
	const signal = AbortSignal.timeout(timeoutMs);
	try {
		const answer = await fetch(webhook.url, {
			method: 'POST',
			headers: await headersFor(world, webhook, attempt, signal),
			body: attempt.payload,
			redirect: 'manual',
			signal,
		});
		const body = (await answer.text()).slice(0, MAX_RECORDED_BODY);
		const error = answer.status === 200 ? '' : `The endpoint answered ${answer.status}`;
		return { code: answer.status, body, error, headers: Object.fromEntries(answer.headers) };
	} catch (thrown) {
		const cause =
			thrown instanceof Error
				? ((thrown.cause as Error | undefined)?.message ?? thrown.message)
				: 'no answer';
		return { code: 0, body: '', error: cause || 'no answer' };
	}
}

async function headersFor(
	{ settings }: World,
	webhook: Webhook,
	{ payload, requestId }: Attempt,
	signal: AbortSignal,
): Promise<Record<string, string>> {
	const headers: Record<string, string> = { 'Content-Type': 'application/json' };
	// The documented interface doesn't say how a receiver verifies a delivery, so a documented-only
	// service doesn't sign (docs/service/webhooks.md#signatures-of-deliveries).
	if (settings.profile === 'documented') return headers;
	headers[webhook.requestIdHeader] = requestId;
	if (webhook.oauth !== undefined)
		return { ...headers, Authorization: `Bearer ${await fetchToken(webhook.oauth, signal)}` };
	headers[SIGNATURE_HEADER] = signature(payload, webhook.signingKey ?? webhook.apiKey);
	for (const line of [webhook.header, ...webhook.headers].filter(Boolean))
		headers[line.slice(0, line.indexOf(':')).trim()] = line.slice(line.indexOf(':') + 1).trim();
	return headers;
}

/**
 * A token for the receiver, which takes the place of signature and headers
 * (docs/service/webhooks.md#oauth-of-the-receiver).
 */
async function fetchToken(
	{ oauth_token_url, client_id, client_secret }: OAuthConfig,
	signal: AbortSignal,
): Promise<string> {
	const answer = await fetch(oauth_token_url, {
		method: 'POST',
		headers: {
			Authorization: `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}`,
		},
		body: new URLSearchParams({ grant_type: 'client_credentials' }),
		signal,
	});
	if (!answer.ok) throw new Error(`The token URL answered ${answer.status}`);
	const { access_token } = (await answer.json()) as { access_token?: unknown };
	if (typeof access_token !== 'string') throw new Error('The token URL answered no access_token');
	return access_token;
}

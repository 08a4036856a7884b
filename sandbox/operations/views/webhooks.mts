/**
 * How webhooks and the records of their deliveries look in answers
 * (docs/service/webhooks.md#webhook-answer, docs/service/webhooks.md#event-records). Secrets are
 * never answered.
 */

import type { EventRecord, Fields, Webhook, World } from '../../world/world.mts';

export function webhookView(webhook: Webhook): Fields {
	const { id, url, subscriptions, enabled, header, headers, requestIdHeader, oauth } = webhook;
	return {
		id,
		url,
		enabled,
		subscriptions,
		header,
		// A header alone comes back in both.
		headers: headers.length === 0 && header !== '' ? [header] : headers,
		request_id_header_name: requestIdHeader,
		request_id_header_value_template: null,
		oauth:
			oauth === undefined
				? { enabled: false }
				: { enabled: true, token_url: oauth.oauth_token_url, client_id: oauth.client_id },
	};
}

/**
 * What was delivered. The documented response has `error` and no headers, the published one has
 * headers and no `error`.
 */
export function eventRecordView({ settings }: World, record: EventRecord): Fields {
	const { code, body, error, headers } = record.response;
	return {
		...record,
		response:
			settings.profile === 'documented'
				? { code, body, error }
				: { code, body, headers: headers ?? {} },
	};
}

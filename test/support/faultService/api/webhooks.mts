import type { Json } from '../types.mts';
import { bare, type WebhookRecord } from '../state/world.mts';
import { checkTypes, isObject, noResource, page, refuse, route, type Call } from './call.mts';

/** docs/service/webhooks.md. */

const TRANSACTION_EVENTS = [
	'created',
	'updated',
	'deleted',
	'sent',
	'sent_to_signer',
	'sent_to_closing_ops',
	'sent_to_title_agency',
	'received',
	'partially_completed',
	'completed',
	'completed_with_rejections',
	'released',
	'recalled',
	'expired',
	'declined',
	'held_for_review',
	'reviewed',
	'document.upload',
	'document.processed',
	'import.processed',
	'import.failed',
	'meeting.requested',
	'meeting.created',
	'meeting.failed',
	'meeting.video.processed',
	'notary.assigned',
	'signer.kba_passed',
	'signer.kba_failed',
	'signer.high_risk_detected',
	'signer.medium_risk_detected',
	'underwriter.not_available',
	'transaction.automated_identity_verification_by_idv_service_passed',
	'transaction.automated_identity_verification_by_idv_service_failed',
].map((name) => `transaction.${name}`);

const NOTARY_EVENTS = ['created', 'needs_review', 'compliant', 'non_compliant', 'signer_ready'].map(
	(name) => `notary.${name}`,
);

const SUBSCRIBABLE = new Set([
	...TRANSACTION_EVENTS,
	...NOTARY_EVENTS,
	'*',
	'transaction.*',
	'notary.*',
]);

function check(body: Json): void {
	if (typeof body.url !== 'string' || !/^https?:\/\//.test(body.url))
		refuse(422, 'Invalid value for required field url - expected String');
	if (!Array.isArray(body.subscriptions))
		refuse(422, 'Invalid value for required field subscriptions - expected Array');
	checkTypes(
		body,
		{
			strings: ['header', 'signing_key', 'request_id_header_name'],
			arrays: ['headers'],
			objects: ['oauth_config'],
		},
		422,
	);
	if (body.subscriptions.some((name: unknown) => !SUBSCRIBABLE.has(String(name))))
		refuse(422, 'Invalid subscription passed');
	if (isObject(body.oauth_config))
		for (const name of ['oauth_token_url', 'client_id', 'client_secret'])
			if (!body.oauth_config[name]) refuse(422, `Invalid value for required field ${name}`);
}

function show({ id, fields }: WebhookRecord): Json {
	const { url, subscriptions, header, headers, oauth_config } = fields;
	return {
		id,
		url,
		enabled: true,
		subscriptions,
		header: header ?? '',
		headers: headers ?? (header ? [header] : []),
		request_id_header_name: fields.request_id_header_name ?? 'X-Request-Id',
		request_id_header_value_template: null,
		oauth: oauth_config
			? {
					enabled: true,
					token_url: oauth_config.oauth_token_url,
					client_id: oauth_config.client_id,
				}
			: { enabled: false },
	};
}

function find(call: Call): WebhookRecord {
	return call.world.webhooks.get(bare(call.params.id)) ?? noResource();
}

function create(call: Call): Json {
	const { world, body } = call;
	check(body);
	const webhook: WebhookRecord = { id: world.newId('wh'), fields: { ...body }, events: [] };
	world.webhooks.set(webhook.id, webhook);
	world.note('webhook.created', webhook.id, call.number, body.url);
	return show(webhook);
}

function update(call: Call): Json {
	const { world, body } = call;
	const webhook = find(call);
	check(body);
	const { signing_key, oauth_config } = webhook.fields;
	// A secret that is left out is kept (docs/service/webhooks.md#update-a-webhook).
	webhook.fields = { signing_key, oauth_config, ...body };
	world.note('webhook.updated', webhook.id, call.number, body.url);
	return { updated: true };
}

function remove(call: Call): Json {
	const webhook = find(call);
	call.world.webhooks.delete(webhook.id);
	call.world.note('webhook.deleted', webhook.id, call.number, webhook.fields.url);
	return { deleted: true };
}

/** Only `/v2` has pages (docs/service/webhooks.md#event-records). */
function events(call: Call): Json[] {
	const all = find(call).events;
	return call.path.startsWith('/v2/') ? page(call, all, { usual: 20, most: 100 }) : all;
}

export const webhookRoutes = [
	...route('GET', 'W', '/webhooks', 'list', ({ world }) => [...world.webhooks.values()].map(show)),
	...route('POST', 'W', '/webhooks', 'object', create),
	...route('GET', 'W', '/webhooks/subscriptions', 'object', () => ({
		transaction: TRANSACTION_EVENTS,
		notary: NOTARY_EVENTS,
	})),
	...route('GET', 'W', '/webhooks/:id', 'object', (call) => show(find(call))),
	...route('PUT', 'W', '/webhooks/:id', 'receipt', update),
	...route('DELETE', 'W', '/webhooks/:id', 'receipt', remove),
	...route('GET', 'W', '/webhooks/:id/events', 'list', events),
];

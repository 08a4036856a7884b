/** The operations on webhooks (docs/service/api.md#endpoints-of-webhooks). */

import { findWebhook } from './findRequested.mts';
import type { OperationHandler, OperationRequest } from './handler.mts';
import { page } from './page.mts';
import { eventRecordView, webhookView } from './views/webhooks.mts';
import { canSee } from '../domain/access.mts';
import { checkSubscriptions, listEvents } from '../domain/webhooks/events.mts';
import { REQUEST_ID_HEADER } from '../world/config.mts';
import type { Fields, Webhook, World } from '../world/world.mts';

const EVENT_LIMIT = 20;

export function webhookOperations(world: World): Record<string, OperationHandler> {
	const documented = () => world.settings.profile === 'documented';
	const listWebhooks: OperationHandler = ({ key }) => {
		const own = [...world.webhooks.values()].filter(({ organization }) =>
			canSee(world, key, organization),
		);
		return documented() ? own.map(({ id }) => id) : own.map(webhookView);
	};
	const createWebhook: OperationHandler = ({ key, body }) => {
		checkSubscriptions(world, body.subscriptions);
		const webhook: Webhook = {
			id: world.newId('wh'),
			created: world.clock.stamp(),
			organization: key.organization,
			apiKey: key.value,
			enabled: true,
			events: [],
			...settingsOf(body),
			...secretsOf(body),
		};
		world.webhooks.set(webhook.id, webhook);
		return documented() ? undefined : webhookView(webhook);
	};
	const getWebhook: OperationHandler = (request) => webhookView(findWebhook(world, request));
	const updateWebhook: OperationHandler = (request) => {
		const webhook = findWebhook(world, request);
		checkSubscriptions(world, request.body.subscriptions);
		// No answer shows the secrets, so a client can't send them again. They stay unless the client
		// sends new ones.
		Object.assign(webhook, settingsOf(request.body), secretsOf(request.body));
		const { enableWebhook } = world.settings.switches;
		if (enableWebhook === 'byField') webhook.enabled = request.body.enabled ?? webhook.enabled;
		return { updated: true };
	};
	const deleteWebhook: OperationHandler = (request) => {
		world.webhooks.delete(findWebhook(world, request).id);
		return { deleted: true };
	};
	const listSubscriptions: OperationHandler = () => listEvents(world);
	const eventsOf = (request: OperationRequest) =>
		findWebhook(world, request).events.map((record) => eventRecordView(world, record));
	return {
		listWebhooks,
		createWebhook,
		getWebhook,
		updateWebhook,
		deleteWebhook,
		listSubscriptions,
		listWebhookEvents: (request) => page(eventsOf(request), request.query, EVENT_LIMIT),
		// Real estate has paths of its own for the same list (docs/service/webhooks.md#webhook-paths).
		listClosingWebhooks: listWebhooks,
		createClosingWebhook: createWebhook,
		getClosingWebhook: getWebhook,
		updateClosingWebhook: updateWebhook,
		deleteClosingWebhook: deleteWebhook,
		listClosingSubscriptions: listSubscriptions,
		listClosingWebhookEvents: eventsOf,
	};
}

/**
 * What an update replaces: `headers` disables `header`, and what is left out goes back to its
 * default.
 */
function settingsOf({
	url,
	subscriptions,
	header,
	headers,
	request_id_header_name: requestIdHeader,
}: Fields): Pick<Webhook, 'url' | 'subscriptions' | 'header' | 'headers' | 'requestIdHeader'> {
	const listed: string[] = headers ?? [];
	return {
		url,
		subscriptions,
		header: listed.length > 0 ? '' : (header ?? ''),
		headers: listed,
		requestIdHeader: requestIdHeader ?? REQUEST_ID_HEADER,
	};
}

/** The secrets that a body has. Null takes one away. */
function secretsOf({
	signing_key: signingKey,
	oauth_config: oauth,
}: Fields): Pick<Webhook, 'signingKey' | 'oauth'> {
	return {
		...(signingKey !== undefined && { signingKey: signingKey ?? undefined }),
		...(oauth !== undefined && { oauth: oauth ?? undefined }),
	};
}

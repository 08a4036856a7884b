/** The operations on webhooks (docs/service/api.md#endpoints-of-webhooks). */

import { findWebhook } from './findRequested.mts';
import type { OperationHandler } from './handler.mts';
import { page } from './page.mts';
import { webhookView } from './views.mts';
import { canSee } from '../domain/access.mts';
import { checkSubscriptions, EVENTS } from '../domain/webhooks/events.mts';
import type { Fields, Webhook, World } from '../world/world.mts';

const EVENT_LIMIT = 20;

export function webhookOperations(world: World): Record<string, OperationHandler> {
	const documented = () => world.settings.profile === 'documented';
	const settingsOf = ({
		url,
		subscriptions,
		signing_key,
		header,
		headers = [],
	}: Fields): Pick<Webhook, 'url' | 'subscriptions' | 'signingKey' | 'header' | 'headers'> => ({
		url,
		subscriptions,
		signingKey: signing_key,
		header,
		headers,
	});
	return {
		listWebhooks: ({ key }) => {
			const own = [...world.webhooks.values()].filter(({ organization }) =>
				canSee(world, key, organization),
			);
			return documented() ? own.map(({ id }) => id) : own.map(webhookView);
		},
		createWebhook: ({ key, body }) => {
			checkSubscriptions(body.subscriptions);
			const webhook: Webhook = {
				id: world.newId('wh'),
				organization: key.organization,
				apiKey: key.value,
				enabled: true,
				events: [],
				...settingsOf(body),
			};
			world.webhooks.set(webhook.id, webhook);
			return documented() ? undefined : webhookView(webhook);
		},
		getWebhook: (request) => webhookView(findWebhook(world, request)),
		updateWebhook: (request) => {
			const webhook = findWebhook(world, request);
			checkSubscriptions(request.body.subscriptions);
			const { signingKey, ...settings } = settingsOf(request.body);
			// No answer shows the signing key, so a client can't send it again. It stays unless the
			// client sends a new one.
			Object.assign(webhook, settings, {
				enabled: true,
				signingKey: signingKey ?? webhook.signingKey,
			});
			return { updated: true };
		},
		deleteWebhook: (request) => {
			world.webhooks.delete(findWebhook(world, request).id);
			return { deleted: true };
		},
		listWebhookEvents: (request) =>
			page(findWebhook(world, request).events, request.query, EVENT_LIMIT),
		listSubscriptions: () => EVENTS,
	};
}

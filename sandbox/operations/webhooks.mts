import { webhookView } from './answers.mts';
import { checkSubscriptions, EVENTS } from '../domain/webhooks.mts';
import { maySee, type Fields, type Webhook, type World } from '../state/world.mts';
import { page, webhookOf, type OperationHandler } from './request.mts';

const EVENT_LIMIT = 20;

/**
 * Webhooks (interface.md §4, Create Webhook, List Webhooks, Get Webhook Events; gaps.md §1, §8).
 */
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
				maySee(world, key, organization),
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
		getWebhook: (request) => webhookView(webhookOf(world, request)),
		updateWebhook: (request) => {
			const webhook = webhookOf(world, request);
			checkSubscriptions(request.body.subscriptions);
			const { signingKey, ...settings } = settingsOf(request.body);
			// A key is never answered, so a client can't send it again: it stays unless there is a new
			// one.
			Object.assign(webhook, settings, {
				enabled: true,
				signingKey: signingKey ?? webhook.signingKey,
			});
			return { updated: true };
		},
		deleteWebhook: (request) => {
			world.webhooks.delete(webhookOf(world, request).id);
			return { deleted: true };
		},
		listWebhookEvents: (request) =>
			page(webhookOf(world, request).events, request.query, EVENT_LIMIT),
		listSubscriptions: () => EVENTS,
	};
}

import { createDraftClosing } from '../../../../host/clients/sandboxApi.mts';
import { REMOVAL } from '../../../../nodes/SignAndClose/trigger/subscription/webhookMethods.ts';
import { until } from '../../../support/until.mts';
import type { Situation } from './triggerHost.mts';

const CREATED = ['transaction.created'];

/**
 * One n8n process takes over from another one, as the next leader of several main processes does, or
 * a new container while the old one still runs. That n8n tells the processes of each other, as it
 * does with a licence for several main processes, isn't part of it.
 */
export const TWO_PROCESSES: Situation[] = [
	[
		'unpublished by one n8n process and published by another one at once: the webhook works after the first one would have removed it',
		async (host) => {
			await host.withSecondProcess(async (second) => {
				const id = await host.publish(CREATED);
				await host.expectWebhooks([host.summary(CREATED, 'webhook', second)]);
				const { requests } = host.sandbox;
				const removal = Date.now() + REMOVAL.pauseMs;
				await host.api.workflows.unpublish(id);
				await second.api.workflows.publish(id);
				await host.expectWebhooks([host.summary(CREATED, 'webhook', second)]);
				const [{ id: webhookId, url }] = host.ownWebhooks();
				// The first one looks whether the webhook is in use, and would then remove it.
				await until(() =>
					requests.some(({ path, at }) => /\/webhooks\/?$/.test(path) && Date.parse(at) > removal),
				);
				expect((await fetch(`${host.n8n.url}/healthz`)).status).toBe(200);
				await host.expectWebhooks([host.summary(CREATED, 'webhook', second)]);
				expect(host.ownWebhooks()).toMatchObject([{ id: webhookId, url }]);
				const created = await createDraftClosing(host.sandbox);
				expect(await host.allEventsOf(id, 1)).toMatchObject([
					{ transaction_id: created, delivery: { by: 'delivery' } },
				]);
			});
		},
	],
];

import { expect } from '@jest/globals';

import { CREDENTIAL_TYPE } from '../../../../host/clients/n8n/names.mts';
import { sandboxCredential } from '../../../../host/clients/sandboxApi.mts';
import { freePort } from '../../../../host/run/ports.mts';
import { COMPLETED, type Situation } from './triggerHost.mts';

/** n8n stops and starts again, after changes at the service or to n8n itself. */
export const RESTARTS: Situation[] = [
	[
		'n8n stopped and started',
		async (host) => {
			await host.publish();
			const [{ id, url }] = host.ownWebhooks();
			await host.restart();
			await host.expectWebhooks([host.summary()]);
			expect(host.ownWebhooks()[0]).toMatchObject({ id, url });
		},
	],
	[
		'n8n killed and started',
		async (host) => {
			await host.publish();
			const [{ url }] = host.ownWebhooks();
			await host.restart({ kill: true });
			await host.expectWebhooks([host.summary()]);
			expect(host.ownWebhooks()[0].url).toBe(url);
		},
	],
	[
		'the webhook deleted at the service: created again after a start',
		async (host) => {
			await host.publish();
			await host.restart({
				meanwhile: () => void host.sandbox.world.webhooks.delete(host.ownWebhooks()[0].id),
			});
			await host.expectWebhooks([host.summary()]);
		},
	],
	[
		"the webhook's URL changed at the service: left alone, and another one created after a start",
		async (host) => {
			await host.publish();
			await host.restart({
				meanwhile: () => void (host.ownWebhooks()[0].url = 'https://elsewhere.example.com/hook'),
			});
			await host.expectWebhooks([
				{
					at: 'https://elsewhere.example.com/hook',
					subscriptions: COMPLETED,
					enabled: true,
					secretLength: undefined,
				},
				host.summary(),
			]);
		},
	],
	[
		'the signing secret in the credential changed: sent to the service after a start',
		async (host) => {
			await host.publish();
			await host.api.credentials.save(host.credential.name, CREDENTIAL_TYPE, {
				...sandboxCredential(host.sandbox),
				webhookSigningSecret: 'a key of our own',
			});
			await host.restart();
			await host.expectWebhooks([host.summary()]);
			await host.waitUntil(() => host.ownWebhooks()[0].signingKey === 'a key of our own');
		},
	],
	[
		'n8n moved to another port: the webhook there stays untouched, and the log names it beside the new one',
		async (host) => {
			const id = await host.publish();
			const [before] = host.summaries();
			const [old] = host.ownWebhooks();
			const kept = structuredClone(old);
			await host.n8n.stop();
			host.port = await freePort();
			await host.startN8n();
			await host.expectWebhooks([before, host.summary()]);
			await host.waitUntil(() => host.warningsAbout(old.id).length > 0);
			await host.api.workflows.unpublish(id);
			await host.expectWebhooks([before]);
			expect(host.ownWebhooks()).toEqual([kept]);
		},
	],
];

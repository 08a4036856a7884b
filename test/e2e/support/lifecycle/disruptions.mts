import { expect } from '@jest/globals';

import { CREDENTIAL_TYPE } from '../../../../host/clients/n8n/names.mts';
import { sandboxCredential } from '../../../../host/clients/sandboxApi.mts';
import type { Situation } from './triggerHost.mts';

/** The service fails, or webhook or credential change, while a workflow is published. */
export const DISRUPTIONS: Situation[] = [
	[
		'the service down while publishing, and back for the next attempt',
		async (host) => {
			host.sandbox.faults.add({ path: '/v2/webhooks', status: 503, times: 1000 });
			const { id } = await host.api.workflows.save(host.triggerWorkflow(host.newName()));
			await host.api.workflows.publish(id, 20_000).catch(() => undefined);
			expect(host.ownWebhooks()).toEqual([]);
			host.sandbox.faults.clear();
			await host.api.workflows.unpublish(id).catch(() => undefined);
			await host.api.workflows.publish(id);
			await host.expectWebhooks([host.summary()]);
		},
	],
	[
		'the connection cut after the webhook was created',
		async (host) => {
			host.sandbox.faults.add({ method: 'POST', path: '/v2/webhooks/', kind: 'cutAfter' });
			await host.publish();
			await host.expectWebhooks([host.summary()]);
		},
	],
	[
		'the service refusing the removal while unpublishing: the webhook left behind is used when published again',
		async (host) => {
			const id = await host.publish();
			host.sandbox.faults.add({
				path: '/v2/webhooks',
				status: 401,
				times: 1000,
				body: { error: 'no' },
			});
			await host.api.workflows.unpublish(id).catch(() => undefined);
			expect(host.ownWebhooks()).toHaveLength(1);
			host.sandbox.faults.clear();
			await host.api.workflows.publish(id);
			await host.expectWebhooks([host.summary()]);
		},
	],
	[
		'the webhook deleted at the service, then unpublished',
		async (host) => {
			const id = await host.publish();
			host.sandbox.world.webhooks.delete(host.ownWebhooks()[0].id);
			await host.api.workflows.unpublish(id);
			await host.expectWebhooks([]);
		},
	],
	[
		'the key saved again with spaces around it while published, then unpublished',
		async (host) => {
			const id = await host.publish();
			await host.api.credentials.save(host.credential.name, CREDENTIAL_TYPE, {
				...sandboxCredential(host.sandbox),
				apiKey: ` ${host.sandbox.keys.full} `,
			});
			await host.api.workflows.unpublish(id);
			await host.expectWebhooks([]);
		},
	],
	[
		'the credential deleted while published: the log names the webhook left behind, which is used when published with another credential',
		async (host) => {
			const id = await host.publish();
			const [{ id: webhookId }] = host.ownWebhooks();
			await host.api.credentials.delete(host.credential.id);
			await host.api.workflows.unpublish(id).catch(() => undefined);
			expect(host.ownWebhooks()).toHaveLength(1);
			await host.waitUntil(() =>
				host.n8n.log().includes(`the webhook ${webhookId} stays in the service`),
			);
			host.credential = await host.api.credentials.save(
				'Lifecycle 2',
				CREDENTIAL_TYPE,
				sandboxCredential(host.sandbox),
			);
			await host.changeAndPublish(
				id,
				(node) => (node.credentials = { [CREDENTIAL_TYPE]: host.credential }),
			);
			await host.expectWebhooks([host.summary()]);
			expect(host.ownWebhooks()).toMatchObject([{ id: webhookId }]);
		},
	],
	[
		'a service that offers only the documented endpoints: nothing is removed, and nothing is registered twice',
		async (host) => {
			host.sandbox.world.settings.profile = 'documented';
			const id = await host.publish();
			expect(host.ownWebhooks()).toHaveLength(1);
			await host.api.workflows.unpublish(id);
			await host.waitUntil(() => host.n8n.log().includes("doesn't offer deleting webhooks"));
			expect(host.ownWebhooks()).toHaveLength(1);
			await host.api.workflows.publish(id);
			await host.expectWebhooks([host.summary()]);
		},
	],
];

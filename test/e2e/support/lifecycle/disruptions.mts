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
];

import { CREDENTIAL_TYPE } from '../../../../host/clients/n8n/names.mts';
import { createDraftClosing, sandboxCredential } from '../../../../host/clients/sandboxApi.mts';
import { until } from '../../../support/until.mts';
import { Client, newCompleted, newSent } from '../../../sandbox/support/client.mts';
import { COMPLETED, type Situation } from './triggerHost.mts';

/** n8n stops and starts again, after changes at the service. */
export const RESTARTS: Situation[] = [
	[
		'n8n killed and started: a webhook stays, what was deleted or given another URL is created again, and a new signing secret is sent',
		async (host) => {
			for (let count = 0; count < 3; count++) await host.publish();
			const [kept, deleted, moved] = host.ownWebhooks();
			const { id, url } = kept;
			const elsewhere = 'https://elsewhere.example.com/hook';
			await host.api.credentials.save(host.credential.name, CREDENTIAL_TYPE, {
				...sandboxCredential(host.sandbox),
				webhookSigningSecret: 'a key of our own',
			});
			await host.restart({
				kill: true,
				meanwhile: () => {
					host.sandbox.world.webhooks.delete(deleted.id);
					moved.url = elsewhere;
				},
			});
			const usual = host.summary();
			await host.expectWebhooks([
				{ at: elsewhere, subscriptions: COMPLETED, enabled: true, secretLength: undefined },
				...[usual, usual, usual],
			]);
			expect(host.ownWebhooks()[0]).toMatchObject({ id, url });
			await until(() =>
				host.ownWebhooks().every((one) => one === moved || one.signingKey === 'a key of our own'),
			);
		},
	],
	[
		'the webhook disabled while n8n was down, and transactions completed meanwhile: exactly these come after the start, each once',
		async (host) => {
			const { sandbox } = host;
			const client = new Client(sandbox);
			const id = await host.publish();
			const before = await newCompleted(client);
			await host.eventsOf(id, 1);
			await host.n8n.stop();
			const [webhook] = host.ownWebhooks();
			webhook.enabled = false;
			const records = webhook.events.length;
			const [closing, business] = [await newCompleted(client), await newSent(client)];
			await sandbox.act.complete(business);
			await createDraftClosing(sandbox);
			await sandbox.clock.settled();
			expect(webhook.events).toHaveLength(records);
			await host.startN8n();
			const events = (await host.allEventsOf(id, 3, async () => await newCompleted(client))).map(
				({ event, transaction_id: of, delivery }) => [of, event, (delivery as { by: string }).by],
			);
			const [event] = COMPLETED;
			expect(events.sort()).toEqual(
				[
					[before, event, 'delivery'],
					[closing, event, 'recovery'],
					[business, event, 'recovery'],
				].sort(),
			);
			await host.expectWebhooks([host.summary()]);
		},
	],
];

import { expect } from '@jest/globals';

import { createDraftClosing } from '../../../../host/clients/sandboxApi.mts';
import { completedTransaction } from './completedTransaction.mts';
import type { Situation, TriggerHost } from './triggerHost.mts';

/** The platforms' lists of transactions. */
const LISTS = {
	realEstate: /^\/mortgage\/v\d\/transactions(\?|$)/,
	business: /^(\/v\d)?\/transactions(\?|$)/,
};

/** What events are about, and how they came, in any order. */
const told = (events: Array<Record<string, unknown>>) =>
	events
		.map(({ event, transaction_id: id, delivery }) => [
			String(id),
			event,
			(delivery as { by: string }).by,
		])
		.sort();

/** What is told of completed transactions. */
const completions = (by: string, ...ids: string[]) =>
	ids.map((id) => [id, 'transaction.completed', by]);

/** Stops n8n, disables the webhook at the service, and has a transaction completed on each platform. */
async function completeUnheard(host: TriggerHost): Promise<{ closing: string; business: string }> {
	const { sandbox } = host;
	await host.n8n.stop();
	const [webhook] = host.ownWebhooks();
	webhook.enabled = false;
	const records = webhook.events.length;
	const closing = await completedTransaction(sandbox, 'realEstate');
	const business = await completedTransaction(sandbox, 'business');
	await sandbox.clock.settled();
	expect(webhook.events).toHaveLength(records);
	return { closing, business };
}

/** The looks that follow one that a platform has refused. */
const NEXT_LOOKS: Array<[string, (host: TriggerHost, id: string) => Promise<void>]> = [
	['n8n is started again', async (host) => await host.restart()],
	[
		'a change is published',
		async (host, id) => await host.changeAndPublish(id, (node) => (node.parameters.output = 'raw')),
	],
];

/** Nothing has told what was completed while n8n was down. */
export const GAPS: Situation[] = [
	[
		'the webhook disabled while n8n was down, and transactions completed meanwhile: exactly these come after the start, each once',
		async (host) => {
			const id = await host.publish();
			const before = await completedTransaction(host.sandbox, 'realEstate');
			await host.eventsOf(id, 1);
			const { closing, business } = await completeUnheard(host);
			await createDraftClosing(host.sandbox);
			await host.startN8n();
			expect(told(await host.allEventsOf(id, 3))).toEqual(
				[...completions('delivery', before), ...completions('recovery', closing, business)].sort(),
			);
			await host.expectWebhooks([host.summary()]);
		},
	],
	...NEXT_LOOKS.map(([name, lookAgain]): Situation => [
		`a platform that refuses the look after a start: the completion of the other one comes at once, and its own once ${name}`,
		async (host) => {
			const id = await host.publish();
			const { closing, business } = await completeUnheard(host);
			const refusal = { status: 403, body: { errors: ['No'] }, times: Infinity };
			host.sandbox.faults.add({ method: 'GET', path: LISTS.business, ...refusal });
			await host.startN8n();
			expect(told(await host.allEventsOf(id, 1))).toEqual(completions('recovery', closing));
			expect(host.warningsAbout(/completed|refuse|403/)).toHaveLength(1);
			host.sandbox.faults.clear();
			await lookAgain(host, id);
			expect(told(await host.allEventsOf(id, 2))).toEqual(
				completions('recovery', closing, business).sort(),
			);
		},
	]),
];

import type { IDataObject } from 'n8n-workflow';

import type { Sandbox } from '../../../sandbox/index.mts';
import { createClosing } from '../closing.mts';
import { credential, done, each, locator, NAMES, type Fixture } from './scene.mts';

/** Helpers for the fixtures of operations on webhooks. */

const WEBHOOK = /\/webhooks\/wh[^/]*$/;

/** Makes three webhooks, and gives their IDs. */
export const threeWebhooks = async (sandbox: Sandbox) =>
	await each(async (name) =>
		String(
			(
				await done(sandbox, {
					resource: 'webhook',
					operation: 'create',
					url: `https://example.com/${name}`,
					events: ['transaction.completed'],
					additionalFields: {},
				})
			).webhook_id,
		),
	);

/** The scene of something that is done with each of three webhooks. */
export function eachWebhook(method: string, parameters: IDataObject = {}): Fixture['build'] {
	return async (sandbox) => {
		const made = await threeWebhooks(sandbox);
		return {
			parameters: { ...parameters, webhookId: locator('id') },
			items: made.map((value, index) => ({ json: { id: value, name: NAMES[index] } })),
			request: { method, path: WEBHOOK },
			mark: (json) => json.webhook_id,
			expected: made,
			broken: { id: 'unknown' },
		};
	};
}

/** Makes a webhook that is notified of five transactions; gives their IDs, newest first. */
export async function notifiedWebhook(
	sandbox: Sandbox,
): Promise<{ webhookId: string; transactions: unknown[] }> {
	const created = await done(sandbox, {
		resource: 'webhook',
		operation: 'create',
		url: `${sandbox.url}/samples/nothing`,
		events: ['transaction.created'],
		additionalFields: {},
	});
	for (let count = 0; count < 5; count++) await createClosing(credential(sandbox));
	await sandbox.clock.settled();
	const { events } = sandbox.world.webhooks.get(String(created.webhook_id))!;
	return {
		webhookId: String(created.webhook_id),
		transactions: events.map(({ payload }) => JSON.parse(payload as string).data.transaction_id),
	};
}

/** The parameters of a webhook with each field filled in. */
export const fullWebhook = (sandbox: Sandbox): IDataObject => ({
	url: `${sandbox.url}/samples/nothing`,
	events: ['*'],
	additionalFields: {
		headers: { row: [{ name: 'X-Case', value: 'sesame-1' }] },
		signing_key: 'sesame-2',
		...RECEIVER,
	},
});

/** What the service needs for its calls: a token, and the name of a header. */
export const RECEIVER = {
	oauth_url: 'https://idp.example.com/token',
	oauth_client_id: 'closings',
	oauth_client_secret: 'sesame-5',
	request_id_header_name: 'X-Trace',
};

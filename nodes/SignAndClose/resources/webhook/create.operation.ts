import type { IDataObject } from 'n8n-workflow';

import { parseTogether } from '../../messages/inputFaults';
import { defineOperation, defineWrite, type OperationCall } from '../../run/operation';
import { parseTexts } from '../../run/parameters/texts';
import { defineCollection } from '../../form/fields';
import { buildCreatedGoal, listWebhooks } from './api';
import { createEventFailure } from './events';
import { webhookEvents, webhookOptions, webhookUrl } from './form';
import { parseWebhook } from './input';
import { toWebhookOutput } from './output';

/**
 * Creates a webhook (docs/service/webhooks.md#create-a-webhook). The API key decides whose
 * transactions it hears of (docs/service/api.md#keys-and-organizations).
 */
export const createWebhook = defineOperation({
	resource: 'webhook',
	value: 'create',
	name: 'Create',
	action: 'Create webhook',
	description:
		"Register a URL for the service to deliver events to. To start a workflow, use the 'Sign and Close Trigger', which manages its own webhook.",
	kind: 'write',
	effect: 'From then on the service sends data of transactions to this URL',
	properties: [
		{ ...webhookUrl, required: true },
		{ ...webhookEvents, required: true },
		defineCollection('Additional Fields', 'additionalFields', webhookOptions),
	],
	write: defineWrite({
		parse: parseBody,
		prepare: async ({ service }) => ({
			before: await listWebhooks(service).catch(() => undefined),
		}),
		send: async ({ service }, body) => await service.json('createWebhook', { body }),
		goal: ({ service }, body, ready) => buildCreatedGoal(service, body, ready?.before),
		result: (_call, webhook) => ({ json: toWebhookOutput(webhook) }),
	}),
});

function parseBody(call: OperationCall): IDataObject {
	const { params } = call;
	const [url, events] = [params.getRaw('url'), params.getRaw('events')] as string[];
	const { body } = parseTogether({
		url: () => params.getRequired('url'),
		events: () => {
			const label = params.label('events');
			if (parseTexts(label, events).length === 0) throw createEventFailure(label);
		},
		body: () => parseWebhook(call, { url, events, ...params.getObject('additionalFields') }),
	});
	return body;
}

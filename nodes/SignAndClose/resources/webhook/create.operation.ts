import type { IDataObject } from 'n8n-workflow';

import { Faults } from '../../messages/faults';
import { defineOperation, type OperationCall, type OperationResult } from '../../run/operation';
import { write } from '../../run/outcome/goals';
import { collection } from '../shared/fields';
import { createdWebhookGoal, listWebhookIds } from './api';
import { noEvent } from './events';
import { webhookEvents, webhookOptions, webhookUrl } from './form';
import { completeOauth, parseWebhook } from './input';
import { shownWebhook } from './output';

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
		"Register a URL that the service calls when events occur. To start a workflow, use the 'Sign and Close Trigger', which manages its own webhook.",
	kind: 'write',
	effect: 'From then on the service sends data of transactions to this URL',
	properties: [
		{ ...webhookUrl, required: true },
		{ ...webhookEvents, required: true },
		collection('Additional Fields', 'additionalFields', webhookOptions),
	],
	async execute(call) {
		const { service } = call;
		const body = parseBody(call);
		const before = await listWebhookIds(service);
		const webhook = await write(
			service,
			async () => await service.json('createWebhook', { body }),
			createdWebhookGoal(service, body, before),
		);
		return toResult(webhook);
	},
	toCheck: () => "Check whether the service calls this URL now with 'Webhook: Get Many'",
});

function parseBody(call: OperationCall): IDataObject {
	const { params } = call;
	const faults = new Faults();
	const url = faults.read(() => params.required('url'));
	const read = faults.read(() =>
		parseWebhook(call, {
			url,
			events: params.raw('events') as string[],
			...params.object('additionalFields'),
		}),
	);
	if (read !== undefined && read.fields.subscriptions === undefined)
		faults.note(noEvent(params.label('events')));
	const completed = read && faults.read(() => completeOauth(call, read.oauth));
	faults.tell();
	return { ...read!.fields, ...completed };
}

function toResult(webhook: IDataObject): OperationResult {
	return { json: shownWebhook(webhook) };
}

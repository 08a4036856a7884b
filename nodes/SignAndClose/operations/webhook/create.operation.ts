import type { IDataObject } from 'n8n-workflow';

import { InputFailure } from '../../core/explainedFailure';
import { defineOperation, type OperationCall, type OperationResult } from '../../core/operation';
import { collection } from '../../fields/shared/builders';
import {
	readWebhook,
	webhookEvents,
	webhookOptions,
	webhookUrl,
	withoutHeaderValues,
} from '../../fields/webhook/webhook';
import { listWebhooks, withWebhookId } from '../../service/resources/webhooks';
import { asObject, asText } from '../../service/values/json';

const NO_ID = "The service didn't return the ID of the webhook. Use 'Webhook: Get Many' to find it";

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
	properties: [
		{ ...webhookUrl, required: true },
		{ ...webhookEvents, required: true },
		collection('Additional Fields', 'additionalFields', webhookOptions),
	],
	async execute(call) {
		const body = readBody(call);
		return toResult(body, asObject(await call.service.json('createWebhook', { body })));
	},
	async lookUp(call) {
		const body = readBody(call);
		// An answer doesn't show the signing key or all headers, so a webhook with the same URL may be
		// an older one.
		if (body.signing_key !== undefined || body.headers !== undefined) return undefined;
		const same = (await listWebhooks(call.service)).filter(
			({ id, url, subscriptions }) =>
				url === body.url &&
				!call.madeBefore.has(String(id)) &&
				String(subscriptions) === String(body.subscriptions),
		);
		return same.length === 1 ? toResult(body, same[0]) : undefined;
	},
});

function readBody(call: OperationCall): IDataObject {
	const { params } = call;
	const body = readWebhook(call, {
		url: params.required('url'),
		events: params.raw('events') as string[],
		...params.object('additionalFields'),
	});
	if (body.subscriptions === undefined)
		throw new InputFailure(params.label('events'), 'is empty', 'Choose at least one event');
	return body;
}

/**
 * Returns the webhook, or what was asked for when the answer is empty, as on a documented-only
 * service.
 */
function toResult({ url, subscriptions }: IDataObject, webhook: IDataObject): OperationResult {
	if (asText(webhook.id) === undefined)
		return { json: { webhook_id: null, url, subscriptions }, hint: NO_ID };
	return { json: withoutHeaderValues(withWebhookId(webhook)) };
}

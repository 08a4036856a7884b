import type { IDataObject } from 'n8n-workflow';

import { defineOperation, type OperationCall, type OperationResult } from '../../core/operation';
import { collection } from '../../fields/shared/builders';
import {
	readWebhook,
	webhookEvents,
	webhookOptions,
	webhookUrl,
	withoutHeaderValues,
} from '../../fields/webhook/webhook';
import { InputFailure } from '../../core/failures';
import { listWebhooks, withWebhookId } from '../../service/resources/webhooks';
import { asObject, asText } from '../../service/values/json';

const NO_ID = "The service didn't return the ID of the webhook. Use 'Webhook: Get Many' to find it";

/** interface.md §4, Create Webhook. The key decides whose transactions are heard of (§5.3). */
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
		// Nobody can see which key or headers an older one of the same address has.
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

/** A documented-only service answers with an empty body. */
function toResult({ url, subscriptions }: IDataObject, webhook: IDataObject): OperationResult {
	if (asText(webhook.id) === undefined)
		return { json: { webhook_id: null, url, subscriptions }, hint: NO_ID };
	return { json: withoutHeaderValues(withWebhookId(webhook)) };
}

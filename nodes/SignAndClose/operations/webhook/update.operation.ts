import type { IDataObject } from 'n8n-workflow';

import { InputFailure } from '../../core/explainedFailure';
import { defineOperation, type OperationCall } from '../../core/operation';
import { collection } from '../../fields/shared/builders';
import { webhookLocator } from '../../fields/shared/locators';
import {
	readWebhook,
	webhookEvents,
	webhookOptions,
	webhookUrl,
	withoutHeaderValues,
} from '../../fields/webhook/webhook';
import { shows } from '../../service/resources/transactions';
import { retrieveWebhook, withWebhookId } from '../../service/resources/webhooks';
import { withoutEmpty } from '../../service/values/json';

/**
 * Updates a webhook. PUT takes the whole webhook, so what isn't changed is read and sent again
 * (docs/service/webhooks.md#update-a-webhook).
 */
export const updateWebhook = defineOperation({
	resource: 'webhook',
	value: 'update',
	name: 'Update',
	action: 'Update webhook',
	description:
		'Update the URL, events or headers of a webhook. Fields you leave out keep their values.',
	kind: 'write',
	properties: [
		webhookLocator,
		collection('Update Fields', 'updateFields', [webhookUrl, webhookEvents, ...webhookOptions]),
	],
	async execute(call) {
		const webhookId = call.params.requiredLocator('webhookId');
		const changes = readChanges(call);
		const { url, subscriptions, header, headers } = await retrieveWebhook(call.service, webhookId);
		// New headers replace all headers, and a single `header` too.
		const kept = withoutEmpty(
			changes.headers === undefined
				? { url, subscriptions, header, headers }
				: { url, subscriptions },
		);
		await call.service.json('updateWebhook', {
			path: { webhookId },
			body: { ...kept, ...changes },
		});
		return { json: await shown(call, webhookId) };
	},
	async lookUp(call) {
		const { signing_key: key, ...changes } = readChanges(call);
		// An answer doesn't show the signing key, so the write stays in doubt.
		if (key !== undefined) return undefined;
		const webhook = await retrieveWebhook(call.service, call.params.requiredLocator('webhookId'));
		return shows(webhook, changes)
			? { json: withoutHeaderValues(withWebhookId(webhook)) }
			: undefined;
	},
});

/** Retrieves the webhook as it is now. The change counts as done even when this fails. */
async function shown(call: OperationCall, webhookId: string): Promise<IDataObject> {
	try {
		return withoutHeaderValues(withWebhookId(await retrieveWebhook(call.service, webhookId)));
	} catch {
		return { webhook_id: webhookId, updated: true };
	}
}

function readChanges(call: OperationCall): IDataObject {
	const changes = readWebhook(call, call.params.object('updateFields'));
	if (Object.keys(changes).length === 0)
		throw new InputFailure(
			call.params.label('updateFields'),
			'is empty',
			'Add at least one field to change',
		);
	return changes;
}

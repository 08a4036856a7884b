import type { IDataObject } from 'n8n-workflow';

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
import { InputFailure } from '../../core/failures';
import { shows } from '../../service/resources/transactions';
import { retrieveWebhook, withWebhookId } from '../../service/resources/webhooks';
import { withoutEmpty } from '../../service/values/json';

/**
 * gaps.md §1, Update webhook: its PUT takes everything, so what is not changed is read and sent
 * along.
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
		// Headers that are given take the place of all there are, also of a single one.
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
		// Nobody can see which key the service has.
		if (key !== undefined) return undefined;
		const webhook = await retrieveWebhook(call.service, call.params.requiredLocator('webhookId'));
		return shows(webhook, changes)
			? { json: withoutHeaderValues(withWebhookId(webhook)) }
			: undefined;
	},
});

/** What the service has now; the change has been made even when it can not be read. */
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

import type { IDataObject } from 'n8n-workflow';

import { requireChanges } from '../../form/checks';
import { ExplainedFailure } from '../../messages/failures';
import { defineOperation, defineWrite, type OperationCall } from '../../run/operation';
import { asObject } from '../../values/json';
import { defineCollection } from '../../form/fields';
import { describeDifferences } from '../../form/hints';
import { webhookLocator } from '../../form/locators';
import { retrieveWebhook, buildUpdatedGoal, pickWritableFields } from './api';
import { signingKeyNotice, webhookEvents, webhookOptions, webhookUrl } from './form';
import { parseWebhook } from './input';
import { toWebhookDifference, toWebhookOutput } from './output';

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
		'Update the URL, events or headers of a webhook. Fields you leave out keep their values, except for secrets, which the service never shows.',
	kind: 'write',
	effect: 'Changes where the service sends data of transactions. Other systems may stop getting it',
	properties: [
		webhookLocator,
		signingKeyNotice,
		defineCollection('Update Fields', 'updateFields', [
			webhookUrl,
			webhookEvents,
			...webhookOptions,
		]),
	],
	write: defineWrite({
		parse: (call) => ({
			webhookId: call.params.getRequiredLocator('webhookId'),
			changes: parseChanges(call),
		}),
		async prepare(call, { webhookId, changes }) {
			const before = await retrieveWebhook(call.service, webhookId);
			return { before, body: buildBody(call, before, changes) };
		},
		send: async ({ service }, { webhookId }, { body }) =>
			await service.json('updateWebhook', { path: { webhookId }, body }),
		goal: ({ service }, { webhookId, changes }, ready) =>
			buildUpdatedGoal(service, webhookId, changes, ready?.before),
		async result({ service, params }, { webhook, differing }, { webhookId }) {
			const retrieve = async () => await retrieveWebhook(service, webhookId);
			// The change counts as done even where the webhook can't be retrieved.
			const now = webhook ?? (await retrieve().catch(() => ({ id: webhookId, updated: true })));
			return {
				json: toWebhookOutput(now),
				hint: describeDifferences(params, differing.map(toWebhookDifference)),
			};
		},
	}),
});

/**
 * Builds the whole webhook for the PUT.
 * @throws ExplainedFailure when something would be lost that the service doesn't show; nothing was
 *   sent
 */
function buildBody(call: OperationCall, before: IDataObject, changes: IDataObject): IDataObject {
	const { header, ...current } = pickWritableFields(before);
	for (const line of [header, ...(Array.isArray(current.headers) ? current.headers : [])])
		call.service.keepSecret(String(line ?? '').replace(/^[^:]*:\s*/, ''), 'messages');
	if (asObject(before.oauth).enabled === true && changes.oauth_config === undefined)
		throw new ExplainedFailure(
			'The service gets a token for the deliveries of this webhook (OAuth), which an update would remove',
			`Nothing was changed. Enter '${call.params.label('oauth_client_secret')}' and the other fields of OAuth again: the service never shows the secret`,
			{ final: true },
		);
	const body: IDataObject = {
		...current,
		// New headers replace all headers, and a single `header` too.
		...(header !== undefined && changes.headers === undefined && { header }),
		...changes,
	};
	for (const [name, field] of [
		['url', 'url'],
		['subscriptions', 'events'],
	]) {
		if (body[name] === undefined)
			throw new ExplainedFailure(
				`The service doesn't show '${call.params.label(field)}' of this webhook, which an update has to send back`,
				`Nothing was changed. Fill in '${call.params.label(field)}' too`,
				{ final: true },
			);
	}
	return body;
}

function parseChanges(call: OperationCall): IDataObject {
	const { params } = call;
	const changes = parseWebhook(call, params.getObject('updateFields'));
	requireChanges(params, changes);
	return changes;
}

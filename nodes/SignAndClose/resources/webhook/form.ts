import type { INodeProperties } from 'n8n-workflow';

import { defineRows, defineText } from '../../form/fields';

/* The fields of a webhook (docs/service/webhooks.md#webhook-fields). */

/** The URL that the service calls. */
export const webhookUrl: INodeProperties = defineText(
	'URL',
	'url',
	'https://n8n.example.com/webhook/closings',
	'URL to deliver events to. The service must be able to reach it.',
);

/** The events to subscribe to. */
export const webhookEvents: INodeProperties = {
	displayName: 'Event Names or IDs',
	name: 'events',
	type: 'multiOptions',
	typeOptions: { loadOptionsMethod: 'getEvents' },
	default: [],
	description:
		'Events to subscribe to. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
};

const defineSecret = (
	displayName: string,
	name: string,
	description?: string,
): INodeProperties => ({
	...defineText(displayName, name, '', description),
	typeOptions: { password: true },
});

/** The rarely used fields. */
export const webhookOptions: INodeProperties[] = [
	defineRows(
		'Headers',
		'headers',
		'Header',
		[defineText('Name', 'name', 'X-Case'), defineSecret('Value', 'value')],
		{
			description: 'Headers that the service sends with each delivery',
		},
	),
	defineText(
		'OAuth Client ID',
		'oauth_client_id',
		'closings',
		'Client ID with which the service gets a token for its deliveries, instead of a signing key or headers',
	),
	defineSecret(
		'OAuth Client Secret',
		'oauth_client_secret',
		'Client secret with which the service gets a token for its deliveries',
	),
	defineText(
		'OAuth Token URL',
		'oauth_url',
		'https://idp.example.com/oauth/token',
		'URL where the service gets a token for its deliveries',
	),
	defineText(
		'Other Events',
		'other_events',
		'transaction.notarized, transaction.archived',
		"Names of events that aren't in the list, separated by commas. They're added to those chosen there.",
	),
	defineText(
		'Request ID Header',
		'request_id_header_name',
		'X-Request-Id',
		'Name of the header with the ID of each delivery. Leave empty to use X-Request-Id.',
	),
	defineSecret(
		'Signing Key',
		'signing_key',
		'Key that the service signs deliveries with. Leave empty to let the service use the API key.',
	),
];

/**
 * Says before an update what it may lose: no answer shows a signing key, and the service signs with
 * the API key where it gets none (docs/service/webhooks.md#update-a-webhook).
 */
export const signingKeyNotice: INodeProperties = {
	displayName:
		"The service never shows signing keys. If this webhook has its own, enter it again in 'Signing Key'. Otherwise, the service may sign with the API key from then on.",
	name: 'signingKeyNotice',
	type: 'notice',
	default: '',
};

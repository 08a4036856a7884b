import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { InputFailure } from '../../core/explainedFailure';
import type { OperationCall } from '../../core/operation';
import { rows, text } from '../shared/builders';

/* The fields of a webhook (docs/service/webhooks.md#webhook-fields). */

/** The URL that the service calls. */
export const webhookUrl: INodeProperties = text(
	'URL',
	'url',
	'https://n8n.example.com/webhook/closings',
	'URL that the service calls. The service must be able to reach it.',
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

/** Headers and signing key. */
export const webhookOptions: INodeProperties[] = [
	rows(
		'Headers',
		'headers',
		'Header',
		[
			text('Name', 'name', 'X-Case'),
			{ ...text('Value', 'value', ''), typeOptions: { password: true } },
		],
		{ description: 'Headers that the service sends with each call' },
	),
	{
		...text(
			'Signing Key',
			'signing_key',
			'',
			'Key that the service signs its calls with. Leave empty to let the service use the API key.',
		),
		typeOptions: { password: true },
	},
];

/**
 * Reads URL, events, headers and key, as far as they are filled in. Header values and key are
 * removed from every text of this run, because they are secrets.
 * @returns fields of the request
 * @throws InputFailure when the URL isn't complete or a header isn't valid
 */
export function readWebhook({ params, service }: OperationCall, values: IDataObject): IDataObject {
	const url = params.textOf(values, 'url');
	if (url !== undefined && !(URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)))
		throw new InputFailure(
			params.label('url'),
			`is '${url}'`,
			'Enter a complete address that starts with https://',
		);
	const events = (
		Array.isArray(values.events) ? values.events : String(values.events ?? '').split(',')
	)
		.map((event) => String(event).trim())
		.filter((event) => event !== '');
	const headers = params.rows('headers', values.headers ?? {}).map(({ name, value }, index) => {
		const line = { name: String(name ?? '').trim(), value: String(value ?? '').trim() };
		if (!/^[\w-]+$/.test(line.name) || /[\r\n]/.test(line.value))
			throw new InputFailure(
				params.label('headers'),
				`, row ${index + 1}: isn't a valid header`,
				'Enter a name of letters, digits and hyphens, and a value on one line',
			);
		service.keepSecret(line.value);
		return `${line.name}:${line.value}`;
	});
	const key = params.textOf(values, 'signing_key');
	if (key !== undefined) service.keepSecret(key);
	return {
		...(url !== undefined && { url }),
		...(events.length > 0 && { subscriptions: events }),
		...(headers.length > 0 && { headers }),
		...(key !== undefined && { signing_key: key }),
	};
}

/** Returns a webhook without its signing key and the values of its headers, which are secrets. */
export function withoutHeaderValues(webhook: IDataObject): IDataObject {
	const nameOf = (line: unknown) =>
		typeof line === 'string' ? line.split(':')[0] : (line as IDataObject | null)?.name;
	const hide = (line: unknown) =>
		line === null || line === undefined ? line : `${String(nameOf(line) ?? 'header')}: ***`;
	const { header, headers } = webhook;
	const shown = Object.fromEntries(
		Object.entries(webhook).filter(([name]) => name !== 'signing_key'),
	);
	return {
		...shown,
		...(header !== undefined && { header: hide(header) as string }),
		...(Array.isArray(headers) && { headers: headers.map((line) => hide(line) as string) }),
	};
}

import type { IDataObject } from 'n8n-workflow';

import { InputFailure } from '../../messages/explainedFailure';
import { readEach, readTogether } from '../../messages/faults';
import type { OperationCall } from '../../run/operation';
import { textsOf } from '../../run/parameters/textOf';
import { currentName } from './events';
import { hasHiddenSecret } from './output';

/* Parses the fields of a webhook (docs/service/webhooks.md#webhook-fields). */

/** What was filled in. */
export interface ParsedWebhook {
	/** Fields of the request, without OAuth. */
	fields: IDataObject;
	/** The parts of OAuth that were filled in, by the names of the request. */
	oauth: { oauth_token_url?: string; client_id?: string; client_secret?: string };
}

/**
 * Reads URL, events, headers, key and OAuth, as far as they are filled in. What is secret among them
 * is removed from every text of this run.
 * @throws InputFailure when the URL isn't complete or a header isn't valid
 */
export function parseWebhook(call: OperationCall, values: IDataObject): ParsedWebhook {
	const { params, service } = call;
	const text = (name: string) => params.textOf(values, name);
	const secret = (name: string) => {
		const value = text(name);
		if (value !== undefined) service.keepSecret(value);
		return value;
	};
	const { url, subscriptions, headers } = readTogether({
		url: () => parseUrl(call, text('url')),
		subscriptions: () => parseEvents(call, values.events),
		headers: () => parseHeaders(call, values.headers),
	});
	return {
		fields: filled({
			url,
			...(subscriptions.length > 0 && { subscriptions }),
			...(headers.length > 0 && { headers }),
			signing_key: secret('signing_key'),
			request_id_header_name: text('request_id_header_name'),
		}),
		oauth: filled({
			oauth_token_url: text('oauth_url'),
			client_id: text('oauth_client_id'),
			client_secret: secret('oauth_client_secret'),
		}),
	};
}

function filled<T extends object>(fields: T): T {
	return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
}

function parseUrl({ params }: OperationCall, url: string | undefined): string | undefined {
	if (url === undefined) return undefined;
	if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
		throw new InputFailure(
			params.label('url'),
			`is '${url}', which isn't a complete address`,
			'Enter a complete address that starts with https://',
		);
	if (hasHiddenSecret(url))
		throw new InputFailure(
			params.label('url'),
			"comes from an output, in which the secret of the trigger's URL is hidden",
			"Leave it out to keep the webhook's URL",
		);
	return url;
}

function parseEvents({ params }: OperationCall, given: unknown): string[] {
	return [...new Set(textsOf(params.label('events'), given).map(currentName))];
}

function parseHeaders({ params, service }: OperationCall, given: unknown): string[] {
	return readEach(params.rows('headers', given ?? {}), ({ name, value }, index) => {
		const line = {
			name: params.textOf({ headers: name }, 'headers') ?? '',
			value: params.textOf({ headers: value }, 'headers') ?? '',
		};
		if (!/^[\w-]+$/.test(line.name) || /\p{Cc}/u.test(line.value))
			throw new InputFailure(
				params.label('headers'),
				`, row ${index + 1}: isn't a valid header`,
				'Enter a name of letters, digits and hyphens, and a value on one line',
			);
		// Outputs hide it in its field. Elsewhere it may be an ordinary word.
		service.keepSecret(line.value, 'messages');
		return `${line.name}:${line.value}`;
	});
}

/**
 * Completes OAuth, whose three parts the service only takes together
 * (docs/service/webhooks.md#oauth-of-the-receiver).
 * @param known the parts that the service shows of a webhook
 * @returns the field of the request; empty when nothing was filled in
 * @throws InputFailure when a part is missing
 */
export function completeOauth(
	{ params }: OperationCall,
	given: ParsedWebhook['oauth'],
	known: ParsedWebhook['oauth'] = {},
): IDataObject {
	if (Object.keys(given).length === 0) return {};
	const oauth = { ...known, ...given };
	const parts = [
		['oauth_token_url', 'oauth_url'],
		['client_id', 'oauth_client_id'],
		['client_secret', 'oauth_client_secret'],
	] as const;
	readEach(parts, ([part, name]) => {
		if (oauth[part] === undefined)
			throw new InputFailure(
				params.label(name),
				'is empty',
				'Fill in all three fields of OAuth: the service only takes them together',
			);
	});
	return { oauth_config: oauth };
}

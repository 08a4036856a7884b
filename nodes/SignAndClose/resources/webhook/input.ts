import type { IDataObject } from 'n8n-workflow';

import { InputFailure } from '../../messages/failures';
import { parseEach, parseTogether } from '../../messages/inputFaults';
import type { OperationCall } from '../../run/operation';
import { parseTexts } from '../../run/parameters/texts';
import { withoutEmpty } from '../../values/json';
import { toCurrentName } from './eventSelection';
import { hasHiddenSecret } from './output';

/* Parses the fields of a webhook (docs/service/webhooks.md#webhook-fields). */

/**
 * Reads URL, events, headers, key and OAuth, as far as they are filled in. What is secret among them
 * is removed from every text of this run.
 * @returns the fields of the request
 * @throws InputFailure when the URL isn't complete, a header isn't valid or a part of OAuth is missing
 */
export function parseWebhook(call: OperationCall, values: IDataObject): IDataObject {
	const { params, service } = call;
	const key = params.getTextIn(values, 'signing_key');
	if (key !== undefined) service.keepSecret(key);
	const { url, subscriptions, headers, oauth } = parseTogether({
		url: () => parseUrl(call, params.getTextIn(values, 'url')),
		subscriptions: () =>
			['events', 'other_events']
				.flatMap((name) => parseTexts(params.label(name), values[name]))
				.map(toCurrentName),
		headers: () => parseHeaders(call, values.headers),
		oauth: () => parseOauth(call, values),
	});
	return withoutEmpty({
		url,
		...(subscriptions.length > 0 && { subscriptions: [...new Set(subscriptions)] }),
		...(headers.length > 0 && { headers }),
		signing_key: key,
		request_id_header_name: params.getTextIn(values, 'request_id_header_name'),
		oauth_config: oauth,
	});
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

function parseHeaders({ params, service }: OperationCall, value: unknown): string[] {
	return parseEach(params.getRows('headers', value ?? {}), ({ name, value }, index) => {
		const line = {
			name: params.getTextIn({ headers: name }, 'headers') ?? '',
			value: params.getTextIn({ headers: value }, 'headers') ?? '',
		};
		if (!/^[\w-]+$/.test(line.name) || /\p{Cc}/u.test(line.value))
			throw new InputFailure(
				params.label('headers'),
				`, entry ${index + 1}: isn't a valid header`,
				'Enter a name of letters, digits and hyphens, and a value on one line',
			);
		// Outputs hide it in its field. Elsewhere it may be an ordinary word.
		service.keepSecret(line.value, 'messages');
		return `${line.name}:${line.value}`;
	});
}

/**
 * Reads OAuth, whose three parts the service only takes together
 * (docs/service/webhooks.md#oauth-of-the-receiver).
 * @returns undefined when nothing was filled in
 */
function parseOauth({ params, service }: OperationCall, values: IDataObject) {
	const oauth = {
		oauth_token_url: params.getTextIn(values, 'oauth_url'),
		client_id: params.getTextIn(values, 'oauth_client_id'),
		client_secret: params.getTextIn(values, 'oauth_client_secret'),
	};
	if (oauth.client_secret !== undefined) service.keepSecret(oauth.client_secret);
	if (Object.values(oauth).every((part) => part === undefined)) return undefined;
	parseEach(['oauth_url', 'oauth_client_id', 'oauth_client_secret'], (name) => {
		if (params.getTextIn(values, name) === undefined)
			throw new InputFailure(
				params.label(name),
				'is empty',
				'Fill in all three fields of OAuth: the service only takes them together',
			);
	});
	return oauth;
}

import type { IDataObject } from 'n8n-workflow';

import { asObject, isObject } from '../../values/json';
import type { FieldDifference } from '../../values/comparison';

/* Webhooks as outputs show them. */

/** Fields that hold a secret, should a service answer them (docs/service/webhooks.md#webhook-answer). */
const SECRET_FIELDS = new Set(['signing_key', 'client_secret']);

/**
 * Returns the whole webhook with its ID at top level, without what is secret: the signing key, the
 * values of headers, the secret of OAuth and that of a trigger's URL.
 */
export function toWebhookOutput(webhook: IDataObject): IDataObject {
	const { url, header, headers } = webhook;
	return {
		webhook_id: webhook.id,
		...withoutSecrets(webhook),
		...(url !== undefined && { url: withHiddenSecret(url) as string }),
		...(header !== undefined && { header: hideValue(header) as string }),
		...(Array.isArray(headers) && { headers: headers.map((line) => hideValue(line) as string) }),
	};
}

/** What differs in a webhook, under the field's name in the form and without what is secret. */
export const toWebhookDifference = ({
	field,
	expected,
	actual,
}: FieldDifference): FieldDifference => ({
	field: field === 'subscriptions' ? 'events' : field,
	expected: toWebhookOutput({ [field]: expected as string })[field],
	actual: toWebhookOutput({ [field]: actual as string })[field],
});

function withoutSecrets(fields: IDataObject): IDataObject {
	return Object.fromEntries(
		Object.entries(fields)
			.filter(([name]) => !SECRET_FIELDS.has(name))
			.map(([name, value]) => [
				name,
				name.startsWith('oauth') && isObject(value) ? withoutSecrets(value) : value,
			]),
	);
}

/** Hides the value of a header. Where a service has no header, it answers an empty text or null. */
function hideValue(line: unknown): unknown {
	if (line === null || line === undefined || line === '') return line;
	const name = typeof line === 'string' ? line.split(':')[0] : asObject(line).name;
	return `${typeof name === 'string' && name !== '' ? name : 'header'}: ***`;
}

/*
 * The secret in the URL of a trigger's webhook. Whoever knows it can start the trigger's workflow, so
 * no output shows it.
 */

/**
 * Name of the URL's query parameter that holds the secret. It proves that the caller got the URL
 * from us.
 */
export const SECRET_PARAMETER = 'key';

/** 256 random bits as URL-safe text. */
const SECRET_PATTERN = /^[\w-]{43}$/;
const MASK = '***';

/** Returns a URL as outputs show it: recognizable, without the secret of a trigger. */
function withHiddenSecret(address: unknown): unknown {
	return hasSecret(address) ? String(address).replace(readSecret(address)!, MASK) : address;
}

/** Whether a URL is that of a trigger. */
export const hasSecret = (address: unknown): boolean =>
	SECRET_PATTERN.test(readSecret(address) ?? '');

/** Whether a URL comes from an output, and so lacks its secret. */
export function hasHiddenSecret(address: string): boolean {
	return readSecret(address) === MASK;
}

/** The query parameter for the secret, whatever it holds; undefined when there is none. */
export function readSecret(address: unknown): string | undefined {
	return typeof address === 'string' && URL.canParse(address)
		? (new URL(address).searchParams.get(SECRET_PARAMETER) ?? undefined)
		: undefined;
}

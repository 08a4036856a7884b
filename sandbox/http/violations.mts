/** What the service answers to a request that openapi.yaml does not allow, in its own words. */

import type { ErrorObject } from 'ajv';

import { published, publishedText, Refusal, TEXTS } from '../domain/refusal.mts';

export interface Violation {
	/** What the client is told. */
	refusal: Refusal;
	/** What exactly openapi.yaml does not allow. */
	detail: string;
}

const TYPE_NAMES: Record<string, string> = { array: 'Array', string: 'String', object: 'Object' };

export function describeErrors(errors: ErrorObject[]): string {
	return errors
		.map(
			({ instancePath, message, params }) =>
				`${instancePath || '/'} ${message} ${JSON.stringify(params)}`,
		)
		.join('; ');
}

export function violationOf(errors: ErrorObject[], operationId: string): Violation {
	const detail = describeErrors(errors);
	const refusal =
		wrongType(errors, /webhook/i.test(operationId)) ??
		knownRefusal(detail) ??
		new Refusal(422, detail);
	return { refusal, detail };
}

/**
 * Texts, arrays and objects of another type are 400, on webhooks 422
 * (docs/service/errors.md#wrong-types).
 */
function wrongType(errors: ErrorObject[], ofWebhook: boolean): Refusal | undefined {
	for (const { instancePath, keyword, params } of errors) {
		const missing = ofWebhook && keyword === 'required' && instancePath === '/requestBody';
		if (!missing && !(keyword === 'type' && isOnlyWrongType(errors, instancePath))) continue;
		const path = instancePath.split('/').slice(2);
		const name = missing
			? String(params.missingProperty)
			: path.findLast((part) => !/^\d+$/.test(part));
		// What is missing of a webhook is its URL or its subscriptions.
		const type = missing ? (name === 'subscriptions' ? 'array' : 'string') : typeOf(params.type);
		if (name === undefined || !instancePath.startsWith('/requestBody') || !(type in TYPE_NAMES))
			continue;
		if (name === 'borrowers') return published('borrowersNotArray');
		return ofWebhook
			? publishedText(
					422,
					`Invalid value for required field ${name} - expected ${TYPE_NAMES[type]}`,
				)
			: publishedText(400, `Invalid value for ${name} - expected ${TYPE_NAMES[type]}`);
	}
	return undefined;
}

const typeOf = (types: string | string[]) =>
	[types].flat().find((type) => type !== 'null') ?? 'null';

/** Where one of several types fits, other errors say what else is wrong with the value. */
function isOnlyWrongType(errors: ErrorObject[], place: string): boolean {
	return errors
		.filter(({ instancePath }) => instancePath.startsWith(place))
		.every(({ keyword }) => keyword === 'type' || keyword === 'anyOf');
}

/**
 * The service's own refusal of what the schema finds, where it has one
 * (docs/service/errors.md#texts-worth-a-remedy).
 */
function knownRefusal(detail: string): Refusal | undefined {
	if (/"missingProperty":"email"|\/email must/.test(detail)) return new Refusal(422, TEXTS.noEmail);
	if (/\/signers must NOT have fewer/.test(detail)) return new Refusal(422, TEXTS.noSigner);
	return undefined;
}

/** Fields of a body that nobody knows, as paths from the body. */
export function unknownFields(errors: ErrorObject[]): string[][] {
	return errors
		.filter(
			({ keyword, instancePath }) =>
				keyword === 'additionalProperties' && instancePath.startsWith('/requestBody'),
		)
		.map(({ instancePath, params }) => [
			...instancePath.split('/').slice(2),
			String(params.additionalProperty),
		]);
}

/** A copy of a body without some of its fields. */
export function withoutFields(body: unknown, paths: string[][]): unknown {
	const here = paths.filter(({ length }) => length === 1).map(([name]) => name);
	const inside = (name: string) =>
		paths.filter((path) => path.length > 1 && path[0] === name).map((path) => path.slice(1));
	if (Array.isArray(body))
		return body.map((entry: unknown, index) => withoutFields(entry, inside(String(index))));
	if (typeof body !== 'object' || body === null || Buffer.isBuffer(body)) return body;
	return Object.fromEntries(
		Object.entries(body)
			.filter(([name]) => !here.includes(name))
			.map(([name, entry]) => [name, withoutFields(entry, inside(name))]),
	);
}

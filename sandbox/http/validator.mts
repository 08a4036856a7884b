/** Validates requests and answers against openapi.yaml. */

import { readFileSync } from 'node:fs';

import type { ErrorObject } from 'ajv';
import { OpenAPIBackend, type Operation, type Request } from 'openapi-backend';
import { parse } from 'yaml';

import { ASSURANCE_FIELD } from '../world/config.mts';
import { TEXTS } from '../domain/refusal.mts';

const DEFINITION = readFileSync(new URL('../openapi.yaml', import.meta.url), 'utf8');

/**
 * Where the knowledge of an operation comes from (docs/service/README.md#certainty-marks):
 * documented, published, likely (there: inferred), our default (there: assumed).
 */
type Mark = 'doc' | 'pub' | 'lik' | 'def';

export interface MatchedOperation {
	operationId: string;
	mark: Mark;
	params: Record<string, string>;
	operation: Operation;
}

interface ValidatedCall {
	method: string;
	/** In the documented layout. */
	path: string;
	query: Record<string, string>;
	body: unknown;
}

interface Violation {
	/** What the client is told. */
	text: string;
	/** What exactly openapi.yaml does not allow. */
	detail: string;
}

export interface Validator {
	matchOperation(call: ValidatedCall): MatchedOperation | undefined;
	/** @returns undefined when openapi.yaml allows the request */
	validateRequest(call: ValidatedCall, matched: MatchedOperation): Violation | undefined;
	/**
	 * For the sandbox's own tests.
	 * @returns what is wrong with an answer, or undefined when openapi.yaml allows it
	 */
	validateAnswer(operationId: string, status: number, body: unknown): string | undefined;
}

/**
 * @param assuranceField API name of the identity-assurance object
 *   (docs/service/signers.md#identity-assurance)
 */
export async function loadValidator(assuranceField: string): Promise<Validator> {
	const backend = new OpenAPIBackend({
		// A copy without shared objects: what YAML anchors share would be dereferenced twice.
		definition: JSON.parse(
			JSON.stringify(
				parse(DEFINITION.replaceAll(ASSURANCE_FIELD, assuranceField), { merge: true }),
			),
		),
		// `strict` would refuse the x- keywords and the formats of OpenAPI.
		ajvOpts: {
			strict: false,
			allErrors: true,
			formats: {
				'date-time': (text: string) =>
					/^\d{4}-\d\d-\d\d/.test(text) && !Number.isNaN(Date.parse(text)),
			},
		},
		coerceTypes: true,
		// The library can check the document itself as OpenAPI 3.0 only. This mode leaves that check
		// out, and starts faster.
		quick: true,
	});
	await backend.init();
	const toRequest = ({ method, path, query, body }: ValidatedCall): Request => ({
		method,
		path,
		query: { ...query },
		headers: { 'content-type': 'application/json' },
		body,
	});
	return {
		matchOperation(call) {
			const request = toRequest(call);
			const operation = backend.router.matchOperation(request);
			if (operation?.operationId === undefined) return undefined;
			const params = backend.router.parseRequest(request, operation).params ?? {};
			return {
				operationId: operation.operationId,
				mark: (operation as { 'x-mark'?: Mark })['x-mark'] ?? 'def',
				params: Object.fromEntries(
					Object.entries(params).map(([name, value]) => [name, decode(String(value))]),
				),
				operation,
			};
		},
		validateRequest(call, { operation }) {
			// The schema wants text where a multipart form has the bytes of a file.
			const body = withoutFileBytes(call.body);
			const needsBody =
				operation.requestBody !== undefined &&
				'required' in operation.requestBody &&
				operation.requestBody.required === true;
			if (needsBody && (body === undefined || body === null))
				return { text: 'The request has no body', detail: 'the request has no body' };
			if (
				operation.requestBody === undefined &&
				call.method !== 'GET' &&
				body !== undefined &&
				Object.keys(body as object).length > 0
			) {
				return { text: 'The request takes no body', detail: 'the request takes no body' };
			}
			const { errors } = backend.validator.validateRequest(toRequest({ ...call, body }), operation);
			if (errors === null || errors === undefined || errors.length === 0) return undefined;
			const detail = describeErrors(errors);
			return { text: knownText(detail) ?? detail, detail };
		},
		validateAnswer(operationId, status, body) {
			const { errors } = backend.validator.validateResponse(body, operationId, status);
			return errors ? describeErrors(errors) : undefined;
		},
	};
}

function describeErrors(errors: ErrorObject[]): string {
	return errors
		.map(
			({ instancePath, message, params }) =>
				`${instancePath || '/'} ${message} ${JSON.stringify(params)}`,
		)
		.join('; ');
}

/**
 * The service's own text for what the schema finds, where it has one
 * (docs/service/errors.md#texts-worth-a-remedy).
 */
function knownText(detail: string): string | undefined {
	if (/"missingProperty":"email"|\/email must/.test(detail)) return TEXTS.noEmail;
	if (/\/signers must NOT have fewer/.test(detail)) return TEXTS.noSigner;
	return undefined;
}

function decode(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}

function withoutFileBytes(body: unknown): unknown {
	if (typeof body !== 'object' || body === null) return body;
	const { resource } = body as { resource?: unknown };
	return Buffer.isBuffer(resource) ? { ...body, resource: 'file' } : body;
}

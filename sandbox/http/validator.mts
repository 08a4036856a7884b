/** Validates requests and answers against openapi.yaml. */

import type { ErrorObject } from 'ajv';
import { OpenAPIBackend, type Operation, type Request } from 'openapi-backend';

import { loadOpenapi } from './openapi.mts';
import {
	describeErrors,
	unknownFields,
	violationOf,
	withoutFields,
	type Violation,
} from './violations.mts';
import { Refusal } from '../domain/refusal.mts';
import type { Switches } from '../world/config.mts';
import type { Profile } from '../world/world.mts';

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

/** A request as its operation gets it. */
interface AllowedRequest {
	query: Record<string, string>;
	/** Without what the service ignores. */
	body: unknown;
}

export interface Validator {
	matchOperation(call: ValidatedCall): MatchedOperation | undefined;
	/**
	 * @param unknownFields whether fields of a body that nobody knows are refused
	 * @returns the violation when openapi.yaml does not allow the request
	 */
	validateRequest(
		call: ValidatedCall,
		matched: MatchedOperation,
		unknownFields: Switches['unknownFields'],
	): AllowedRequest | Violation;
	/**
	 * For the sandbox's own tests.
	 * @returns what is wrong with an answer, or undefined when openapi.yaml allows it
	 */
	validateAnswer(operationId: string, status: number, body: unknown): string | undefined;
}

/** Calls of real estate that ignore whatever is sent (docs/service/transactions.md#resend-the-sms). */
const IGNORING = new Set(['resendClosingEmail', 'resendClosingSms']);

/** The validators of this process. They keep nothing of a request, so all sandboxes share them. */
const validators = new Map<string, Promise<Validator>>();

/**
 * The validator of a kind of service. The first one of a kind reads the description and compiles its
 * schemas, which takes longer than everything else that a sandbox does at its start.
 * @param profile a documented-only service requires only what is documented
 * @param assuranceField API name of the identity-assurance object
 *   (docs/service/signers.md#identity-assurance)
 */
export async function loadValidator(profile: Profile, assuranceField: string): Promise<Validator> {
	const kind = JSON.stringify([profile, assuranceField]);
	const known = validators.get(kind) ?? createValidator(profile, assuranceField);
	validators.set(kind, known);
	return await known;
}

async function createValidator(profile: Profile, assuranceField: string): Promise<Validator> {
	const definition = loadOpenapi(assuranceField);
	if (profile === 'documented') requireOnlyDocumented(definition);
	const backend = new OpenAPIBackend({
		definition,
		// `strict` would refuse the x- keywords and the formats of OpenAPI.
		ajvOpts: {
			strict: false,
			allErrors: true,
			// Most requests are the first of their kind, so that compiling counts, not validating: each
			// schema is compiled once instead of at every mention, without a pass that makes it shorter.
			inlineRefs: false,
			code: { optimize: false },
			// A test checks that the schemas are valid.
			validateSchema: false,
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
		validateRequest({ body: sent, query: asked, ...call }, matched, unknown) {
			const { operation, operationId } = matched;
			const ignores = IGNORING.has(operationId);
			const query = ignores ? {} : asked;
			let body = ignores ? undefined : sent;
			const isEmpty = body === undefined || body === null;
			const { requestBody } = operation;
			if (requestBody && 'required' in requestBody && requestBody.required === true && isEmpty)
				return inOwnWords('The request has no body');
			if (!requestBody && call.method !== 'GET' && !isEmpty && Object.keys(body!).length > 0)
				return inOwnWords('The request takes no body');
			const validate = (): ErrorObject[] =>
				backend.validator.validateRequest(
					// The schema wants text where a multipart form has the bytes of a file.
					toRequest({ ...call, query, body: withoutFileBytes(body) }),
					operation,
				).errors ?? [];
			let errors = validate();
			while (unknown === 'ignore' && unknownFields(errors).length > 0) {
				body = withoutFields(body, unknownFields(errors));
				errors = validate();
			}
			return errors.length === 0 ? { query, body } : violationOf(errors, operationId);
		},
		validateAnswer(operationId, status, body) {
			const { errors } = backend.validator.validateResponse(body, operationId, status);
			return errors ? describeErrors(errors) : undefined;
		},
	};
}

function inOwnWords(text: string): Violation {
	return { refusal: new Refusal(422, text), detail: text };
}

/** Takes out what the documented interface does not show as required. */
function requireOnlyDocumented(definition: any): void {
	for (const parameter of Object.values<any>(definition.components.parameters))
		if (parameter.in === 'query' && parameter['x-mark'] !== 'doc') parameter.required = false;
	for (const schema of Object.values<any>(definition.components.schemas)) {
		const isRequest = schema.additionalProperties === false;
		schema.required = schema.required?.filter(
			(name: string) => isRequest && schema.properties[name]?.['x-mark'] === 'doc',
		);
	}
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

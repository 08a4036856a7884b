import { readFileSync } from 'node:fs';

import { OpenAPIBackend, type Operation, type Request } from 'openapi-backend';
import { parse } from 'yaml';

import { ASSURANCE_FIELD } from '../state/config.mts';
import { TEXTS } from '../domain/refusal.mts';

/** openapi.yaml as the judge of every request. */

const DEFINITION = readFileSync(new URL('../openapi.yaml', import.meta.url), 'utf8');

/** How well an operation is known (gaps.md, marks). */
export type Mark = 'doc' | 'pub' | 'lik' | 'def';

export interface MatchedOperation {
	operationId: string;
	mark: Mark;
	params: Record<string, string>;
	operation: Operation;
}

export interface ContractCall {
	method: string;
	/** In the documented layout. */
	path: string;
	query: Record<string, string>;
	body: unknown;
}

export interface Complaint {
	/** What the client is told. */
	text: string;
	/** What exactly is not as openapi.yaml says. */
	detail: string;
}

export interface Contract {
	match(call: ContractCall): MatchedOperation | undefined;
	/** @returns undefined when openapi.yaml allows the request */
	judge(call: ContractCall, matched: MatchedOperation): Complaint | undefined;
	/** For the sandbox's own tests: what is wrong with an answer, in words. */
	judgeAnswer(operationId: string, status: number, body: unknown): string | undefined;
}

/** @param assuranceField wire name of the identity-assurance object (interface.md §2, Signer) */
export async function loadContract(assuranceField: string): Promise<Contract> {
	const backend = new OpenAPIBackend({
		// Written out: what YAML's anchors share would be dereferenced twice.
		definition: JSON.parse(
			JSON.stringify(
				parse(DEFINITION.replaceAll(ASSURANCE_FIELD, assuranceField), { merge: true }),
			),
		),
		// `strict` would refuse the x- words and formats of OpenAPI.
		ajvOpts: {
			strict: false,
			allErrors: true,
			formats: {
				'date-time': (text: string) =>
					/^\d{4}-\d\d-\d\d/.test(text) && !Number.isNaN(Date.parse(text)),
			},
		},
		coerceTypes: true,
		// The library's check of the document itself knows OpenAPI 3.0 only; this mode leaves it out
		// (and starts faster).
		quick: true,
	});
	await backend.init();
	const toRequest = ({ method, path, query, body }: ContractCall): Request => ({
		method,
		path,
		query: { ...query },
		headers: { 'content-type': 'application/json' },
		body,
	});
	return {
		match(call) {
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
		judge(call, { operation }) {
			// The bytes of a multipart file stand for the text that the schema asks for.
			const body = withoutBytes(call.body);
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
			const detail = errors
				.map(
					({ instancePath, message, params }) =>
						`${instancePath || '/'} ${message} ${JSON.stringify(params)}`,
				)
				.join('; ');
			return { text: knownText(detail) ?? detail, detail };
		},
		judgeAnswer(operationId, status, body) {
			const { errors } = backend.validator.validateResponse(body, operationId, status);
			return errors
				?.map(
					({ instancePath, message, params }) =>
						`${instancePath || '/'} ${message} ${JSON.stringify(params)}`,
				)
				.join('; ');
		},
	};
}

/** Where the service has words of its own for what the schema finds (gaps.md §9). */
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

function withoutBytes(body: unknown): unknown {
	if (typeof body !== 'object' || body === null) return body;
	const { resource } = body as { resource?: unknown };
	return Buffer.isBuffer(resource) ? { ...body, resource: 'file' } : body;
}

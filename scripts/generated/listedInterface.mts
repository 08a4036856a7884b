import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { parse } from 'yaml';

import {
	ENDPOINTS,
	type Endpoint,
	type EndpointName,
	type Platform,
} from '../../nodes/SignAndClose/transport/service/endpoints.ts';
import {
	buildPath,
	LAYOUTS,
	type PathValues,
} from '../../nodes/SignAndClose/transport/service/paths.ts';
import { loadOpenapi } from '../../sandbox/http/openapi.mts';

/**
 * Every endpoint and field of the description of the service (sandbox/openapi.yaml), with how the
 * node uses it (test/contract/interface.yaml).
 */

interface ListedEndpoint {
	/** e.g. `GET R/transactions/{transaction_id}` */
	title: string;
	operationId: string;
	method: string;
	platform: Platform;
	/** In the documented layout, with {placeholders}. */
	path: string;
	mark: string;
	/** Where endpoints.ts has it; else `instead` or `link` say how the node does without. */
	node?: (typeof NODE_ENDPOINTS)[number];
	instead?: string;
	link?: string;
	/** When the node asks it, if that isn't always; a test of its own shows it. */
	fallback?: string;
	query: ListedField[];
	body: ListedField[];
	answer: ListedField[];
	/** Name of the answer's schema; `each Name` for an array. */
	answerType?: string;
	/** The field of the answer whose entries become the node's items. */
	items?: string;
}

interface ListedField {
	/** Dotted, arrays with []: `signers[].email` */
	path: string;
	/** Schema and field, as interface.yaml names it: `NewSigner.email` */
	key: string;
	/** Why the node does without it: does not send it, or does not hand it on. */
	leftOut?: string;
}

type Reasons = Record<string, string>;
interface Use {
	instead?: string;
	link?: string;
	fallback?: string;
	items?: string;
}

const FILE = new URL('../../test/contract/interface.yaml', import.meta.url);
const uses = parse(readFileSync(FILE, 'utf8')) as {
	operations: Record<string, Use>;
	notSent: Reasons;
	notHandedOn: Reasons;
};
const openapi = loadOpenapi();

/** The endpoints of endpoints.ts on each platform. `call` has the documented layout, every ID as ID. */
export const NODE_ENDPOINTS = Object.entries<Endpoint>(ENDPOINTS).flatMap(([name, endpoint]) =>
	Object.entries(endpoint.platforms).map(([platform, isDocumented]) => {
		const method =
			platform === 'realEstate' ? (endpoint.realEstateMethod ?? endpoint.method) : endpoint.method;
		const ids = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, id]) => [id, 'ID']);
		const values: PathValues = Object.fromEntries(ids);
		const path = buildPath(name as EndpointName, platform as Platform, LAYOUTS.documented, values);
		return { name, isDocumented, call: `${method} ${path.replace(/\/$/, '')}` };
	}),
);

/** The names that interface.yaml gives a reason for, and that are nowhere in the description. */
export const unusedReasons = (): string[] =>
	[...Object.keys(uses.notSent), ...Object.keys(uses.notHandedOn)].filter(
		(name) => !usedReasons.has(name),
	);
const usedReasons = new Set<string>();

export function resolve(schema: any): { schema: any; name?: string } {
	if (schema?.$ref === undefined) return { schema };
	const name = String(schema.$ref).split('/').at(-1)!;
	const target = String(schema.$ref)
		.slice(2)
		.split('/')
		.reduce((node: any, key: string) => node[key], openapi);
	return { schema: resolve(target).schema, name };
}

/**
 * All fields of a schema, those of its objects included.
 * @param reasons why the node does without a field, by `Schema.field`
 */
function fieldsOf(
	given: any,
	reasons: Reasons,
	{ prefix = '', owner = '', within = [] as string[] } = {},
): ListedField[] {
	const { schema, name } = resolve(given);
	if (schema === undefined || typeof schema !== 'object') return [];
	const inside = name ?? owner;
	if (name !== undefined && within.includes(name)) return [];
	const next = { prefix, owner: inside, within: name === undefined ? within : [...within, name] };
	if (schema.items !== undefined)
		return fieldsOf(schema.items, reasons, {
			...next,
			prefix: `${prefix.replace(/\.$/, '')}[].`,
		});
	const joined = [...(schema.allOf ?? []), ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
	const own = Object.entries<any>(schema.properties ?? {})
		.filter(([, value]) => value !== false)
		.flatMap(([field, value]): ListedField[] => {
			const key = `${inside}.${field}`;
			const reason = reasons[key];
			if (reason !== undefined) usedReasons.add(key);
			const path = prefix + field;
			if (reason !== undefined) return [{ path, key, leftOut: reason }];
			return [{ path, key }, ...fieldsOf(value, reasons, { ...next, prefix: `${path}.` })];
		});
	const all = [...own, ...joined.flatMap((part) => fieldsOf(part, reasons, next))];
	return [...new Map(all.map((field) => [field.path, field])).values()];
}

function listed(path: string, method: string, operation: any, shared: any[]): ListedEndpoint {
	const { operationId } = operation;
	const use = uses.operations[operationId] ?? {};
	const platform = path.startsWith('/mortgage/')
		? 'realEstate'
		: path.startsWith('/v2/')
			? 'webhooks'
			: 'business';
	const title =
		platform === 'realEstate'
			? path.replace('/mortgage/v1', 'R')
			: platform === 'business'
				? `B${path}`
				: path;
	const ok = resolve(operation.responses?.['200']).schema;
	const answer = ok?.content?.['application/json']?.schema;
	const { schema: answered, name } = resolve(answer);
	const parameters = [...shared, ...(operation.parameters ?? [])].map(
		(parameter) => resolve(parameter).schema,
	);
	const body = resolve(operation.requestBody).schema?.content?.['application/json']?.schema;
	const call = `${method.toUpperCase()} ${path.replace(/\{\w+\}/g, 'ID').replace(/\/$/, '')}`;
	return {
		title: `${method.toUpperCase()} ${title}`,
		operationId,
		method: method.toUpperCase(),
		platform,
		path,
		mark: operation['x-mark'],
		node: NODE_ENDPOINTS.find((endpoint) => endpoint.call === call),
		...use,
		query: parameters
			.filter((parameter) => parameter.in === 'query')
			.map((parameter) => {
				const keys = [`${operationId}.${parameter.name}`, parameter.name];
				const key = keys.find((candidate) => uses.notSent[candidate] !== undefined);
				if (key !== undefined) usedReasons.add(key);
				return {
					path: parameter.name,
					key: parameter.name,
					...(key && { leftOut: uses.notSent[key] }),
				};
			}),
		body: fieldsOf(body, uses.notSent),
		answer: fieldsOf(answer, uses.notHandedOn),
		answerType:
			answered?.type === 'array'
				? `each ${resolve(answered.items).name ?? operationId}`
				: (name ?? (answer === undefined ? undefined : operationId)),
	};
}

export const ENDPOINT_LIST: ListedEndpoint[] = Object.entries<any>(openapi.paths).flatMap(
	([path, item]) =>
		['get', 'post', 'put', 'patch', 'delete']
			.filter((method) => item[method] !== undefined)
			.map((method) => listed(path, method, item[method], item.parameters ?? [])),
);

/** Endpoints of the description that endpoints.ts doesn't have, without a reason in interface.yaml. */
export const unlistedOperations = (): string[] =>
	ENDPOINT_LIST.filter(({ node, instead, link }) => (node ?? instead ?? link) === undefined).map(
		({ operationId, title }) => `${operationId}: { instead: why } # ${title}`,
	);

/** interface.yaml without the lines that say why the node does without an endpoint that it has. */
export async function interfaceWithoutStaleReasons(): Promise<{ file: string; text: string }> {
	const stale = ENDPOINT_LIST.filter(({ node, instead }) => node && instead);
	const lines = stale.map(({ operationId }) => `  ${operationId}: { instead:`);
	const text = readFileSync(FILE, 'utf8')
		.split('\n')
		.filter((line) => !lines.some((begin) => line.startsWith(begin)))
		.join('\n');
	return { file: fileURLToPath(FILE), text };
}

/** Operations of interface.yaml that the description doesn't have. */
export const unknownOperations = (): string[] =>
	Object.keys(uses.operations).filter(
		(operation) => !ENDPOINT_LIST.some(({ operationId }) => operationId === operation),
	);

/** The paths of all fields of a JSON value, written as in ListedField. */
export function fieldPaths(value: unknown, prefix = ''): string[] {
	if (Array.isArray(value))
		return value.flatMap((entry) => fieldPaths(entry, `${prefix.replace(/\.$/, '')}[].`));
	if (typeof value !== 'object' || value === null) return [];
	return Object.entries(value).flatMap(([key, entry]) => [
		prefix + key,
		...fieldPaths(entry, `${prefix}${key}.`),
	]);
}

/** The schema of an endpoint's answer. */
export function answerSchemaOf(method: string, path: string): unknown {
	const endpoint = endpointOf(method, path.split('?')[0]);
	const { responses } = openapi.paths[endpoint!.path][method.toLowerCase()];
	const status = Object.keys(responses).find((code) => code.startsWith('2'))!;
	return resolve(responses[status]).schema.content?.['application/json']?.schema;
}

/** A pattern for the paths that a template stands for, in any layout. */
function pathPattern({ path, platform }: ListedEndpoint): RegExp {
	const tail = path.replace(/^\/mortgage\/v[12]|^\/v2/, '').replace(/\{\w+\}/g, '[^/]+');
	const prefix =
		platform === 'realEstate' ? '/mortgage/v[12]' : platform === 'webhooks' ? '/v2' : '(?:/v1)?';
	return new RegExp(`^${prefix}${tail}/?$`);
}

/** The endpoint a request was for; a fixed path goes before one with a placeholder. */
export function endpointOf(method: string, path: string): ListedEndpoint | undefined {
	const placeholders = (entry: ListedEndpoint) => entry.path.split('{').length;
	return ENDPOINT_LIST.filter(
		(entry) => entry.method === method && pathPattern(entry).test(path),
	).sort((a, b) => placeholders(a) - placeholders(b))[0];
}

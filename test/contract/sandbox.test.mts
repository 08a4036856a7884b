import { readFileSync } from 'node:fs';

import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';

import {
	ENDPOINTS,
	type Endpoint,
	type Platform,
} from '../../nodes/SignAndClose/service/endpoints.ts';
import { startSandbox, type Sandbox } from '../../sandbox/index.mts';
import { Client } from '../sandbox/support/client.mts';
import { ENDPOINT_LIST, endpointOf, fieldPaths, MARKS } from '../support/listedInterface.mts';

/**
 * The list of endpoints and fields has a home in the sandbox: openapi.yaml knows each, and answers
 * carry what they should.
 */

const openapi = JSON.parse(
	JSON.stringify(
		parse(readFileSync(new URL('../../sandbox/openapi.yaml', import.meta.url), 'utf8'), {
			merge: true,
		}),
	),
);
const byReference = (schema: any): any =>
	schema?.$ref === undefined
		? schema
		: byReference(
				schema.$ref
					.slice(2)
					.split('/')
					.reduce((node: any, key: string) => node[key], openapi),
			);

/** Names of the properties of a schema, written as in the list. */
function propertyPaths(given: any, prefix = ''): string[] {
	const schema = byReference(given);
	if (schema === undefined || schema === false) return [];
	if (schema.type === 'array')
		return propertyPaths(schema.items, `${prefix.replace(/\.$/, '')}[].`);
	return Object.entries(schema.properties ?? {})
		.filter(([, entry]) => entry !== false)
		.flatMap(([key, entry]) => [prefix + key, ...propertyPaths(entry, `${prefix}${key}.`)]);
}

const operations = Object.entries<any>(openapi.paths).flatMap(([path, item]) =>
	['get', 'post', 'put', 'patch', 'delete']
		.filter((method) => item[method] !== undefined)
		.map((method) => ({
			path,
			method: method.toUpperCase(),
			shared: item.parameters ?? [],
			...item[method],
		})),
);

/** The line that interface.yaml lacks for an endpoint of openapi.yaml, ready to be copied. */
function missingEntry({ method, path, 'x-mark': mark }: any): string {
	const title = path.startsWith('/mortgage/v1')
		? path.replace('/mortgage/v1', 'R')
		: path.replace(/^\/(?!v2\/)/, 'B/');
	const plain = (text: string) => text.replace(/\{\w+\}|\/$/g, '');
	const [node = "its name in the node's endpoints.ts"] =
		Object.entries<Endpoint>(ENDPOINTS).find(
			([, own]) =>
				[own.method, own.realEstateMethod].includes(method) &&
				[own.path, own.realEstatePath].some((end) => end && plain(path).endsWith(plain(end))),
		) ?? [];
	return `${method} ${title}: { mark: ${mark}, node: ${node}, query: Type, body: Type, answer: Type }`;
}

test('every endpoint of openapi.yaml is in the list (test/contract/interface.yaml)', () => {
	const listed = ENDPOINT_LIST.map(({ method, path }) => `${method} ${path}`);
	const missing = operations.filter(({ method, path }) => !listed.includes(`${method} ${path}`));
	expect(missing.map(missingEntry)).toEqual([]);
});

test('the list and openapi.yaml have the same endpoints with the same marks', () => {
	const known = operations
		.map(({ method, path, 'x-mark': mark }) => `${method} ${path} ${mark}`)
		.sort();
	expect(ENDPOINT_LIST.map(({ method, path, mark }) => `${method} ${path} ${mark}`).sort()).toEqual(
		known,
	);
});

test('the node has a path for each endpoint on each platform with the same mark, or the list says how it does without', () => {
	const describeEntry = (name: string, ...rest: string[]) => `${name} (${rest.join(', ')})`;
	const listed = ENDPOINT_LIST.filter(({ node }) => node !== undefined).map(
		({ node, platform, method, mark }) => describeEntry(node!, platform, method, mark),
	);
	const present = Object.entries<Endpoint>(ENDPOINTS).flatMap(
		([name, { platforms, method, realEstateMethod }]) =>
			(Object.keys(platforms) as Platform[]).map((platform) =>
				describeEntry(
					name,
					platform,
					platform === 'realEstate' ? (realEstateMethod ?? method) : method,
					platforms[platform]!,
				),
			),
	);
	expect({
		notInInterfaceYaml: present
			.filter((entry) => !listed.includes(entry))
			.map(
				(entry) =>
					`endpoints.ts has ${entry}, but test/contract/interface.yaml doesn't: add it there with this mark, or correct endpoints.ts`,
			),
		notInEndpoints: listed
			.filter((entry) => !present.includes(entry))
			.map(
				(entry) =>
					`test/contract/interface.yaml has ${entry}, but endpoints.ts doesn't: add the platform with this mark there, or correct interface.yaml`,
			),
	}).toEqual({ notInInterfaceYaml: [], notInEndpoints: [] });
	// What is left is an endpoint that is listed twice.
	expect(present.sort()).toEqual(listed.sort());
	for (const { title, node, instead, link } of ENDPOINT_LIST)
		expect([title, [node, instead, link].filter(Boolean).length]).toEqual([title, 1]);
});

describe.each(ENDPOINT_LIST)('$title', (endpoint) => {
	const operation = operations.find(
		({ path, method }) => path === endpoint.path && method === endpoint.method,
	);
	test('every field has a mark', () => {
		for (const { path, mark } of [...endpoint.query, ...endpoint.body, ...endpoint.answer])
			expect([path, MARKS.includes(mark)]).toEqual([path, true]);
	});
	test('query: the same names as openapi.yaml has', () => {
		if (endpoint.instead !== undefined || endpoint.link !== undefined) return;
		const names = [...operation.shared, ...(operation.parameters ?? [])]
			.map(byReference)
			.filter((parameter) => parameter.in === 'query')
			.map(({ name }) => name);
		expect(endpoint.query.map(({ path }) => path).sort()).toEqual(names.sort());
	});
	test('body: the same fields as openapi.yaml has', () => {
		if (endpoint.instead !== undefined || endpoint.query.length > 0) return;
		// What the node does not send is listed by its name alone.
		const unsent = endpoint.body
			.filter(({ leftOut }) => leftOut !== undefined)
			.map(({ path }) => path);
		const within = (path: string) =>
			unsent.some((whole) => path.startsWith(`${whole}.`) || path.startsWith(`${whole}[`));
		const fields = propertyPaths(operation.requestBody?.content['application/json'].schema).filter(
			(path) => !within(path),
		);
		expect(endpoint.body.map(({ path }) => path).sort()).toEqual(fields.sort());
	});
});

/** Every kind of answer at least once, in both layouts. */
async function play(sandbox: Sandbox): Promise<void> {
	const client = new Client(sandbox);
	const signers = [
		{ email: 'jane@example.com', first_name: 'Jane', last_name: 'Signer', external_id: 's1' },
	];
	const document = {
		resource: `${sandbox.url}/samples/deed-of-trust.pdf`,
		requirement: 'notarization',
	};
	const address =
		'transaction_type=refinance&street_address[line1]=1+Main+St&street_address[city]=Boston&street_address[state]=MA&street_address[postal]=02110';
	const hook = await client.ok('POST', '/v2/webhooks/', {
		url: `${sandbox.url}/samples/nothing`,
		subscriptions: ['*'],
	});
	const street_address = { line1: '1 Main St', city: 'Boston', state: 'MA', postal: '02110' };
	const closing = await client.ok('POST', '/mortgage/v1/transactions', {
		transaction_type: 'refinance',
		transaction_name: 'A',
		signer: signers[0],
		street_address,
		title_agency_id: 'or_agency_harbor',
		paper_note_consent: true,
	});
	const R = `/mortgage/v1/transactions/${closing.id}`;
	await client.ok('PUT', R, {
		transaction_type: 'refinance',
		transaction_name: 'B',
		signer: signers[0],
		street_address,
		title_agency_id: 'or_agency_harbor',
		paper_note_consent: true,
	});
	const [added] = await client.ok('POST', `${R}/documents`, document);
	await client.ok('PATCH', `/mortgage/v1/documents/${added.id}`, { name: 'Deed' });
	await client.ok('POST', `${R}/enote`, {
		file: `${sandbox.url}/samples/enote.xml`,
		type: 'ENOTE',
	});
	await client.ok('DELETE', `${R}/enote`);
	await client.ok('POST', `${R}/place_order`, {});
	await client.ok('POST', `${R}/recall`);
	await client.ok('POST', `${R}/place_order`, {});
	await client.ok('POST', `${R}/send_email`);
	await client.ok('POST', `${R}/send_sms`, { phone: { country_code: '1', number: '6175550123' } });
	const business = await client.ok('POST', '/transactions', {
		signers,
		documents: [document],
		draft: true,
	});
	const B = `/transactions/${business.id}`;
	await client.ok('PATCH', B, { transaction_name: 'B' });
	const second = await client.ok('POST', `${B}/documents`, document);
	await client.ok('PATCH', `/documents/${second.id}`, { name: 'C' });
	await client.ok('DELETE', `/documents/${second.id}`);
	await client.ok('POST', `${B}/notarization_ready`, {});
	await client.ok('POST', `${B}/recall`);
	await client.ok('POST', `${B}/notarization_ready`, {});
	await client.ok('POST', `${B}/send_email`);
	await client.ok('POST', `${B}/send_sms`, { phone: { number: '6175550123' } });
	for (const id of [closing.id, business.id]) {
		await sandbox.act.sign(id);
		await sandbox.act.notarize(id);
	}
	const gone = await client.ok('POST', '/mortgage/v1/transactions', {
		transaction_type: 'refinance',
		signer: signers[0],
		street_address,
	});
	const [extra] = await client.ok(
		'POST',
		`/mortgage/v1/transactions/${gone.id}/documents`,
		document,
	);
	await client.ok('DELETE', `/mortgage/v1/documents/${extra.id}`);
	await client.ok('DELETE', `/mortgage/v1/transactions/${gone.id}`);
	const draft = await client.ok('POST', '/transactions', { signers, draft: true });
	await client.ok('DELETE', `/transactions/${draft.id}`);
	const record = (await client.ok('GET', R)).notarization_record;
	for (const path of [
		R,
		B,
		`/v1${B}`,
		'/v1/transactions',
		'/transactions',
		'/mortgage/v1/transactions',
		`${R}/documents/${added.id}?encoding=base64`,
		`${B}/documents/${(await client.ok('GET', B)).documents[0].id}?encoding=base64`,
	])
		await client.ok('GET', path);
	for (const path of [
		`/notarization_records/${record}`,
		`/mortgage/v1/notarization_records/${record}`,
		'/notarization_records',
		'/templates',
		'/notaries',
		'/v2/webhooks',
		`/v2/webhooks/${hook.id}`,
		'/v2/webhooks/subscriptions',
	])
		await client.ok('GET', path);
	for (const path of [
		`transactions/verify_address?${address}`,
		`recording_locations?${address}`,
		'title_agencies?address[state]=MA',
		'transactions/title_underwriters?state_abbreviation=MA',
	])
		await client.ok('GET', `/mortgage/v1/${path}`);
	await sandbox.clock.advance(60_000);
	await sandbox.clock.settled();
	await client.ok('GET', `/v2/webhooks/${hook.id}/events`);
	await client.ok('PUT', `/v2/webhooks/${hook.id}`, {
		url: 'http://127.0.0.1:9/',
		subscriptions: ['transaction.*'],
	});
	await client.ok('DELETE', `/v2/webhooks/${hook.id}`);
}

/**
 * Asks again for what the node's operations read, so that the answers of an endpoint that `play`
 * does not know are seen too.
 */
async function replayReads(): Promise<void> {
	// Loaded when it is needed: it brings n8n's engine.
	const { playEverything } = await import('../support/playEverything.mts');
	const sandbox = await startSandbox();
	try {
		const reads = (await playEverything(sandbox))
			.flatMap(({ requests }) => requests)
			.filter(({ method }) => method === 'GET');
		for (const { path, query } of reads)
			await fetch(`${sandbox.url}${path}?${new URLSearchParams(query)}`, {
				headers: { ApiKey: sandbox.keys.full },
			});
	} finally {
		await sandbox.close();
	}
}

test('every field of an answer is in an answer of the sandbox', async () => {
	const sandbox = await startSandbox();
	const seen = new Map<string, Set<string>>();
	const plain = globalThis.fetch;
	globalThis.fetch = async (input, init) => {
		const answer = await plain(input, init);
		const { pathname } = new URL(String(input));
		const type = endpointOf(init?.method ?? 'GET', pathname)?.answerType;
		if (
			type !== undefined &&
			answer.ok &&
			answer.headers.get('content-type')?.includes('json') === true
		) {
			const paths = seen.get(type) ?? new Set();
			for (const path of fieldPaths(await answer.clone().json())) paths.add(path);
			seen.set(type, paths);
		}
		return answer;
	};
	try {
		await play(sandbox);
		if (ENDPOINT_LIST.some(({ answerType }) => answerType !== undefined && !seen.has(answerType)))
			await replayReads();
	} finally {
		globalThis.fetch = plain;
		await sandbox.close();
	}
	const homeless = ENDPOINT_LIST.flatMap(({ answer, answerType }) =>
		answer
			.filter(({ path }) => seen.get(answerType!)?.has(path) !== true)
			.map(({ path }) => `${answerType}: ${path}`),
	);
	expect([...new Set(homeless)]).toEqual([]);
});

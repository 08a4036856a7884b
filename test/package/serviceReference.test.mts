import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { loadOpenapi } from '../../sandbox/http/openapi.mts';
import { servicePages } from '../../scripts/generated/serviceTables.mts';
import { expectUpToDate } from '../support/expectUpToDate.mts';

/**
 * docs/service and sandbox/openapi.yaml say the same: the tables of fields are generated, and what
 * the prose and the other tables name is in the description.
 */

const PAGES = fileURLToPath(new URL('../../docs/service/', import.meta.url));
const pages = new Map(
	readdirSync(PAGES).map((name) => [name, readFileSync(PAGES + name, 'utf8')] as const),
);
const openapi = loadOpenapi();

interface Call {
	method: string;
	/** With `{}` for each ID. */
	path: string;
	query: string[];
}

test('the generated tables of docs/service are up to date', async () => {
	for (const { now, text } of await servicePages()) expectUpToDate(now, text);
});

/** The lines of a section below its heading, without those of the sections in it. */
function section(page: string, heading: string): string[] {
	const lines = pages.get(page)!.split('\n');
	const begin = lines.findIndex((line) => line.replace(/^#+ /, '') === heading && /^#/.test(line));
	if (begin < 0) throw new Error(`docs/service/${page} has no section '${heading}'`);
	const rest = lines.slice(begin + 1);
	const end = rest.findIndex((line) => /^#/.test(line));
	return end < 0 ? rest : rest.slice(0, end);
}

/** The cells of the table in a section, without its title. */
const rows = (page: string, heading: string): string[][] =>
	section(page, heading)
		.filter((line) => line.startsWith('|'))
		.slice(2)
		.map((line) =>
			line
				.split('|')
				.slice(1, -1)
				.map((cell) => cell.trim()),
		);

const codesOf = (text: string): string[] =>
	[...text.matchAll(/`([^`]+)`/g)].map(([, code]) => code);
const valuesOf = (name: string): string[] => {
	const schema = openapi.components.schemas[name];
	return schema.enum ?? schema['x-known-values'];
};

describe('enumerations in tables and sentences', () => {
	const same = (named: string[], values: string[]) =>
		expect([...new Set(named)].sort()).toEqual([...new Set(values)].sort());

	test('requirements', () => {
		same(
			rows('documents.md', 'Requirements').map(([cell]) => codesOf(cell)[0]),
			valuesOf('Requirement'),
		);
	});
	test('types of designations', () => {
		same(
			rows('documents.md', 'Designation types').flatMap(([, types]) => codesOf(types)),
			valuesOf('DesignationType'),
		);
	});
	test('accepted IDs', () => {
		const listed = (name: string) =>
			openapi.components.schemas[name].additionalProperties.items['x-known-values'];
		const [primary, both, more] = rows('signers.md', 'Accepted IDs').map(([, ids]) => codesOf(ids));
		same(primary, listed('PrimaryIds'));
		// "The first six of the primary list" stand for themselves.
		same([...primary.slice(0, 6), ...both, ...more], listed('SecondaryIds'));
	});
	test('events', () => {
		const named = ['Events of transactions', 'Events of notaries'].flatMap((heading) =>
			rows('webhooks.md', heading).map(([cell]) => codesOf(cell)[0]),
		);
		const wildcards = codesOf(section('webhooks.md', 'Wildcards').join('\n'));
		same([...wildcards, ...named], valuesOf('EventName'));
	});
	test('events with a signing-status payload', () => {
		const text = section('webhooks.md', 'Signing-status payload').join('\n');
		same(
			codesOf(text).filter((code) => code.startsWith('transaction.')),
			openapi.components.schemas.SigningStatusDelivery.properties.event['x-known-values'],
		);
	});
	test.each<[string, string, string[]]>([
		[
			'notarization.md',
			'Notary statuses',
			openapi.components.schemas.Notary.properties.status['x-known-values'],
		],
		['documents.md', 'Allowed actions', valuesOf('ActionWord')],
		['signers.md', 'Capacities', valuesOf('CapacityType')],
		['states.md', 'Signing status', ['incomplete', 'in_progress', 'complete']],
	])('%s: %s', (page, heading, values) => {
		const named = codesOf(section(page, heading).join('\n'));
		expect(values.filter((value) => !named.includes(value))).toEqual([]);
	});
});

describe('the endpoint tables of api.md', () => {
	const HEADINGS = [
		'Endpoints of transactions',
		'Endpoints of documents',
		'Endpoints of places and parties',
		'Endpoints of records and notaries',
		'Endpoints of templates and organizations',
		'Endpoints of webhooks',
	];
	/** Rows of calls that neither the node nor the sandbox have. */
	const OLDER = /webhooks\.md#older-webhooks/;
	/** What the link of a record leads to has no row of its own. */
	const LINKED = /\/download_asset/;
	const SPAN = /^((?:[A-Z]+, )*[A-Z]+) ((?:(?:B|R|\/v2|\/mortgage\/v1)(?:, )?)+)(\/.*)$/;
	const GROUPS: Record<string, RegExp> = {
		'street_address[...]': /^street_address\[/,
		'address[...]': /^address\[/,
	};
	const DATES = /^(created|last_updated)_date_(start|end)$/;

	const bare = (path: string) => path.replace(/\{\w+\}/g, '{}').replace(/\/$/, '');
	const known: Call[] = Object.entries<any>(openapi.paths).flatMap(([path, item]) =>
		['get', 'post', 'put', 'patch', 'delete']
			.filter((method) => item[method] !== undefined && !LINKED.test(path))
			.map((method) => ({
				method: method.toUpperCase(),
				path: bare(path),
				query: (item[method].parameters ?? [])
					.map(({ $ref }: any) => openapi.components.parameters[$ref.split('/').at(-1)])
					// What is assumed stands in the text.
					.filter((parameter: any) => parameter.in === 'query' && parameter['x-mark'] !== 'def')
					.map(({ name }: any) => name as string),
			})),
	);

	/** The calls of a row: each method on each prefix. */
	function callsOf([, paths, query]: string[]): Call[] {
		return codesOf(paths).flatMap((code) => {
			const [, methods, prefixes, path] = SPAN.exec(code) ?? [];
			if (methods === undefined) return [];
			return methods.split(', ').flatMap((method) =>
				prefixes.split(', ').map((prefix) => {
					const realEstate = path.startsWith('/webhooks') ? '/mortgage/v2' : '/mortgage/v1';
					const base: Record<string, string> = { B: '', R: realEstate };
					return {
						method,
						path: bare((base[prefix] ?? prefix) + path),
						query: namesOf(query, prefix.startsWith('/mortgage') ? 'R' : prefix),
					};
				}),
			);
		});
	}

	/** The parameters that a cell names for a platform, e.g. "U; B also `phone`". */
	function namesOf(cell: string, platform: string): string[] {
		return cell.split('; ').flatMap((part) => {
			const [, only] = /^`?(B|R|\/v2)`?(?: also| only:)? /.exec(part) ?? [];
			if (only !== undefined && only !== platform) return [];
			const names = codesOf(part).filter((code) => code !== '/v2');
			return [
				...(/^U\b/.test(part) ? ['document_url_version'] : []),
				...(part.includes('four dates') ? ['four dates'] : []),
				...names,
			];
		});
	}

	/** The names of a call's parameters, groups as the tables write them. */
	const grouped = (names: string[]) =>
		[
			...new Set(
				names.map((name) => {
					const [group] = Object.entries(GROUPS).find(([, form]) => form.test(name)) ?? [];
					return DATES.test(name) ? 'four dates' : (group ?? name);
				}),
			),
		].sort();

	const listed = HEADINGS.flatMap((heading) =>
		rows('api.md', heading)
			.filter(([operation]) => !OLDER.test(operation))
			.flatMap(callsOf),
	);

	test('name the calls of openapi.yaml, each once', () => {
		const names = (calls: Call[]) => calls.map(({ method, path }) => `${method} ${path}`).sort();
		expect(names(listed)).toEqual(names(known));
	});
	test('name the parameters of each call', () => {
		const queries = (calls: Call[]) =>
			Object.fromEntries(
				calls.map(({ method, path, query }) => [`${method} ${path}`, grouped(query)]),
			);
		expect(queries(listed)).toEqual(queries(known));
	});
});

describe('names in the text', () => {
	/** What the text names, and the description has not. */
	const ELSEWHERE = [
		// An older name of recipient_group, and the calls of older webhooks.
		'signing_group',
		'webhook_tests',
		'webhook_body',
		// OAuth of the client, which the sandbox does not offer.
		'grant_type',
		'client_credentials',
		// The name of an older list, which the text tells to take for the plural.
		'completed_with_rejection',
		// A placeholder, and examples of IDs.
		'base_url',
		'or_od4kenk',
		'us_qdj34nz',
	];

	/** Names of fields and parameters, values and parts of paths. */
	const described = new Set<string>();
	(function collect(part: any): void {
		if (typeof part !== 'object' || part === null) return;
		for (const [key, inner] of Object.entries<any>(part)) {
			if (key === 'properties' || key === 'paths')
				Object.keys(inner).forEach((name) =>
					name.split(/\W+/).forEach((word) => described.add(word)),
				);
			if (key === 'enum' || key === 'x-known-values')
				inner.forEach((value: unknown) =>
					String(value)
						.split(/\W+/)
						.forEach((word) => described.add(word)),
				);
			if (key === 'name' && typeof inner === 'string')
				inner.split(/\W+/).forEach((word) => described.add(word));
			collect(inner);
		}
	})(openapi);

	test.each([...pages.keys()])('%s names nothing that the description does not have', (page) => {
		const words = codesOf(pages.get(page)!.replace(/```[\s\S]*?```/g, ''))
			.flatMap((code) => code.split(/[^\w]+/))
			.filter((word) => /^[a-z][a-z0-9]*(_[a-z0-9]+)+$/.test(word));
		expect(
			[...new Set(words)].filter((word) => !described.has(word) && !ELSEWHERE.includes(word)),
		).toEqual([]);
	});
});

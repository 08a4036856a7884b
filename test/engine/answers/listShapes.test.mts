import { beforeAll, describe, expect, test } from '@jest/globals';
import type { IDataObject } from 'n8n-workflow';

import { CLOSING, id } from '../../support/closing.mts';
import { credentialFor, listContext, NODE, runNode, useBinaryMode } from '../../support/engine.mts';
import { startSmallService, type SmallAnswer } from '../../support/smallService.mts';

/**
 * Answers that aren't the list that was asked for. None of them is "no items": a person who reads
 * that believes that there is nothing.
 */

beforeAll(async () => await useBinaryMode('filesystem'));

const MANY = { returnAll: true, filters: {}, simplify: false, output: 'raw' };
const ADDRESS = {
	transactionType: 'refinance',
	addressLine1: '12 Elm Street',
	addressCity: 'Boston',
	addressState: 'MA',
	addressZipCode: '02110',
	additionalFields: {},
};

const list = (
	resource: string,
	operation: string,
	[name, id]: [name: string, id: string],
	more: IDataObject = {},
) => ({ parameters: { resource, operation, ...MANY, ...more }, name, id });
const business = { platform: 'business' };

/** Each operation that reads a list, the name under which answers hold it, and its ID in outputs. */
const LISTS = {
	transactions: list('transaction', 'getAll', ['transactions', 'transaction_id'], business),
	'transactions of an external ID': list(
		'transaction',
		'getAll',
		['transactions', 'transaction_id'],
		{ platform: 'realEstate', filters: { external_id: 'case-1' } },
	),
	records: list('notarizationRecord', 'getAll', ['records', 'notarization_record_id']),
	templates: list('template', 'getAll', ['templates', 'template_id']),
	notaries: list('notary', 'getAll', ['notaries', 'notary_id'], business),
	'notaries of a transaction': list('notary', 'getEligible', ['notaries', 'notary_id'], {
		...business,
		transactionId: id('ot_1'),
	}),
	'title agencies': list('titleAgency', 'getAll', ['title_agencies', 'title_agency_id'], {
		filters: { addressState: 'MA' },
	}),
	underwriters: list(
		'underwriter',
		'getAll',
		['eligible_title_underwriters', 'title_underwriter_id'],
		{ transactionType: 'refinance', addressState: 'MA' },
	),
	'recording jurisdictions': list(
		'recordingJurisdiction',
		'getAll',
		['recording_locations', 'recording_jurisdiction_id'],
		ADDRESS,
	),
	'jurisdictions of an address': list(
		'address',
		'verify',
		['recording_locations', 'recording_jurisdiction_id'],
		ADDRESS,
	),
	webhooks: list('webhook', 'getAll', ['webhooks', 'webhook_id']),
	'events of a webhook': list('webhook', 'getEvents', ['events', 'id'], { webhookId: id('wh1') }),
};
const MISSED = list('webhook', 'getMissedEvents', ['events', 'id'], { webhookId: id('wh1') });
const EVENT_TYPES = list('webhook', 'getEventTypes', ['', ''], { group: 'all' });

/** Answers that hold no list, and what the person reads about each. */
const NO_LISTS: Array<[string, SmallAnswer, RegExp]> = [
	['an empty body', { body: undefined }, /sent nothing instead of a list/],
	['204', { status: 204, body: undefined }, /sent nothing instead of a list/],
	['null', { body: null }, /sent null instead of a list/],
	['an empty text', { body: '' }, /sent a text instead of a list/],
	['a number', { body: 7 }, /sent a number instead of a list/],
	['an object without anything', { body: {} }, /sent an empty object instead of a list/],
	[
		'an error in a 200',
		{ body: { error: 'Feature switched off' } },
		/sent an object with 'error' instead of a list.*The service said: Feature switched off/,
	],
	[
		'errors beside an empty list',
		{ body: { data: [], errors: ['Shard 2 is down'] } },
		/instead of a list.*The service said: Shard 2 is down/,
	],
	['a list that is null', { body: { data: null } }, /an object with 'data' instead of a list/],
	['a list of texts', { body: { data: [true, 'no'] } }, /a list with .* that can't be read/],
	['a list of nothing', { body: [null, {}] }, /a list with .* that can't be read/],
	['another list', { body: { warnings: [{ id: 'x' }] } }, /'warnings' instead of a list/],
];

const run = async (answer: SmallAnswer, parameters: IDataObject) => {
	await using service = await startSmallService(() => answer);
	return await runNode({ credential: credentialFor(service.url), parameters });
};
const said = ({ error }: Awaited<ReturnType<typeof run>>) =>
	`${error?.message}. ${error?.description ?? ''}`;

describe.each(Object.entries({ ...LISTS, 'missed events': MISSED }))(
	'%s',
	(_name, { parameters }) => {
		test.each(NO_LISTS)('%s is not "no items"', async (_what, answer, expected) => {
			const outcome = await run(answer, parameters);
			expect(outcome.items).toEqual([]);
			expect(said(outcome)).toMatch(expected);
		});
		test('a list without entries is no failure', async () => {
			expect((await run({ body: [] }, parameters)).error).toBeUndefined();
		});
	},
);

test.each(NO_LISTS)('event types: %s is not "no items"', async (_what, answer) => {
	const outcome = await run(answer, EVENT_TYPES.parameters);
	expect(outcome.items).toEqual([]);
	expect(outcome.error).toBeDefined();
});

describe.each(Object.entries(LISTS))('%s', (_name, { parameters, name, id: field }) => {
	const entry = { id: 4711, external_id: 'case-1', event: 'transaction.sent' };
	test.each<[string, (list: unknown) => unknown]>([
		['bare', (list) => list],
		['under data', (list) => ({ data: list })],
		['under results', (list) => ({ results: list, total_count: 1 })],
		['under items', (list) => ({ items: list, page: 1 })],
		['under its own name', (list) => ({ [name]: list })],
		['under its own name in data', (list) => ({ data: { [name]: list } })],
	])('a list %s is read; a number as ID stays, as text', async (_how, wrap) => {
		const outcome = await run({ body: wrap([entry, null, {}]) }, parameters);
		expect(outcome.error).toBeUndefined();
		expect(outcome.items.map(({ json }) => json[field])).toEqual(['4711']);
	});
});

test('webhooks without an ID are left out of the output', async () => {
	const { items } = await run({ body: ['wh_1', null, {}, 7] }, LISTS.webhooks.parameters);
	expect(items.map(({ json }) => json.webhook_id)).toEqual(['wh_1', '7']);
});

describe('a total that is too small', () => {
	const all = Array.from({ length: 250 }, (_, index) => ({
		id: `tm_${index}`,
		name: `T ${index}`,
		transaction_name: `T ${index}`,
	}));
	const start = async (total: unknown) =>
		await startSmallService((_request, query) => {
			const [limit, offset] = ['limit', 'offset'].map((key) => Number(query.get(key)));
			const page = all.slice(offset, offset + limit);
			return { body: { total_count: total, count: page.length, data: page, templates: page } };
		});
	test.each([1, 0, 100, 120, '100', null, -1])('%j does not cut a list', async (total) => {
		await using service = await start(total);
		const { items } = await runNode({
			credential: credentialFor(service.url),
			parameters: LISTS.transactions.parameters,
		});
		expect(items).toHaveLength(250);
	});
	test.each(['searchTransactions', 'searchTemplates'])(
		'does not cut the choice of %s',
		async (method) => {
			await using service = await start(50);
			const found: string[] = [];
			let token: string | undefined;
			do {
				const page = await search(service.url, method, token);
				found.push(...page.results.map(({ value }) => value));
				token = page.paginationToken;
			} while (token !== undefined);
			expect(found).toEqual(all.map((entry) => entry.id));
		},
	);
	test('a right one saves the request for the page after the last', async () => {
		const page = all.slice(0, 30);
		await using service = await startSmallService(() => ({
			body: { total_count: 30, data: page },
		}));
		await runNode({
			credential: credentialFor(service.url),
			parameters: LISTS.transactions.parameters,
		});
		expect(service.asked).toHaveLength(1);
	});
});

type Found = { results: Array<{ name: string; value: string }>; paginationToken?: string };
type Search = (this: unknown, filter?: string, token?: string) => Promise<Found>;

const NEW_CLOSING = { ...CLOSING, additionalFields: {} };

/** What is chosen from in the editor, by the method that loads it. */
const CHOICES: Record<string, IDataObject> = {
	searchTransactions: { platform: 'business' },
	searchTemplates: {},
	searchRecords: {},
	searchNotaries: { platform: 'business' },
	searchWebhooks: {},
	searchJurisdictions: NEW_CLOSING,
	searchAgencies: NEW_CLOSING,
	searchUnderwriters: NEW_CLOSING,
};
async function search(url: string, method: string, token?: string): Promise<Found> {
	const context = listContext({
		credential: credentialFor(url),
		parameters: {
			resource: 'transaction',
			operation: 'get',
			transactionId: id('ot_1'),
			...CHOICES[method],
		},
	});
	const methods = NODE.methods!.listSearch as unknown as Record<string, Search>;
	return await methods[method].call(context, undefined, token);
}

describe.each(Object.keys(CHOICES))('choosing: %s', (method) => {
	test('an answer without a list is no empty list', async () => {
		await using service = await startSmallService(() => ({ body: {} }));
		await expect(search(service.url, method)).rejects.toThrow(/instead of a list/);
	});
	test('entries without an ID are not offered as "undefined"', async () => {
		const named = { id: 12, name: 'Named' };
		const entry = {
			...named,
			eligible_title_agencies: [{}, null, { ...named, eligible_underwriters: [{}, null, named] }],
		};
		await using service = await startSmallService(() => ({ body: [entry, {}, null] }));
		const { results } = await search(service.url, method);
		expect(results.map(({ value }) => value)).toEqual(['12']);
		expect(JSON.stringify(results)).not.toMatch(/undefined|null/);
	});
});

describe('of a transaction', () => {
	const OF_TRANSACTION: Array<[string, string]> = [
		['searchDocuments', 'documents'],
		['searchSigners', 'signers'],
	];
	test.each(OF_TRANSACTION)('%s without %s in the answer is told', async (method, missing) => {
		for (const more of [{}, { [missing]: null }, { [missing]: { data: [] } }]) {
			await using service = await startSmallService(() => ({ body: { id: 'ot_1', ...more } }));
			await expect(search(service.url, method)).rejects.toThrow(new RegExp(`without '${missing}'`));
		}
	});
	test.each(OF_TRANSACTION)('%s offers no empty entry', async (method, name) => {
		const entry = { id: 12, signer_id: 12, document_name: 'Deed', first_name: 'Jane' };
		await using service = await startSmallService(() => ({
			body: { id: 'ot_1', [name]: [{}, null, entry] },
		}));
		const { results } = await search(service.url, method);
		expect(results.map(({ value }) => value)).toEqual(['12']);
	});
});

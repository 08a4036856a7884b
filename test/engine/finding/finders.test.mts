import { beforeAll, describe, expect, test } from '@jest/globals';
import type { IDataObject } from 'n8n-workflow';

import { loadOpenapi } from '../../../sandbox/http/openapi.mts';
import { listFilters } from '../../../nodes/SignAndClose/resources/transaction/list/filters.ts';
import { credentialFor, runNode, useBinaryMode, type RunOptions } from '../../support/engine.mts';
import { hints } from '../../support/operations.mts';
import { startSmallService } from '../../support/smallService.mts';

/**
 * Transaction: Get Many looks for transactions: what it asks the service for, what it filters itself,
 * where it stops, and what it says of that.
 */

beforeAll(async () => await useBinaryMode('filesystem'));

const GET_MANY = { resource: 'transaction', operation: 'getAll' };

/** A transaction that shows everything, unless it says otherwise. */
const entry = (id: string, more: IDataObject = {}): IDataObject => ({
	id,
	status: 'sent',
	detailed_status: 'sent_to_signer',
	transaction_name: `Closing ${id}`,
	organization_id: 'or_harbor',
	signers: [{ email: 'jane@example.com' }],
	documents: [],
	...more,
});

/** Runs Get Many at a service that lists these transactions, whatever it is asked. */
async function find(
	list: IDataObject[],
	parameters: IDataObject,
	{ organizationId = '', ...options }: Partial<RunOptions> & { organizationId?: string } = {},
) {
	await using service = await startSmallService((_request, query) => {
		const offset = Number(query.get('offset'));
		const data = list.slice(offset, offset + Number(query.get('limit')));
		return { body: { total_count: list.length, count: data.length, data } };
	});
	const outcome = await runNode({
		credential: credentialFor(service.url, { organizationId }),
		parameters: { ...GET_MANY, platform: 'realEstate', returnAll: true, ...parameters },
		...options,
	});
	const queries = service.asked.map((request) =>
		Object.fromEntries(new URLSearchParams(request.split('?')[1])),
	);
	return {
		ids: outcome.items.map(({ json }) => json.transaction_id),
		hint: hints(outcome),
		queries,
		error: outcome.error,
	};
}

/** What the service is asked for, without the page. */
const askedFor = async (...args: Parameters<typeof find>) => {
	const { queries } = await find(...args);
	return Object.fromEntries(
		Object.entries(queries[0]).filter(([name]) => name !== 'limit' && name !== 'offset'),
	);
};

describe('the filters of the service are used first', () => {
	const TIME = '2026-11-20T09:00:00-05:00';
	test.each<[string, string, IDataObject, IDataObject]>([
		[
			'times',
			'business',
			{ created_date_start: TIME, last_updated_date_end: TIME },
			{ created_date_start: TIME, last_updated_date_end: TIME },
		],
		['the status', 'business', { transaction_status: 'sent' }, { transaction_status: 'sent' }],
		['the loan number', 'realEstate', { loan_number: '7' }, { loan_number: '7' }],
		['the loan number, which business has not', 'business', { loan_number: '7' }, {}],
		['the organization', 'realEstate', { organization_id: 'or_1' }, { organization_id: 'or_1' }],
		['the organization, which business has not', 'business', { organization_id: 'or_1' }, {}],
		[
			'not updated since',
			'realEstate',
			{ not_updated_since: TIME },
			{ last_updated_date_end: TIME },
		],
		[
			'the earlier of two times',
			'realEstate',
			{ not_updated_since: TIME, last_updated_date_end: '2026-11-19T09:00:00-05:00' },
			{ last_updated_date_end: '2026-11-19T09:00:00-05:00' },
		],
		[
			'the later of two times counts less',
			'realEstate',
			{ not_updated_since: TIME, last_updated_date_end: '2026-11-21T09:00:00-05:00' },
			{ last_updated_date_end: TIME },
		],
		[
			'drafts, by their status',
			'realEstate',
			{ detailed_status: ['draft', 'recalled'] },
			{ transaction_status: 'started' },
		],
		['drafts and others', 'realEstate', { detailed_status: ['draft', 'declined'] }, {}],
		[
			'the status that was chosen beside drafts',
			'realEstate',
			{ detailed_status: ['draft'], transaction_status: 'sent' },
			{ transaction_status: 'sent' },
		],
		[
			'what is off or empty',
			'realEstate',
			{
				identity_check_failed: false,
				document_failed: false,
				detailed_status: [],
				name_contains: ' ',
				signer_email: '',
			},
			{},
		],
		['open', 'realEstate', { detailed_status: ['open'] }, {}],
	])('%s on %s', async (_name, platform, filters, expected) => {
		expect(await askedFor([], { platform, filters })).toEqual(expected);
	});
	test("the credential's organization, unless the node names another", async () => {
		const of = async (platform: string, filters: IDataObject) =>
			await askedFor([], { platform, filters }, { organizationId: 'or_harbor' });
		expect(await of('realEstate', {})).toEqual({ organization_id: 'or_harbor' });
		expect(await of('realEstate', { organization_id: 'or_1' })).toEqual({
			organization_id: 'or_1',
		});
		expect(await of('business', {})).toEqual({});
	});
});

describe('what the service has no filter for', () => {
	const list = [
		entry('a', { transaction_name: 'Refinance Harbor Street', external_id: 'case-1' }),
		entry('b', { signers: [{ email: 'Joe@Example.com' }], expiry: '2026-11-25T12:00:00Z' }),
		entry('c', { detailed_status: 'declined', loan_number: '77' }),
		entry('d', { status: 'completed', detailed_status: 'complete' }),
		entry('e', { documents: [{ processing_error: 'Encrypted' }], organization_id: 'orother' }),
		entry('f', { signers: [{ esign_authentication_records: [{ status: 'failure' }] }] }),
	];
	test.each<[IDataObject, string[]]>([
		[{ name_contains: 'harbor' }, ['a']],
		[{ external_id: 'case-1' }, ['a']],
		[{ signer_email: ' joe@example.com ' }, ['b']],
		[{ expires_before: '2026-11-25T07:00:00' }, ['b']],
		[{ expires_before: '2026-11-25T06:59:59' }, []],
		[{ expires_after: '2026-11-25T12:00:00Z', expires_before: '2026-12-01' }, ['b']],
		[{ detailed_status: ['declined'] }, ['c']],
		[{ detailed_status: 'Declined, Complete' }, ['c', 'd']],
		[{ detailed_status: ['open'] }, ['a', 'b', 'e', 'f']],
		[{ detailed_status: ['open', 'declined'] }, ['a', 'b', 'c', 'e', 'f']],
		[{ document_failed: true }, ['e']],
		[{ identity_check_failed: 'yes' }, ['f']],
		[{ identity_check_failed: true, signer_email: 'jane@example.com' }, []],
	])('%j', async (filters, expected) => {
		expect((await find(list, { filters })).ids).toEqual(expected);
	});
	test('on business, loan number and organization, too', async () => {
		const business = async (filters: IDataObject) =>
			(await find(list, { platform: 'business', filters })).ids;
		expect(await business({ loan_number: '77' })).toEqual(['c']);
		expect(await business({ organization_id: 'or_other' })).toEqual(['e']);
	});
	test("what doesn't say whose it is belongs to the credential's organization", async () => {
		const mixed = [entry('a'), entry('b', { organization_id: 'or_2' }), entry('c')];
		mixed[2].organization_id = null;
		const found = async (filters: IDataObject) =>
			await find(mixed, { platform: 'business', filters }, { organizationId: 'orharbor' });
		expect((await found({})).ids).toEqual(['a', 'c']);
		const chosen = await found({ organization_id: 'or_harbor' });
		expect(chosen.ids).toEqual(['a']);
		expect(chosen.hint).toMatch(
			"1 transaction doesn't show what 'Organization ID' compares, and was left out",
		);
	});
});

test('every detailed status of the description can be chosen, and open', () => {
	const { options } = listFilters.find(({ name }) => name === 'detailed_status')!;
	const offered = options!.map((option) => ('value' in option ? option.value : undefined));
	const { 'x-known-values': described } = (loadOpenapi() as any).components.schemas.DetailedStatus;
	expect([...offered].sort()).toEqual(['open', ...described].sort());
});

describe('the order', () => {
	const list = [
		entry('a', { expiry: '2026-11-25T12:00:00Z', date_updated: '2026-11-03T00:00:00Z' }),
		entry('b', { date_updated: '2026-11-01T00:00:00Z' }),
		entry('c', { expiration_time: '2026-11-23', date_updated: '2026-11-02T00:00:00Z' }),
		entry('d', { expiry: '2026-11-25T07:00:00-05:00', date_updated: '2026-11-04T00:00:00Z' }),
	];
	test.each<[string | undefined, string[]]>([
		[undefined, ['a', 'b', 'c', 'd']],
		['expiry_asc', ['c', 'a', 'd', 'b']],
		['expiry_desc', ['a', 'd', 'c', 'b']],
		['updated_asc', ['b', 'c', 'a', 'd']],
		['updated_desc', ['d', 'a', 'c', 'b']],
		['created_asc', ['a', 'b', 'c', 'd']],
	])('%s', async (sort, expected) => {
		expect((await find(list, { options: { sort } })).ids).toEqual(expected);
	});
	test('with a limit, the whole list is read, and the first of the order come', async () => {
		const { ids, queries, hint } = await find(list, {
			returnAll: false,
			limit: 1,
			options: { sort: 'expiry_asc' },
		});
		expect(ids).toEqual(['c']);
		expect(queries).toMatchObject([{ limit: '100', offset: '0' }]);
		expect(hint).toBe('Read 4 transactions, to the end of the list');
	});
});

describe('it reads no more than it needs', () => {
	const many = Array.from({ length: 2_500 }, (_, index) =>
		entry(`t${index}`, { external_id: index === 1_200 || index === 2_400 ? 'twice' : null }),
	);
	const pages = (queries: IDataObject[]) =>
		queries.map(({ limit, offset }) => `${String(limit)} ${String(offset)}`);
	/** Each page begins with the last entry of the one before. */
	const toEntry1200 = Array.from({ length: 13 }, (_, page) => `100 ${99 * page}`);
	test('a hundred a page, until the limit is reached', async () => {
		const { ids, queries, hint } = await find(many, {
			returnAll: false,
			limit: 2,
			filters: { name_contains: 'closing t120' },
		});
		expect(ids).toEqual(['t120', 't1200']);
		expect(pages(queries)).toEqual(toEntry1200);
		expect(hint).toBe(
			"Read 1,201 transactions until 'Limit' was reached. To look further, raise 'Limit' or turn on 'Return All'",
		);
	});
	const byKey = { returnAll: false, limit: 50, filters: { external_id: 'twice' } };
	test('an external ID is looked for until it is found', async () => {
		const { ids, queries, hint } = await find(many, byKey);
		expect(ids).toEqual(['t1200']);
		expect(pages(queries)).toEqual(toEntry1200);
		expect(hint).toBe(
			"Read 1,201 transactions until the first one with this 'External ID'. To look for others, turn on 'Return All'",
		);
	});
	test.each<[string, IDataObject]>([
		['if all are wanted', { returnAll: true }],
		['if they are sorted', { options: { sort: 'updated_desc' } }],
	])('others with the same external ID are found, too, %s', async (_name, more) => {
		const { ids, hint } = await find(many, { ...byKey, ...more });
		expect(ids).toEqual(['t1200', 't2400']);
		expect(hint).toBe('Read 2,500 transactions, to the end of the list');
	});
	test('a limit of 1 ends the search', async () => {
		const { queries } = await find(many, { ...byKey, limit: 1 });
		expect(pages(queries)).toEqual(toEntry1200);
	});
});

describe('how far it looked', () => {
	const three = [entry('a'), entry('b'), entry('c')];
	test('is said when nothing was found, too', async () => {
		const { ids, hint } = await find(three, { filters: { name_contains: 'nowhere' } });
		expect(ids).toEqual([]);
		expect(hint).toBe('Read 3 transactions, to the end of the list');
	});
	test('is said with what makes it shorter, if it was far', async () => {
		const many = Array.from({ length: 5_000 }, (_, index) => entry(`t${index}`));
		const { hint } = await find(many, { filters: { name_contains: 'nowhere' } });
		expect(hint).toBe(
			"Read 5,000 transactions, to the end of the list. To read fewer, add a filter that the service has, such as 'Created After' or 'Status'",
		);
	});
	test('is nothing to say where the service did all of it', async () => {
		const found = await find(three, {
			filters: { loan_number: '7', transaction_status: 'sent', not_updated_since: '2026-11-01' },
		});
		expect(found.hint).toBe('');
	});
	test('is said once for many items', async () => {
		const items = ['a', 'b', 'nowhere'].map((name) => ({ json: { name } }));
		const filters = { name_contains: '=closing {{ $json.name }}' };
		const all = await find(three, { filters }, { items });
		expect(all.ids).toEqual(['a', 'b']);
		expect(all.hint).toBe(
			'3 items looked through 9 transactions in all. Each of them to the end of the list',
		);
		const some = await find(three, { returnAll: false, limit: 1, filters }, { items });
		expect(some.hint).toBe(
			'3 items looked through 6 transactions in all. 1 of them to the end of the list, 2 until enough was found',
		);
	});
	test('leaves out items that fail', async () => {
		const items = ['jane@example.com', 'no address'].map((email) => ({ json: { email } }));
		const { ids, hint } = await find(
			three,
			{ filters: { signer_email: '={{ $json.email }}' } },
			{ items, node: { onError: 'continueRegularOutput' } },
		);
		expect(ids).toEqual(['a', 'b', 'c', undefined]);
		expect(hint).toBe('Read 3 transactions, to the end of the list');
	});
	test('says what could not be judged', async () => {
		const list = [
			entry('a'),
			entry('b', { signers: null }),
			entry('c', { signers: null, expiry: 'soon' }),
		];
		const bySigner = await find(list, { filters: { signer_email: 'jane@example.com' } });
		expect(bySigner.ids).toEqual(['a']);
		expect(bySigner.hint).toBe(
			"Read 3 transactions, to the end of the list. 2 transactions don't show what 'Signer Email' compares, and were left out",
		);
		const byExpiry = await find(list, { filters: { expires_before: '2027-01-01' } });
		expect(byExpiry.hint).toMatch("1 transaction doesn't show what 'Expires Before' compares");
	});
	test('names a state that nobody knows', async () => {
		const { ids, hint } = await find(three, { filters: { detailed_status: ['complet', 'open'] } });
		expect(ids).toEqual(['a', 'b', 'c']);
		expect(hint).toMatch("'Detailed Status' has 'complet', which the node doesn't know");
	});
});

describe('input that cannot be used is told, and nothing is sent', () => {
	test.each<[IDataObject, RegExp]>([
		[{ filters: { signer_email: '@example.com' } }, /^'Signer Email' is '@example.com'/],
		[
			{ filters: { expires_before: 'next week' } },
			/^'Expires Before' is 'next week', which isn't a valid date/,
		],
		[{ filters: { not_updated_since: '5 days' } }, /^'Not Updated Since' is '5 days'/],
		[{ filters: { name_contains: { a: 1 } } }, /^'Name Contains' must be text/],
		[{ filters: { identity_check_failed: 'maybe' } }, /^'Identity Check Failed' is 'maybe'/],
		[{ options: { sort: 'random' } }, /^'Sort' is 'random'/],
	])('%j', async (parameters, expected) => {
		const { error, queries } = await find([], parameters);
		expect(error?.message).toMatch(expected);
		expect(String(error?.description).length).toBeGreaterThan(15);
		expect(queries).toEqual([]);
	});
});

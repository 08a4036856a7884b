import type { IDataObject } from 'n8n-workflow';

import { loadOpenapi } from '../../../sandbox/http/openapi.mts';
import { listFilters } from '../../../nodes/SignAndClose/resources/transaction/list/filters.ts';
import { credentialFor, runNode, useBinaryMode, type RunOptions } from '../../support/engine.mts';
import { hints } from '../../support/operations.mts';
import { startSmallService } from '../../support/smallService.mts';

/** Transaction: Get Many: what it asks for, what it filters itself, where it stops and what it says. */

beforeAll(async () => await useBinaryMode('filesystem'));

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
		parameters: {
			resource: 'transaction',
			operation: 'getAll',
			platform: 'realEstate',
			returnAll: true,
			...parameters,
		},
		...options,
	});
	const queries = service.asked.map((request) =>
		Object.fromEntries(new URLSearchParams(request.split('?')[1])),
	);
	return {
		rows: outcome.items.map(({ json }) => json),
		ids: outcome.items.map(({ json }) => json.transaction_id),
		hint: hints(outcome),
		queries,
		error: outcome.error,
	};
}

test('a simplified transaction of a list is a row: no value of it is a list', async () => {
	const { rows } = await find([entry('ot_1')], {});
	expect(rows).toMatchObject([{ transaction_id: 'ot_1', ended: false }]);
	expect(
		Object.values(rows[0]).filter((value) => value !== null && typeof value === 'object'),
	).toEqual([]);
	const selected = await find([entry('ot_1')], { output: 'fields', fields: ['signers'] });
	expect(selected.rows[0].signers).toMatchObject([{ email: 'jane@example.com' }]);
});

describe('the filters of the service are used first', () => {
	const TIME = '2026-11-20T09:00:00-05:00';
	test.each<[string, IDataObject, IDataObject, string?]>([
		[
			'business',
			{ created_date_start: TIME, last_updated_date_end: TIME, transaction_status: 'sent' },
			{ created_date_start: TIME, last_updated_date_end: TIME, transaction_status: 'sent' },
		],
		['business', { loan_number: '7', organization_id: 'or_1' }, {}, 'or_harbor'],
		[
			'realEstate',
			{ loan_number: '7', organization_id: 'or_1' },
			{ loan_number: '7', organization_id: 'or_1' },
			'or_harbor',
		],
		['realEstate', {}, { organization_id: 'or_harbor' }, 'or_harbor'],
		['realEstate', { detailed_status: ['draft', 'recalled'] }, { transaction_status: 'started' }],
		['realEstate', { detailed_status: ['draft', 'declined'] }, {}],
		[
			'realEstate',
			{ detailed_status: ['draft'], transaction_status: 'sent' },
			{ transaction_status: 'sent' },
		],
		[
			'realEstate',
			{
				identity_check_failed: false,
				document_failed: false,
				detailed_status: [],
				name_contains: ' ',
			},
			{},
		],
	])('on %s: %j', async (platform, filters, expected, organizationId = '') => {
		const { queries } = await find([], { platform, filters }, { organizationId });
		const { limit, offset, ...asked } = queries[0];
		expect([limit, offset]).toEqual(['100', '0']);
		expect(asked).toEqual(expected);
	});
});

describe('the node filters by the rest', () => {
	const list = [
		entry('a', { transaction_name: 'Refinance Harbor Street', external_id: 'case-1' }),
		entry('b', { signers: [{ email: 'Joe@Example.com' }], expiry: '2026-11-25T12:00:00Z' }),
		entry('c', { detailed_status: 'declined', loan_number: '77' }),
		entry('d', { status: 'completed', detailed_status: 'complete' }),
		entry('e', { documents: [{ processing_error: 'Encrypted' }], organization_id: 'orother' }),
		entry('f', { signers: [{ esign_authentication_records: [{ status: 'failure' }] }] }),
	];
	test.each<[IDataObject, string[], string?]>([
		[{ name_contains: 'harbor' }, ['a']],
		[{ external_id: 'case-1' }, ['a']],
		[{ signer_email: ' joe@example.com ' }, ['b']],
		[{ expires_before: '2026-11-25T07:00:00' }, ['b']],
		[{ expires_after: '2026-11-25T12:00:01Z' }, []],
		[{ detailed_status: 'declined, complete' }, ['c', 'd']],
		[{ detailed_status: ['open', 'declined'] }, ['a', 'b', 'c', 'e', 'f']],
		[{ document_failed: true }, ['e']],
		[{ identity_check_failed: 'yes' }, ['f']],
		[{ identity_check_failed: true, signer_email: 'jane@example.com' }, []],
		[{ loan_number: '77' }, ['c'], 'business'],
		[{ organization_id: 'or_other' }, ['e'], 'business'],
	])('%j', async (filters, expected, platform = 'realEstate') => {
		expect((await find(list, { platform, filters })).ids).toEqual(expected);
	});
	test('sent, waiting for a signer: no drafts, and what does not show it is counted', async () => {
		const signed = { signing_status: 'complete' };
		const unsigned = { signing_status: 'incomplete' };
		const closings = [
			entry('a', { signers: [signed, unsigned] }),
			entry('b', { signers: [signed] }),
			entry('c', { status: 'started', detailed_status: 'draft', signers: [unsigned] }),
			entry('d', { detailed_status: 'declined', signers: [unsigned] }),
			entry('e'),
		];
		const found = await find(closings, { filters: { detailed_status: ['waiting'] } });
		expect(found.ids).toEqual(['a']);
		expect(found.hint).toMatch(/Left out.*'Detailed Status'.*: 1/);
		const more = await find(closings, { filters: { detailed_status: ['waiting', 'draft'] } });
		expect(more.ids).toEqual(['a', 'c']);
	});
	test('invited, never opened: the hint counts what shows nothing of a co-borrower', async () => {
		const unsigned = { signing_status: 'incomplete' };
		const viewed = { status: 'received', detailed_status: 'viewed' };
		const closings = [
			entry('a', { signers: [unsigned, unsigned] }),
			entry('b', { ...viewed, signers: [unsigned] }),
			entry('c', { ...viewed, signers: [unsigned, unsigned] }),
			entry('d', { detailed_status: 'canceled', signers: [unsigned] }),
		];
		const found = await find(closings, { filters: { detailed_status: ['unopened'] } });
		expect(found.ids).toEqual(['a']);
		expect(found.hint).toMatch(/Left out.*'Detailed Status'.*: 1/);
	});
	test("what doesn't say whose it is counts as the credential's organization's", async () => {
		const mixed = ['or_harbor', 'or_2', null].map((organization_id, index) =>
			entry(String(index), { organization_id }),
		);
		const found = async (filters: IDataObject) =>
			await find(mixed, { platform: 'business', filters }, { organizationId: 'orharbor' });
		expect((await found({})).ids).toEqual(['0', '2']);
		const chosen = await found({ organization_id: 'or_harbor' });
		expect(chosen.ids).toEqual(['0']);
		expect(chosen.hint).toMatch(/Left out.*'Organization ID'.*: 1/);
	});
});

test('every detailed status of the description can be chosen, open, waiting for a signer, and never opened', () => {
	const { options } = listFilters.find(({ name }) => name === 'detailed_status')!;
	const offered = options!.map((option) => ('value' in option ? option.value : undefined));
	const { 'x-known-values': described } = (loadOpenapi() as any).components.schemas.DetailedStatus;
	expect([...offered].sort()).toEqual(['open', 'unopened', 'waiting', ...described].sort());
});

describe('how far it reads, and says so', () => {
	const many = Array.from({ length: 1_500 }, (_, index) =>
		entry(`t${index}`, { external_id: index === 400 || index === 1_400 ? 'twice' : null }),
	);
	test.each<[string, IDataObject, string[], number, RegExp]>([
		[
			'until the limit',
			{ limit: 2, filters: { name_contains: 'closing t40' } },
			['t40', 't400'],
			5,
			/401, until enough.*'Limit'/,
		],
		[
			'until an External ID',
			{ limit: 50, filters: { external_id: 'twice' } },
			['t400'],
			5,
			/401, until enough.*'Return All'/,
		],
		[
			'to the end',
			{ returnAll: true, filters: { external_id: 'twice' } },
			['t400', 't1400'],
			16,
			/1,500, to the end/,
		],
		[
			'to the end, in vain',
			{ limit: 1, filters: { name_contains: 'nowhere' } },
			[],
			16,
			/1,500, to the end of the list\. None fits the filters$/,
		],
		['no more than the limit', { limit: 2 }, ['t0', 't1'], 1, /^$/],
	])('%s', async (_what, parameters, ids, asked, hint) => {
		const found = await find(many, { returnAll: false, ...parameters });
		expect(found.ids).toEqual(ids);
		expect(found.queries).toHaveLength(asked);
		expect(found.hint).toMatch(hint);
	});

	const three = [entry('a'), entry('b', { signers: null }), entry('c', { expiry: 'soon' })];
	test('in one hint for many items, without those that fail', async () => {
		const items = ['a', 'b', 'nowhere', 'x'].map((name) => ({ json: { name } }));
		const { ids, hint } = await find(
			three,
			{
				returnAll: false,
				limit: "={{ $json.name === 'x' ? -1 : 1 }}",
				filters: { name_contains: '=closing {{ $json.name }}' },
			},
			{ items, node: { onError: 'continueRegularOutput' } },
		);
		expect(ids).toEqual(['a', 'b', undefined]);
		expect(hint).toMatch(/^Transactions read: 6 for 3 items, until enough were found/);
	});
	test.each<[IDataObject, string[], RegExp]>([
		[{ signer_email: 'jane@example.com' }, ['a', 'c'], /'Signer Email' compares: 1$/],
		[{ expires_before: '2027-01-01' }, [], /'Expiration Before' compares: 1$/],
		[{ loan_number: '7', transaction_status: 'sent' }, ['a', 'b', 'c'], /^$/],
	])('%j', async (filters, ids, hint) => {
		const found = await find(three, { filters });
		expect(found.ids).toEqual(ids);
		expect(found.hint).toMatch(hint);
	});
});

test.each<[IDataObject, RegExp]>([
	[{ signer_email: '@example.com' }, /^'Signer Email' is '@example.com'/],
	[{ expires_before: 'next week' }, /^'Expiration Before' is 'next week'/],
	[{ name_contains: { a: 1 } }, /^'Name Contains' must be text/],
	[{ identity_check_failed: 'maybe' }, /^'Identity Check Failed' is 'maybe'/],
])('%j is refused before anything is sent', async (filters, expected) => {
	const { error, queries } = await find([], { filters });
	expect(error?.message).toMatch(expected);
	expect(String(error?.description).length).toBeGreaterThan(15);
	expect(queries).toEqual([]);
});

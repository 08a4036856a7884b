import type { IDataObject } from 'n8n-workflow';

import { credentialFor, runNode, useBinaryMode, type RunOptions } from '../../support/engine.mts';
import { startSmallService, type SmallAnswer } from '../../support/smallService.mts';

/** Items of Transaction: Get Many look through the same list together. */

beforeAll(async () => await useBinaryMode('filesystem'));

/** An account of 2,000 transactions, the newest first. */
const LIST: IDataObject[] = Array.from({ length: 2_000 }, (_, index) => ({
	id: `ot_${index}`,
	status: 'sent',
	transaction_name: `Closing ${index}`,
	external_id: `case-${index}`,
	signers: [{ email: `jane${index}@example.com` }],
}));
/** The requests of one walk to the end: each page begins with the last entry of the one before. */
const WHOLE_WALK = 21;

type Answer = (query: URLSearchParams) => SmallAnswer;
const listed: Answer = (query) => {
	const offset = Number(query.get('offset'));
	const data = LIST.slice(offset, offset + Number(query.get('limit')));
	return { body: { total_count: LIST.length, count: data.length, data } };
};

/** Runs Get Many for some items. */
async function run(
	wanted: IDataObject[],
	parameters: IDataObject,
	{ answer = listed, ...options }: Partial<RunOptions> & { answer?: Answer } = {},
) {
	await using service = await startSmallService((_request, query) => answer(query));
	const outcome = await runNode({
		credential: credentialFor(service.url),
		parameters: {
			resource: 'transaction',
			operation: 'getAll',
			platform: 'realEstate',
			returnAll: true,
			...parameters,
		},
		items: wanted.map((json) => ({ json })),
		...options,
	});
	return {
		outcome,
		found: outcome.items.map(({ json, pairedItem }) => [
			json.transaction_id,
			(pairedItem as { item: number }).item,
		]),
		asked: service.asked.map((request) => request.split('?')[1]),
	};
}

const indexes = (count: number) => Array.from({ length: count }, (_, item) => 80 * item + 7);

describe('one walk serves all items', () => {
	test('whatever they filter by', async () => {
		const filters = { external_id: '={{ $json.key }}', signer_email: '={{ $json.email }}' };
		const items = indexes(24).map((at) => ({ key: `case-${at}`, email: `jane${at}@example.com` }));
		const { outcome, found, asked } = await run(items, { filters });
		expect(outcome.error).toBeUndefined();
		expect(found).toEqual(indexes(24).map((at, index) => [`ot_${at}`, index]));
		expect(asked).toHaveLength(WHOLE_WALK);
	});
	test('it goes no further than the one that needs most of it', async () => {
		const { found, asked } = await run(
			[3, 150, 40].map((at) => ({ key: `case-${at}` })),
			{ returnAll: false, limit: 50, filters: { external_id: '={{ $json.key }}' } },
		);
		expect(found).toEqual([
			['ot_3', 0],
			['ot_150', 1],
			['ot_40', 2],
		]);
		expect(asked).toEqual(['limit=100&offset=0', 'limit=100&offset=99']);
	});
	test('no page is bigger than the most that any of them wants', async () => {
		const { found, asked } = await run([{ most: 2 }, { most: 5 }, { most: 1 }], {
			returnAll: false,
			limit: '={{ $json.most }}',
			filters: {},
		});
		expect(found.map(([, item]) => item)).toEqual([0, 0, 1, 1, 1, 1, 1, 2]);
		expect(asked).toEqual(['limit=5&offset=0']);
	});
});

test('what the service filters differently is walked by itself', async () => {
	const { asked } = await run(
		['L-1', 'L-2', 'L-1'].map((loan) => ({ loan })),
		{ filters: { loan_number: '={{ $json.loan }}', name_contains: 'nothing' } },
		{ answer: () => ({ body: { total_count: 0, data: [] } }) },
	);
	expect(asked.sort()).toEqual([
		'loan_number=L-1&limit=100&offset=0',
		'loan_number=L-2&limit=100&offset=0',
	]);
});

test('a walk that fails fails for each item that takes part, and another run walks anew', async () => {
	let isDown = true;
	const answer: Answer = (query) =>
		isDown && query.get('offset') === '99'
			? { status: 400, body: { errors: ['No'] } }
			: listed(query);
	const items = [3, 150, 40].map((at) => ({ key: `case-${at}` }));
	const parameters = {
		returnAll: false,
		limit: 50,
		filters: { external_id: '={{ $json.key }}' },
	};
	const more = { answer, node: { onError: 'continueErrorOutput' } } as const;
	const { outcome, found } = await run(items, parameters, more);
	// Two had found theirs before.
	expect(found).toEqual([
		['ot_3', 0],
		['ot_40', 2],
	]);
	expect(outcome.errorItems.map(({ pairedItem }) => pairedItem)).toMatchObject([{ item: 1 }]);
	isDown = false;
	expect((await run(items, parameters, more)).found).toHaveLength(3);
});

test('an item whose input is wrong fails alone', async () => {
	const { outcome, found, asked } = await run(
		[
			{ after: '2026-01-01T00:00:00Z' },
			{ after: 'yesterday-ish' },
			{ after: '2026-01-01T00:00:00Z' },
		],
		{
			returnAll: false,
			limit: 1,
			filters: { created_date_start: '={{ $json.after }}', name_contains: 'closing 5' },
		},
		{ node: { onError: 'continueErrorOutput' } },
	);
	expect(found).toEqual([
		['ot_5', 0],
		['ot_5', 2],
	]);
	expect(outcome.errorItems).toHaveLength(1);
	expect(asked).toHaveLength(1);
});

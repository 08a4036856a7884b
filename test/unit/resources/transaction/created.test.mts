import type { IDataObject } from 'n8n-workflow';

import {
	reportDone,
	reportNotDone,
	UNCERTAIN,
	type Look,
} from '../../../../nodes/SignAndClose/run/goals.ts';
import { buildCreateGoal } from '../../../../nodes/SignAndClose/resources/transaction/ifExists/creation.ts';
import { forEachCase } from '../../../support/forEachCase.mts';
import { withClient } from '../../../support/live/client.mts';
import type { AskedFor } from '../../../support/live/service.mts';
import { sendingMemory } from '../../../support/madeUp/sending.mts';
import { AFTER_LOSS } from '../looks.mts';

/** How a create whose answer was lost is found by its reference. */

const AT = Date.UTC(2026, 10, 22, 6);
const OWN = 'n8n-1b4e28ba-2fa1-41d2-883f-0016d3cca427';
const OTHER = 'n8n-aaaaaaaa-2fa1-41d2-883f-0016d3cca427';
const MISSING = reportNotDone({ still: 'missing' });
const BODY = {
	transaction_name: 'Order 7',
	transaction_type: 'purchase',
	loan_number: '7',
	signers: [{ email: 'jane@example.com' }, { email: 'joe@example.com' }],
};
const at = (seconds: number) => ({ date_created: new Date(AT + seconds * 1000).toISOString() });
/** So many others. */
const strangers = (count: number): IDataObject[] =>
	Array.from({ length: count }, (_, index) => ({ id: `ot_${index}x`, external_id: OTHER }));
/** Ours, as a list shows it. */
const MADE: IDataObject = { id: 'ot_new', ...BODY, ...at(2), external_id: OWN };
const STRANGER = { id: 'ot_2', external_id: OTHER };

interface Shown {
	/** What the person gave, instead of a reference of the node's own. */
	given?: string;
	body?: IDataObject;
	/** The references that single answers show. */
	single?: Record<string, string>;
	how?: Look;
	assurance?: boolean;
	/** What other items of the run got. */
	claimed?: string[];
	/** What a page shows, where it isn't that part of the list, with its length. */
	page?: (offset: number) => object;
}

/** What one look sees of the create, late after a lost answer if nothing else is said. */
async function look(
	listed: IDataObject[],
	{
		given,
		body = BODY,
		single = {},
		how = AFTER_LOSS,
		assurance,
		claimed = [],
		page: pageFrom,
	}: Shown = {},
) {
	const answer = ({ path, query }: AskedFor) => {
		const id = path.split('/').at(-1)!;
		const entry = listed.find((candidate) => candidate.id === id);
		if (entry !== undefined) return { body: { ...entry, external_id: single[id] } };
		const { limit, offset } = query;
		const page = listed.slice(Number(offset), Number(offset) + Number(limit));
		const shown = pageFrom?.(Number(offset));
		return { body: shown ?? { total_count: listed.length, transactions: page } };
	};
	return await withClient(answer, async (service, { requests }) => {
		const seen = await buildCreateGoal({
			service,
			platform: 'business',
			body: given === undefined ? body : { ...body, external_id: given },
			sending: sendingMemory({ at: AT, ...(given === undefined && { reference: OWN }) }),
			assurance,
			isClaimed: (key) => claimed.includes(key),
		}).look!(how);
		const asked = requests.map(({ path }) => path.split('/').at(-1));
		return { seen, requests, asked };
	});
}
const seenOf = async (...args: Parameters<typeof look>) => (await look(...args)).seen;

describe('by a reference of the node', () => {
	test('is found the one that has it, whatever else it shows', async () => {
		const changed = { id: 'ot_new', external_id: OWN };
		expect(await seenOf([STRANGER, changed])).toEqual(reportDone(changed));
	});
	test.each<[string, IDataObject]>([
		['the same name and loan number', { ...MADE, external_id: 'order-7' }],
		['the reference of another item', { ...MADE, external_id: OTHER }],
		['more than the reference', { ...MADE, external_id: `${OWN} ` }],
	])('is not taken what has %s', async (_what, entry) => {
		expect(await seenOf([entry, STRANGER])).toEqual(MISSING);
	});
	test('is searched no further than it is found, and far back only to prove that it is missing', async () => {
		const listed = [MADE, ...Array.from({ length: 150 }, (_, index) => ({ id: `ot_${index}x` }))];
		const sinceOf = async (isLate: boolean) => {
			const { requests } = await look(listed, { how: { ...AFTER_LOSS, isLate } });
			return requests.map(({ query }) => query);
		};
		expect(await sinceOf(false)).toEqual([
			{ created_date_start: '2026-11-22T05:00:00.000Z', limit: '100', offset: '0' },
		]);
		expect(await sinceOf(true)).toEqual([
			{ created_date_start: '2026-11-21T06:00:00.000Z', limit: '1000', offset: '0' },
		]);
	});
	test('is found nothing and missed nothing without one, so that nothing is asked', async () => {
		const sending = sendingMemory({ at: AT });
		const goal = {
			platform: 'business',
			body: BODY,
			sending,
			isClaimed: () => false,
		} as const;
		await withClient(
			() => undefined,
			async (service, { requests }) => {
				expect(await buildCreateGoal({ ...goal, service }).look!(AFTER_LOSS)).toEqual(UNCERTAIN);
				expect(requests).toEqual([]);
			},
		);
	});
});

describe('what is not in the list', () => {
	test('is missing if the list shows references and was read whole', async () => {
		expect(await seenOf([STRANGER])).toEqual(MISSING);
	});
	test.each<[string, IDataObject[]]>([
		['nothing', []],
		['no references', [{ id: 'ot_2' }]],
		['empty references', [{ id: 'ot_2', external_id: '' }]],
		["only people's references", [{ id: 'ot_2', external_id: 'order-8' }]],
	])('may come later where the list shows %s', async (_what, listed) => {
		expect(await seenOf(listed)).toBeUndefined();
	});
	test('may come later where nobody says that the list has what was made', async () => {
		expect(await seenOf([STRANGER], { assurance: true })).toBeUndefined();
	});
	test('may come later where a service shows the same page again, which is not asked for a third time', async () => {
		const { seen, asked } = await look([], {
			page: () => ({ transactions: strangers(100) }),
			how: { ...AFTER_LOSS, isLate: false },
		});
		expect([seen, asked.length]).toEqual([undefined, 2]);
	});
	test('may come later where the list has more than one page: what is deleted meanwhile hides others', async () => {
		const listed = Array.from({ length: 1_000 }, (_, index) => ({ id: `ot_${index}x` }));
		expect(await seenOf([STRANGER, ...listed])).toBeUndefined();
		expect(await seenOf([STRANGER, ...listed.slice(1)])).toEqual(MISSING);
	});
});

describe("by a person's own External ID", () => {
	const given = 'order-7';
	const entry = { ...MADE, external_id: given };
	test('is found the only one that was made since, with this type and these signers', async () => {
		const reversed = { ...entry, signers: [...BODY.signers].reverse() };
		const older = { ...entry, id: 'ot_old', ...at(-3_600) };
		await forEachCase([entry, reversed, { ...entry, ...at(-59) }], async (own) =>
			expect(await seenOf([older, own, STRANGER], { given })).toEqual(reportDone(own)),
		);
	});
	test.each<[string, IDataObject[]]>([
		['is older', [{ ...entry, ...at(-61) }]],
		['shows no date', [{ ...entry, date_created: null }]],
		['has another type', [{ ...entry, transaction_type: 'refinance' }]],
		['has another name', [{ ...entry, transaction_name: 'Order 8' }]],
		['has other signers', [{ ...entry, signers: [BODY.signers[0]] }]],
		['shows no signers', [{ ...entry, signers: null }]],
		['is one of two', [entry, { ...entry, id: 'ot_2' }]],
	])('is not taken what %s, nor is it missing', async (_what, listed) => {
		expect(await seenOf(listed, { given })).toBeUndefined();
	});
	test('is one transaction, also on two pages of a list that grows meanwhile', async () => {
		const page = (offset: number) => ({
			total_count: 101,
			transactions: offset === 0 ? [...strangers(99), entry] : [entry],
		});
		expect(await seenOf([], { given, page })).toEqual(reportDone(entry));
	});
	test('is missing where no other has it', async () => {
		expect(await seenOf([STRANGER], { given })).toEqual(MISSING);
	});
	test('is not what another item of the run got', async () => {
		const other = { ...entry, id: 'ot_other' };
		const claimed = ['ot_other'];
		expect(await seenOf([other, entry, STRANGER], { given, claimed })).toEqual(reportDone(entry));
		expect(await seenOf([other, STRANGER], { given, claimed })).toEqual(MISSING);
	});
});

test('where a list shows no references, the newest 25 single answers are looked at', async () => {
	const listed: IDataObject[] = Array.from({ length: 30 }, (_, index) => ({
		id: `ot_${index}`,
		...at(index === 3 ? -61 : 30 - index),
	}));
	const { seen, asked } = await look(listed, { single: { ot_20: OWN } });
	expect(seen).toEqual(reportDone({ ...listed[20], external_id: OWN }));
	expect(asked.slice(1)).toEqual(
		listed.slice(0, 26).flatMap(({ id }) => (id === 'ot_3' ? [] : id)),
	);
});

test('an answer that is the transaction needs no look-up', async () => {
	await withClient(
		() => undefined,
		async (service) => {
			const { fromAnswer: told } = buildCreateGoal({
				service,
				platform: 'business',
				body: BODY,
				sending: sendingMemory({ at: AT }),
				isClaimed: () => false,
			});
			expect(told({ id: 'ot_new' })).toEqual(reportDone({ id: 'ot_new' }));
			forEachCase([undefined, {}, { status: 'started' }], (answer) =>
				expect(told(answer)).toEqual(UNCERTAIN),
			);
		},
	);
});

import fc from 'fast-check';

import type { IDataObject } from 'n8n-workflow';

import type { ListPage } from '../../../../nodes/SignAndClose/transport/answers/lists.ts';
import {
	takeEntries,
	streamPages,
} from '../../../../nodes/SignAndClose/transport/answers/pages.ts';
import { forEachCase } from '../../../support/forEachCase.mts';

const entries = (count: number, name = 'e'): IDataObject[] =>
	Array.from({ length: count }, (_, index) => ({ id: `${name}${index}` }));

type Fetch = (limit: number, offset: number) => ListPage;

/** Walks a list, and notes what it was asked for. */
async function walk(fetchPage: Fetch, size: number, most = Number.POSITIVE_INFINITY) {
	const asked: string[] = [];
	const fetched = async (limit: number, offset: number) => {
		asked.push(`${offset}+${limit}`);
		if (asked.length > 1_000) throw new Error('It never ends');
		return await Promise.resolve(fetchPage(limit, offset));
	};
	async function* each() {
		for await (const page of streamPages(fetched, size)) yield* page;
	}
	const found = await takeEntries(each(), most);
	return {
		found,
		ids: found.map(({ id }) => String(id)),
		asked: asked.join(' '),
		count: asked.length,
	};
}

/** A service that gives pages of a list, no longer than it likes: each time another length in turn. */
function serve(list: IDataObject[], { caps = [Infinity], tellsTotal = false } = {}): Fetch {
	let pages = 0;
	return (limit, offset) => ({
		entries: list.slice(offset, offset + Math.min(limit, caps[pages++ % caps.length])),
		...(tellsTotal && { total: list.length }),
	});
}

describe('a list that stays as it is', () => {
	const all = fc.record({
		count: fc.integer({ min: 0, max: 60 }),
		size: fc.integer({ min: 1, max: 25 }),
		caps: fc.array(fc.integer({ min: 1, max: 25 }), { minLength: 1, maxLength: 4 }),
		tellsTotal: fc.boolean(),
	});
	test('comes once and in order, also when the service gives fewer than asked for', async () => {
		await fc.assert(
			fc.asyncProperty(all, async ({ count, size, caps, tellsTotal }) => {
				const list = entries(count);
				// Without a total, one entry alone, which is read twice, looks like the end.
				fc.pre(tellsTotal || caps.every((cap) => cap > 1) || caps.length === 1);
				expect((await walk(serve(list, { caps, tellsTotal }), size)).found).toEqual(list);
			}),
		);
	});
	test('is read no further than somebody wants', async () => {
		const { found, asked } = await walk(serve(entries(60)), 10, 15);
		expect(found).toEqual(entries(15));
		expect(asked).toBe('0+10 9+10');
	});
	test('has entries without anything in them, which are left out of a page', async () => {
		const list = [
			...entries(7).map((entry, at) => (at % 3 === 2 ? {} : entry)),
			...entries(9, 'f'),
		];
		const fetchPage: Fetch = (limit, offset) => {
			const page = list.slice(offset, offset + limit);
			return { entries: page.filter(({ id }) => id !== undefined), came: page.length };
		};
		expect((await walk(fetchPage, 4)).found).toEqual(list.filter(({ id }) => id !== undefined));
	});
});

describe('how the end is known', () => {
	test('by a page that brings nothing new', async () => {
		expect((await walk(serve(entries(25)), 10)).asked).toBe('0+10 9+10 18+10 24+10');
		expect((await walk(serve([]), 10)).asked).toBe('0+10');
	});
	test('by the total, after a page that is not full', async () => {
		expect((await walk(serve(entries(25), { tellsTotal: true }), 10)).asked).toBe(
			'0+10 9+10 18+10',
		);
		expect((await walk(serve(entries(10), { tellsTotal: true }), 10)).asked).toBe('0+10 9+10');
	});
	test('a total that is too big or too small changes nothing', async () => {
		await forEachCase([0, 12, 1_000_000], async (total) => {
			const fetchPage: Fetch = (...page) => ({ ...serve(entries(25))(...page), total });
			expect((await walk(fetchPage, 10)).found).toEqual(entries(25));
		});
	});
	test('a service that ignores the offset, and repeats a page', async () => {
		const { found, count } = await walk(() => ({ entries: entries(3), total: 1_000_000 }), 3);
		expect(found).toEqual(entries(3));
		expect(count).toBe(2);
	});
	test('a service whose offset counts in another way is read to its end all the same', async () => {
		const list = entries(100);
		const { found, count } = await walk(
			(limit, offset) => serve(list)(limit, offset === 0 ? 0 : offset + 1),
			10,
		);
		expect(found).toEqual(list);
		expect(count).toBeLessThan(40);
	});
});

describe('a list that changes while it is walked', () => {
	test('gives everything also when far more than a page join at once', async () => {
		let list = entries(40);
		const { ids } = await walk((limit, offset) => {
			const page = serve(list, { tellsTotal: true })(limit, offset);
			if (offset === 0) list = [...entries(70, 'new'), ...list];
			return page;
		}, 10);
		expect(ids.filter((id) => id.startsWith('e'))).toEqual(entries(40).map(({ id }) => id));
	});
	/** What happens between two requests: how many join at the head, and which ones leave. */
	const change = fc.record({
		joins: fc.nat(4),
		leaves: fc.array(fc.nat(1_000), { maxLength: 30 }),
	});
	const happening = fc.record({
		count: fc.integer({ min: 0, max: 120 }),
		size: fc.integer({ min: 10, max: 25 }),
		cap: fc.integer({ min: 10, max: 25 }),
		tellsTotal: fc.boolean(),
		changes: fc.array(change, { maxLength: 40 }),
	});
	test('gives everything that was in it all the time, once and in order', async () => {
		await fc.assert(
			fc.asyncProperty(happening, async ({ count, size, cap, tellsTotal, changes }) => {
				let list = entries(count);
				let turn = 0;
				const { ids } = await walk((limit, offset) => {
					const page = serve(list, { caps: [cap], tellsTotal })(limit, offset);
					const { joins = 0, leaves = [] } = changes[turn] ?? {};
					const gone = new Set(leaves.map((at) => list[at % list.length]));
					list = [...entries(joins, `joined${turn++}-`), ...list.filter((one) => !gone.has(one))];
					return page;
				}, size);
				const stayed = list.map(({ id }) => String(id)).filter((id) => id.startsWith('e'));
				const present = new Set(stayed);
				expect(ids.filter((id) => present.has(id))).toEqual(stayed);
				expect(new Set(ids).size).toBe(ids.length);
			}),
			{ numRuns: 500 },
		);
	});
	test('one that leaves costs one more request', async () => {
		let list = entries(40);
		const { ids, asked } = await walk((limit, offset) => {
			const page = serve(list)(limit, offset);
			if (offset === 9) list = list.slice(1);
			return page;
		}, 10);
		expect(ids).toEqual(entries(40).map(({ id }) => id));
		// The third page began with an entry that nobody knew.
		expect(asked).toBe('0+10 9+10 18+10 13+10 22+10 31+10 38+10');
	});
	test('entries without an ID are recognized by all they have', async () => {
		let list: IDataObject[] = Array.from({ length: 12 }, (_, at) => ({ event: 'sent', at }));
		const { found } = await walk((limit, offset) => {
			const page = serve(list)(limit, offset);
			if (offset === 0) list = list.slice(3);
			return page;
		}, 5);
		expect(found.map(({ at }) => at)).toEqual([...Array(12).keys()]);
	});
});

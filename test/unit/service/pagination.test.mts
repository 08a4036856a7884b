import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';

import { pageSizeOf, take, walkPages } from '../../../nodes/SignAndClose/service/pagination.ts';

const entries = (count: number) =>
	Array.from({ length: count }, (_, index) => ({ id: `e${index}` }));

describe('walkPages', () => {
	const all = fc.record({
		count: fc.integer({ min: 0, max: 60 }),
		size: fc.integer({ min: 1, max: 25 }),
		cap: fc.integer({ min: 1, max: 25 }),
		tellsTotal: fc.boolean(),
	});
	test('gives everything once and in order, also when the service gives fewer than asked for', async () => {
		await fc.assert(
			fc.asyncProperty(all, async ({ count, size, cap, tellsTotal }) => {
				const list = entries(count);
				const walked = walkPages(
					async (limit, offset) =>
						await Promise.resolve({
							entries: list.slice(offset, offset + Math.min(limit, cap)),
							...(tellsTotal && { total: count }),
						}),
					size,
				);
				expect(await take(walked, Number.POSITIVE_INFINITY)).toEqual(list);
			}),
		);
	});
	test('asks for no page after the last entry that is wanted', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.integer({ min: 1, max: 60 }),
				fc.integer({ min: 1, max: 25 }),
				fc.integer({ min: 1, max: 60 }),
				async (count, size, most) => {
					let asked = 0;
					const list = entries(count);
					const walked = walkPages(
						async (limit, offset) => {
							asked += 1;
							return await Promise.resolve({ entries: list.slice(offset, offset + limit) });
						},
						size,
						most,
					);
					expect(await take(walked, most)).toEqual(list.slice(0, most));
					expect(asked).toBeLessThanOrEqual(
						Math.ceil(Math.min(most, count + 1) / Math.min(size, most)) + 1,
					);
				},
			),
		);
	});
	test('what slides onto the next page while it is walked comes once', async () => {
		const list = entries(5);
		const walked = walkPages(async (limit, offset) => {
			const page = list.slice(offset, offset + limit);
			list.unshift({ id: `new${offset}` });
			return await Promise.resolve({ entries: page, total: list.length });
		}, 2);
		const ids = (await take(walked, 20)).map(({ id }) => id);
		expect(new Set(ids).size).toBe(ids.length);
		expect(ids).toEqual(expect.arrayContaining(entries(5).map(({ id }) => id)));
	});
	test('ends when the service ignores the offset and repeats a page', async () => {
		let asked = 0;
		const walked = walkPages(async () => {
			asked += 1;
			return await Promise.resolve({ entries: entries(3), total: 1_000_000 });
		}, 3);
		expect(await take(walked, 100)).toEqual(entries(3));
		expect(asked).toBe(2);
	});
});

test('no page is bigger than the service allows', () => {
	expect(pageSizeOf('listTransactions', 5000)).toBe(1000);
	expect(pageSizeOf('listTemplates', 5000)).toBe(1000);
	expect(pageSizeOf('listWebhookEvents', 5000)).toBe(100);
	expect(pageSizeOf('listTransactions', 50)).toBe(50);
	// No maximum is published.
	expect(pageSizeOf('listRecords', 5000)).toBe(5000);
});

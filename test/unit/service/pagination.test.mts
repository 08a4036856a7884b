import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';

import { ServiceFailure } from '../../../nodes/SignAndClose/service/errors/failure.ts';
import { pageSizeOf, take, walkPages } from '../../../nodes/SignAndClose/service/pagination.ts';

const entries = (count: number) =>
	Array.from({ length: count }, (_, index) => ({ id: `e${index}` }));

describe('walkPages', () => {
	const all = fc.record({
		count: fc.integer({ min: 0, max: 60 }),
		size: fc.integer({ min: 1, max: 25 }),
		cap: fc.integer({ min: 1, max: 25 }),
		tellsTotal: fc.boolean(),
		ahead: fc.boolean(),
	});
	test('gives everything once and in order, also when the service gives fewer than asked for', async () => {
		await fc.assert(
			fc.asyncProperty(all, async ({ count, size, cap, tellsTotal, ahead }) => {
				const list = entries(count);
				const walked = walkPages(
					async (limit, offset) =>
						await Promise.resolve({
							entries: list.slice(offset, offset + Math.min(limit, cap)),
							...(tellsTotal && { total: count }),
						}),
					size,
					{ ahead },
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
						{ most },
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

describe('a page ahead', () => {
	/** Walks pages of 2 of a list of 7, and notes what happened in which order. */
	async function happenings(ahead: boolean, most = Number.POSITIVE_INFINITY): Promise<string> {
		const seen: string[] = [];
		const walked = walkPages(
			async (limit, offset) => {
				seen.push(`ask ${offset}`);
				return await Promise.resolve({ entries: entries(7).slice(offset, offset + limit) });
			},
			2,
			{ ahead },
		);
		for await (const { id } of walked) if (seen.push(String(id)) >= most) break;
		return seen.join(' ');
	}
	test('is asked for while the one before it is handled', async () => {
		expect(await happenings(true)).toBe('ask 0 ask 2 e0 e1 ask 4 e2 e3 ask 6 e4 e5 e6');
	});
	test('is not asked for without that', async () => {
		expect(await happenings(false)).toBe('ask 0 e0 e1 ask 2 e2 e3 ask 4 e4 e5 ask 6 e6');
	});
	test('that fails after everybody has gone bothers nobody', async () => {
		let asked = 0;
		const walked = walkPages(
			async () => {
				if (++asked > 1) throw new Error('Too late');
				return await Promise.resolve({ entries: entries(2) });
			},
			2,
			{ ahead: true },
		);
		for await (const { id } of walked) {
			expect(id).toBe('e0');
			break;
		}
		await new Promise(setImmediate);
		expect(asked).toBe(2);
	});
});

describe('a page of a thousand that is too much', () => {
	const unreachable = (fault: string) =>
		new ServiceFailure({ code: 'unreachable', fault, attempts: 1 });
	const refused = (status: number) =>
		new ServiceFailure(
			{ code: 'refused', status, asked: 'read', said: [], attempts: 1 },
			{ httpStatus: status },
		);
	/** Walks a list of 250 at a service that fails for more than a hundred at once. */
	async function walk(failure: Error, size = 1000) {
		const asked: string[] = [];
		const walked = walkPages(async (limit, offset) => {
			asked.push(`${offset}+${limit}`);
			if (limit > 100) throw failure;
			return await Promise.resolve({ entries: entries(250).slice(offset, offset + limit) });
		}, size);
		const outcome = await take(walked, Number.POSITIVE_INFINITY).catch((error: unknown) => error);
		return { asked: asked.join(' '), outcome };
	}
	test.each([
		...['ANSWER_TOO_BIG', 'ANSWER_SLOW', 'ESTALLED', 'ETIMEDOUT', 'ECONNABORTED'].map(unreachable),
		...[408, 413, 504].map(refused),
	])('is asked for in hundreds: %j', async (failure) => {
		const { asked, outcome } = await walk(failure);
		expect(asked).toBe('0+1000 0+100 100+100 200+100');
		expect(outcome).toEqual(entries(250));
	});
	test.each([unreachable('ECONNREFUSED'), refused(403), refused(500), new Error('Other')])(
		'any other failure is told: %j',
		async (failure) => {
			expect(await walk(failure)).toEqual({ asked: '0+1000', outcome: failure });
		},
	);
	test('a failure of a small page is told', async () => {
		const failure = unreachable('ANSWER_TOO_BIG');
		expect(await walk(failure, 101)).toMatchObject({ asked: '0+101 0+100 100+100 200+100' });
		const asked: number[] = [];
		const walked = walkPages(async (limit) => {
			asked.push(limit);
			return await Promise.reject(failure);
		}, 100);
		await expect(take(walked, 1)).rejects.toBe(failure);
		expect(asked).toEqual([100]);
	});
	test('goes on in hundreds from where it was', async () => {
		const asked: string[] = [];
		const list = entries(1120);
		const walked = walkPages(async (limit, offset) => {
			asked.push(`${offset}+${limit}`);
			if (offset > 0 && limit > 100) throw unreachable('ANSWER_SLOW');
			return await Promise.resolve({ entries: list.slice(offset, offset + limit) });
		}, 1000);
		expect(await take(walked, Number.POSITIVE_INFINITY)).toEqual(list);
		expect(asked.join(' ')).toBe('0+1000 1000+1000 1000+100 1100+100');
	});
});

test('no page is bigger than the service allows', () => {
	expect(pageSizeOf('listTransactions', 5000)).toBe(1000);
	expect(pageSizeOf('listTemplates', 5000)).toBe(1000);
	expect(pageSizeOf('listWebhookEvents', 5000)).toBe(100);
	expect(pageSizeOf('listTransactions', 50)).toBe(50);
	// No maximum is published.
	expect(pageSizeOf('listRecords', 5000)).toBe(100);
	expect(pageSizeOf('listRecords', 2)).toBe(2);
});

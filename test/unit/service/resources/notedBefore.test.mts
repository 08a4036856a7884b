import { afterEach, describe, expect, jest, test } from '@jest/globals';

import { ServiceFailure } from '../../../../nodes/SignAndClose/service/errors/failure.ts';
import {
	beforeOf,
	documentsBefore,
	newestTransactions,
	notedBefore,
	noteBefore,
} from '../../../../nodes/SignAndClose/service/resources/before.ts';
import { noted, thrownBy, withClient } from '../../../support/live/client.mts';

/** What a run notes before a write, so that a later try of it can tell what the write has made. */

const AT = Date.UTC(2026, 10, 22, 6);

/** Entries that were made so many milliseconds before. */
const made = (...ages: Array<number | undefined>) =>
	ages.map((age, index) => ({
		id: `ot_${index}`,
		...(age !== undefined && { date_created: new Date(AT - age).toISOString() }),
	}));

describe('before a write', () => {
	afterEach(() => {
		jest.restoreAllMocks();
	});

	test('what was there is noted with the time after the look, and a later try finds both', async () => {
		const clock = jest.spyOn(Date, 'now').mockReturnValue(AT);
		const steps = noted();
		const before = await noteBefore(steps, async () => {
			clock.mockReturnValue(AT + 5_000);
			return { ids: ['ot_1'] };
		});
		expect(before).toEqual({ startedAt: AT + 5_000, before: { ids: ['ot_1'] } });
		expect(notedBefore(steps, AT)).toEqual(before);
	});
	test('the last try counts', async () => {
		const steps = noted();
		await noteBefore(steps, async () => ({ ids: ['ot_1'] }));
		await noteBefore(steps, async () => ({ ids: ['ot_1', 'ot_2'] }));
		expect(notedBefore(steps, AT).before).toEqual({ ids: ['ot_1', 'ot_2'] });
	});
	test.each<[string, () => Promise<undefined>]>([
		['shows nothing', async () => undefined],
		[
			'fails',
			async () => {
				throw new ServiceFailure({ code: 'unexpectedAnswer' });
			},
		],
		[
			'fails in an unknown way',
			async () => {
				throw new Error('Out of order');
			},
		],
	])('a look that %s leaves the time alone, and the write goes on', async (_how, look) => {
		jest.spyOn(Date, 'now').mockReturnValue(AT);
		const steps = noted();
		expect(await noteBefore(steps, look)).toEqual({ startedAt: AT });
		expect(notedBefore(steps, 0)).toEqual({ startedAt: AT });
	});
	test('a look that could not be sent ends the write, and nothing is noted', async () => {
		const steps = noted();
		const failure = new ServiceFailure({ code: 'notSent', said: 'Blocked' });
		const look = async () => {
			throw failure;
		};
		expect(await thrownBy(noteBefore(steps, look))).toBe(failure);
		expect(notedBefore(steps, AT)).toEqual({ startedAt: AT });
	});
});

describe('the newest transactions', () => {
	test('are ten from the start of the list, once for all who ask at the same time', async () => {
		await withClient(
			() => ({ body: { total_count: 2, transactions: made(1, 2) } }),
			async (service, { requests }) => {
				const ask = async () => await newestTransactions(service, 'realEstate');
				const [first, second, third] = await Promise.all([ask(), ask(), ask()]);
				expect(first).toEqual({ ids: ['ot_0', 'ot_1'] });
				expect([second, third]).toEqual([first, first]);
				expect(requests).toHaveLength(2);
				expect(requests[0].query).toEqual({ limit: '10', offset: '0' });
				expect(requests[0].path).toMatch(/\/mortgage\/v2\/transactions$/);
			},
		);
	});
	test('are asked for twice at most, so that no write waits long', async () => {
		await withClient(
			() => ({ status: 503, body: '' }),
			async (service, { requests }) => {
				await thrownBy(newestTransactions(service, 'business'));
				expect(requests.length).toBeLessThanOrEqual(2);
			},
		);
	});
});

describe('the first page of a list', () => {
	test('is complete up to its oldest entry, when the newest come first', () => {
		expect(beforeOf({ entries: made(1, 2, 3), total: 9 }, 3)).toEqual({
			ids: ['ot_0', 'ot_1', 'ot_2'],
			since: AT - 3,
		});
	});
	test.each<[string, number[]]>([
		['out of order in the middle', [1, 5, 3]],
		['in the order of their age', [3, 2, 1]],
		['all of one moment', [2, 2, 2]],
	])('proves nothing with entries %s', (_how, ages) => {
		expect(beforeOf({ entries: made(...ages), total: 9 }, 3)).toBeUndefined();
	});
	test('proves nothing when an entry in it has no date', () => {
		for (const ages of [
			[1, undefined, 3],
			[1, 2, undefined],
			[undefined, 2, 3],
		])
			expect(beforeOf({ entries: made(...ages), total: 9 }, 3)).toBeUndefined();
	});
	test('proves nothing when it is shorter than asked for, but not the whole', () => {
		expect(beforeOf({ entries: made(1), total: 9 }, 10)).toBeUndefined();
		expect(beforeOf({ entries: made(3, 1), total: 9 }, 10)).toBeUndefined();
	});
	test('proves nothing when an entry has come that cannot be read', () => {
		expect(beforeOf({ entries: made(1, 2), came: 3 }, 10)).toBeUndefined();
	});
	test('proves nothing when it is empty, but the list is said not to be', () => {
		expect(beforeOf({ entries: [], total: 7 }, 10)).toBeUndefined();
		expect(beforeOf({ entries: [], total: 0 }, 10)).toEqual({ ids: [] });
	});
});

describe('the documents of a transaction', () => {
	test('are known when each has an ID', () => {
		expect(documentsBefore({ id: 'ot_1', documents: [{ id: 'do_1' }, { id: 'do_2' }] })).toEqual({
			ids: ['do_1', 'do_2'],
		});
		expect(documentsBefore({ id: 'ot_1', documents: [] })).toEqual({ ids: [] });
	});
	test('are not known when one has none, or when they are not shown', () => {
		expect(documentsBefore({ id: 'ot_1', documents: [{ id: 'do_1' }, {}] })).toBeUndefined();
		expect(documentsBefore({ id: 'ot_1' })).toBeUndefined();
	});
});

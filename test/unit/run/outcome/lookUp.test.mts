import type { ServiceClient } from '../../../../nodes/SignAndClose/transport/client.ts';
import { ServiceFailure } from '../../../../nodes/SignAndClose/transport/failure/failure.ts';
import {
	done,
	notDone,
	UNKNOWN,
	type Seen,
} from '../../../../nodes/SignAndClose/run/outcome/goals.ts';
import { lookUntilFound, type LookUp } from '../../../../nodes/SignAndClose/run/outcome/lookUp.ts';
import { thrownBy } from '../../../support/live/client.mts';

/** How long a lost answer is looked up, and when what isn't there counts as not done. */

const START = Date.UTC(2026, 10, 23, 6);
const MISSING = notDone({ still: 'missing' });
const FOUND = done('ot_1');

beforeEach(() => void jest.useFakeTimers({ now: START }));
afterEach(() => void jest.useRealTimers());

const takes = (ms: number) => jest.setSystemTime(Date.now() + ms);
type Look = () => Seen<string> | undefined;

/**
 * Looks with these looks in turn, of which the last one stays. A rest takes no time but the clock's.
 * @returns what was seen, and the seconds that were rested
 */
async function lookUp(looks: Look[], how: LookUp = {}) {
	const rests: number[] = [];
	const service = {
		limits: { lookUpMs: 60_000, lookUpPauseMs: 1_000 },
		async rest(ms: number, signal?: AbortSignal) {
			signal?.throwIfAborted();
			rests.push(ms / 1000);
			takes(ms);
		},
	} as unknown as ServiceClient;
	const look = async () => looks[Math.min(rests.length, looks.length - 1)]();
	return { seen: await lookUntilFound(service, look, how), rests };
}

const refused = (httpStatus: number) => (): never => {
	throw new ServiceFailure({ code: 'unexpectedAnswer' }, { httpStatus });
};
const nothing = () => undefined;

test.each<[string, Look[], number[]]>([
	['at once', [() => FOUND], []],
	['at the third look', [nothing, () => MISSING, () => FOUND], [1, 2]],
	[
		'after looks that failed',
		[
			refused(500),
			refused(429),
			() => {
				throw new Error('Cut');
			},
			() => FOUND,
		],
		[1, 2, 4],
	],
])('what is found %s is done', async (_when, looks, rests) => {
	expect(await lookUp(looks)).toEqual({ seen: FOUND, rests });
});

test.each<[string, Look]>([
	['nothing is found', nothing],
	['it is missing, as nobody knows since when', () => MISSING],
	['all looks fail', refused(503)],
])('after a minute in which %s, the outcome is unknown', async (_what, look) => {
	expect(await lookUp([look])).toEqual({ seen: UNKNOWN, rests: [1, 2, 4, 8, 16, 29] });
});

test.each<[string, Look]>([
	['no later look could tell', () => UNKNOWN],
	...[400, 401, 403, 404, 422, 499].map((status): [string, Look] => [
		`the service refuses it with ${status}`,
		refused(status),
	]),
])('nothing is looked at again when %s', async (_when, look) => {
	expect(await lookUp([look, () => FOUND], { absentFrom: 0 })).toEqual({
		seen: UNKNOWN,
		rests: [],
	});
});

describe('what is missing', () => {
	test('counts as not done from a time on, which may come meanwhile', async () => {
		expect(await lookUp([() => MISSING], { absentFrom: START })).toEqual({
			seen: MISSING,
			rests: [],
		});
		expect(await lookUp([() => MISSING], { absentFrom: START + 10_000 })).toEqual({
			seen: MISSING,
			rests: [1, 2, 4, 8],
		});
	});
	test('does not count if the look began before that time', async () => {
		const look = () => {
			takes(600);
			return MISSING;
		};
		expect((await lookUp([look], { absentFrom: START + 500 })).rests).toEqual([1]);
	});
	test('and what can not be told then, will not be told later', async () => {
		expect(await lookUp([nothing], { absentFrom: START })).toEqual({ seen: UNKNOWN, rests: [] });
	});
});

test('a canceled execution ends the wait', async () => {
	const signal = AbortSignal.abort(new Error('Canceled'));
	expect(await thrownBy(lookUp([nothing], { signal }))).toMatchObject({ message: 'Canceled' });
	expect(await lookUp([() => FOUND], { signal })).toEqual({ seen: FOUND, rests: [] });
});

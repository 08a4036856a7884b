import {
	reportDone,
	reportEnded,
	reportNotDone,
	UNCERTAIN,
	type Look,
	type Verdict,
} from '../../../../nodes/SignAndClose/run/goals.ts';
import { lookUp, type LostWrite } from '../../../../nodes/SignAndClose/run/write/write.ts';
import { ServiceFailure } from '../../../../nodes/SignAndClose/transport/failure/failure.ts';
import { thrownBy } from '../../../support/live/client.mts';
import { holdClock, restingService } from './restingService.mts';

/** How long a write is looked up, and when what isn't there counts as not done. */

const START = Date.UTC(2026, 10, 23, 6);
const MISSING = reportNotDone({ still: 'missing' });
/** A change that has no effect; nothing is to come. */
const UNCHANGED = reportNotDone({ still: 'draft' });
const FOUND = reportDone('ot_1');

holdClock(START);

type Play = (how: Look) => Verdict<string> | undefined;

const ANSWERED: LostWrite = { isAnswered: true };
/** Its answer was lost so many seconds ago. */
const lost = (seconds = 0): LostWrite => ({ isAnswered: false, lostAt: START - seconds * 1000 });

/**
 * Looks with these looks in turn, of which the last one stays.
 * @returns what was seen, how many looks it took and after how many seconds it ended
 */
async function looked(
	looks: Play[],
	what: LostWrite,
	{
		absentAfterMs = 120_000,
		stopsAfter,
		earlyMs,
	}: { absentAfterMs?: number; stopsAfter?: number; earlyMs?: number } = {},
) {
	jest.setSystemTime(START);
	const limits = { lookUpMs: 60_000, lookUpPauseMs: 1_000, absentAfterMs };
	const { service } = restingService(limits, stopsAfter, earlyMs);
	let taken = 0;
	const look = async (how: Look) => looks[Math.min(taken++, looks.length - 1)](how);
	const seen = await lookUp(service, { look }, what);
	return { seen, taken, after: Math.round((Date.now() - START) / 1000) };
}

const refusal = (httpStatus: number) =>
	new ServiceFailure({ code: 'unexpectedAnswer' }, { httpStatus });
const refused = (httpStatus: number) => (): never => {
	throw refusal(httpStatus);
};
const nothing = () => undefined;
const missing = () => MISSING;
/** The verdict of a look that failed. */
const unknownBy = (httpStatus: number) => ({ state: 'unknown', failure: refusal(httpStatus) });

test('a timer that ends a moment early keeps nothing missing from counting as not done', async () => {
	expect((await looked([missing], lost(), { earlyMs: 1 })).seen).toEqual(MISSING);
});

test.each<[string, Play[], number]>([
	['at once', [() => FOUND], 1],
	['at the third look', [nothing, missing, () => FOUND], 3],
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
		4,
	],
])('what is found %s is done', async (_when, looks, taken) => {
	expect(await looked(looks, lost())).toMatchObject({ seen: FOUND, taken });
});

describe('what is not there', () => {
	test('counts at once after an answer', async () => {
		const seen = UNCHANGED;
		expect(await looked([() => seen], ANSWERED)).toEqual({ seen, taken: 1, after: 0 });
	});
	test('may still come after an answer, if the write was to make it', async () => {
		expect(await looked([missing], ANSWERED)).toMatchObject({ seen: UNCERTAIN, after: 60 });
		expect(await looked([missing, () => FOUND], ANSWERED)).toMatchObject({ seen: FOUND });
	});
	test('counts after a lost answer once two minutes have passed, in the same look-up', async () => {
		expect(await looked([missing], lost())).toMatchObject({ seen: MISSING, after: 120 });
		expect(await looked([missing], lost(50))).toMatchObject({ seen: MISSING, after: 70 });
	});
	test('counts at once where they have passed, as in a later try', async () => {
		expect(await looked([missing], lost(120))).toEqual({ seen: MISSING, taken: 1, after: 0 });
	});
	test('may be there in the last look', async () => {
		const late: Play = ({ isLate }) => (isLate ? FOUND : MISSING);
		expect(await looked([late], lost())).toMatchObject({ seen: FOUND, after: 120 });
	});
	test('does not count if the look began before the time', async () => {
		const slow: Play = () => {
			jest.setSystemTime(Date.now() + 600);
			return MISSING;
		};
		expect(await looked([slow], lost(119.5))).toMatchObject({ seen: MISSING, taken: 2 });
	});
	test('never counts where somebody waits for the answer, as in the call of a tool', async () => {
		const how = { absentAfterMs: Infinity };
		expect(await looked([missing], lost(), how)).toMatchObject({ seen: UNCERTAIN, after: 60 });
		expect(await looked([missing], lost(3_600), how)).toMatchObject({ seen: UNCERTAIN, after: 60 });
		expect((await looked([() => UNCHANGED], ANSWERED, how)).seen).toEqual(UNCHANGED);
	});
});

describe('what is not seen', () => {
	test.each<[string, LostWrite, number]>([
		['after an answer', ANSWERED, 60],
		['after a lost answer', lost(), 120],
		['long after a lost answer', lost(600), 0],
	])('stays unknown %s', async (_when, what, after) => {
		expect(await looked([nothing], what)).toMatchObject({ seen: UNCERTAIN, after });
	});
	test('stays unknown with the last failure, where the looks fail', async () => {
		expect(await looked([refused(500), refused(503)], lost())).toMatchObject({
			seen: unknownBy(503),
			after: 120,
		});
	});
});

describe('nothing is looked at again', () => {
	test.each<[string, Verdict<string>]>([
		['no later look could tell', UNCERTAIN],
		['something else has ended it', reportEnded(refusal(404))],
	])('when %s', async (_when, seen) => {
		expect(await looked([() => seen, () => FOUND], lost())).toEqual({ seen, taken: 1, after: 0 });
	});
	test.each([400, 401, 403, 404, 422, 499])(
		'when the service refuses it with %d: its words are kept',
		async (status) => {
			expect(await looked([refused(status), () => FOUND], lost())).toEqual({
				seen: unknownBy(status),
				taken: 1,
				after: 0,
			});
		},
	);
	test('where no call shows the work', async () => {
		const { service, rests } = restingService({ lookUpMs: 60_000 });
		expect([await lookUp(service, {}, lost()), rests]).toEqual([UNCERTAIN, []]);
	});
});

test.each<[string, LostWrite, Look[]]>([
	['a success', ANSWERED, [{ isAnswered: true, isLost: false, isLate: false }]],
	['an answer', { isAnswered: false }, [{ isAnswered: false, isLost: false, isLate: false }]],
	[
		'a lost answer',
		lost(119.5),
		[
			{ isAnswered: false, isLost: true, isLate: false },
			{ isAnswered: false, isLost: true, isLate: true },
		],
	],
])('a look after %s is told so, and whether it is late', async (_what, what, expected) => {
	const told: Look[] = [];
	const note: Play = (how) => {
		told.push(how);
		return UNCHANGED;
	};
	await looked([note], what);
	expect(told).toEqual(expected);
});

test('a canceled execution ends the wait; what was lost is unknown', async () => {
	const stopsAfter = 2;
	expect(await thrownBy(looked([nothing], ANSWERED, { stopsAfter }))).toMatchObject({
		message: 'Canceled',
	});
	expect(await looked([nothing], lost(), { stopsAfter })).toMatchObject({
		seen: UNCERTAIN,
		taken: 2,
	});
	expect((await looked([nothing, () => FOUND], lost(), { stopsAfter })).seen).toEqual(FOUND);
});

import {
	reportDone,
	reportEnded,
	reportNotDone,
	UNCERTAIN,
	type Look,
	type Verdict,
} from '../../../../nodes/SignAndClose/run/goals.ts';
import { write } from '../../../../nodes/SignAndClose/run/write/write.ts';
import { ServiceFailure } from '../../../../nodes/SignAndClose/transport/failure/failure.ts';
import { holdClock, restingService } from './restingService.mts';

/** When a write is sent again, and when it counts as done: by its answer, and by what is looked up. */

const START = Date.UTC(2026, 10, 23, 6);
const FOUND = reportDone('ot_1');
const STILL_THERE = reportNotDone({ still: 'there' });

holdClock(START);

const lost = new ServiceFailure({ code: 'unexpectedAnswer' }, { unknownOutcome: true });
const refused = new ServiceFailure({ code: 'unexpectedAnswer' }, { httpStatus: 409 });

/** What a request, or a look, comes to: an answer, or a failure. */
type Play<T> = T | Error;
const play = <T,>(plays: Array<Play<T>>, turn: number): T => {
	const now = plays[Math.min(turn, plays.length) - 1];
	if (now instanceof Error) throw now;
	return now;
};

/**
 * Writes what is done once its answer says "ok".
 * @param sends what each request comes to
 * @param looks what each look sees; the last one for ever
 * @returns what came of it, what happened in order and after how many seconds it ended
 */
async function written(
	sends: Array<Play<unknown>>,
	looks: Array<Play<Verdict<string> | undefined>>,
	repeats?: true,
) {
	jest.setSystemTime(START);
	const log: string[] = [];
	const told: Look[] = [];
	const limits = { lookUpMs: 60_000, lookUpPauseMs: 1_000, absentAfterMs: 120_000 };
	const outcome = await write(
		restingService(limits).service,
		async () => {
			log.push('send');
			return play(sends, timesOf('send', log));
		},
		{
			fromAnswer: (answer) => (answer === 'ok' ? reportDone('answered') : UNCERTAIN),
			async look(how) {
				told.push(how);
				log.push('look');
				return play(looks, timesOf('look', log));
			},
			toCheck: 'Check it',
		},
		repeats,
	).catch((thrown: unknown) => thrown as ServiceFailure);
	return { outcome, log, told, after: Math.round((Date.now() - START) / 1000) };
}
const timesOf = (what: string, log: string[]) => log.filter((entry) => entry === what).length;

describe('a write', () => {
	test('that its answer shows as done is not looked up', async () => {
		expect(await written(['ok'], [])).toMatchObject({ outcome: 'answered', log: ['send'] });
	});
	test('that is refused is not looked up', async () => {
		expect(await written([refused], [FOUND])).toMatchObject({ outcome: refused, log: ['send'] });
	});
	test('whose answer shows nothing is judged by the first look that shows something', async () => {
		const { outcome, told } = await written([{}], [undefined, FOUND]);
		expect(outcome).toBe('ot_1');
		expect(told).toEqual(Array(2).fill({ isAnswered: true, isLost: false, isLate: false }));
		expect(await written([{}], [STILL_THERE])).toMatchObject({
			outcome: { reason: { code: 'notDone', explanation: { still: 'there' } }, flags: {} },
			after: 0,
		});
	});
	test('whose answer names an error is no success', async () => {
		const { told } = await written([{ errors: ['Not now'] }], [STILL_THERE]);
		expect(told).toEqual([{ isAnswered: false, isLost: false, isLate: false }]);
	});
	test('that has no answer is sent once, and found while it is looked up', async () => {
		expect(await written([lost], [STILL_THERE, STILL_THERE, FOUND])).toMatchObject({
			outcome: 'ot_1',
			log: ['send', 'look', 'look', 'look'],
		});
	});
	test('that has no answer is not done only once two minutes have passed', async () => {
		const { outcome, log, after } = await written([lost], [STILL_THERE]);
		expect(outcome).toMatchObject({
			reason: { code: 'notDone', explanation: { still: 'there' }, lostAnswer: expect.any(Error) },
			flags: { lostAt: START },
		});
		expect((outcome as ServiceFailure).flags.unknownOutcome).toBeUndefined();
		expect([after, timesOf('send', log)]).toEqual([120, 1]);
	});
	test.each<[string, unknown, object]>([
		['its lost answer', lost, { code: 'unexpectedAnswer' }],
		['what its answer lacks', {}, { code: 'notShown' }],
	])('that no look shows is unknown, with %s', async (_what, answer, reason) => {
		expect((await written([answer], [UNCERTAIN])).outcome).toMatchObject({
			reason,
			flags: { unknownOutcome: true, lookedUp: true },
		});
	});
	test('that was answered, and no look can be taken of, is unknown with their failure', async () => {
		expect((await written([{}], [refused])).outcome).toMatchObject({
			flags: { httpStatus: 409, unknownOutcome: true, lookedUp: true },
		});
	});
	test('to what something else has ended fails by that', async () => {
		expect((await written([lost], [reportEnded(refused)])).outcome).toBe(refused);
	});
});

describe('a write that may be done twice, and has no answer', () => {
	const lostAgain = (
		sends: Array<Play<unknown>>,
		looks: Array<Play<Verdict<string> | undefined>>,
	) => written([lost, ...sends], looks, true);
	test('is sent again at once where the service shows that it is not done', async () => {
		expect(await lostAgain(['ok'], [STILL_THERE])).toMatchObject({
			outcome: 'answered',
			log: ['send', 'look', 'send'],
			after: 0,
		});
	});
	test('is sent again where the service shows nothing', async () => {
		expect(await lostAgain(['ok'], [undefined])).toMatchObject({ log: ['send', 'look', 'send'] });
	});
	test('is not sent again where it shows that it is done', async () => {
		expect(await lostAgain([], [FOUND])).toMatchObject({ outcome: 'ot_1', log: ['send', 'look'] });
	});
	test('is not sent again where the service can not be asked', async () => {
		expect(await lostAgain([], [refused, FOUND])).toMatchObject({
			outcome: 'ot_1',
			log: ['send', 'look', 'look'],
		});
	});
	test.each<[string, Play<unknown>]>([
		['refused', refused],
		['lost', lost],
		['answered with nothing', undefined],
	])('counts by what the service shows where the second is %s', async (_what, second) => {
		const { outcome, log } = await lostAgain([second], [STILL_THERE, undefined, FOUND]);
		expect([outcome, log]).toEqual(['ot_1', ['send', 'look', 'send', 'look', 'look']]);
		const missed = await lostAgain([second], [STILL_THERE]);
		expect(missed.outcome).toMatchObject({ reason: { code: 'notDone' } });
		expect([missed.after, timesOf('send', missed.log)]).toEqual([120, 2]);
	});
});

import { poll, type Polling } from '../../../../nodes/SignAndClose/run/write/poll.ts';
import { thrownBy } from '../../../support/live/client.mts';
import { holdClock, restingService } from './restingService.mts';

/** How often the service is asked until it shows something. */

const START = Date.UTC(2026, 10, 23, 6);

holdClock(START);

/**
 * Polls until the look of this number, from 1 on, sees something.
 * @returns what was seen, the seconds of each rest, and the second of each look
 */
async function polled(
	seenAt: number,
	seconds: number,
	how: Partial<Polling> = {},
	{
		lookMs = 0,
		stopsAfter,
		earlyMs,
	}: { lookMs?: number; stopsAfter?: number; earlyMs?: number } = {},
) {
	jest.setSystemTime(START);
	const { service, rests } = restingService({ lookUpPauseMs: 1_000 }, stopsAfter, earlyMs);
	const looks: number[] = [];
	const look = async () => {
		looks.push(Math.round((Date.now() - START) / 10) / 100);
		jest.setSystemTime(Date.now() + lookMs);
		return looks.length === seenAt ? 'seen' : undefined;
	};
	const seen = await poll(service, look, { end: START + seconds * 1000, ...how });
	return { seen, rests, looks };
}
const NEVER = Infinity;

test('what is seen ends it', async () => {
	expect(await polled(1, 60)).toEqual({ seen: 'seen', rests: [], looks: [0] });
	expect(await polled(3, 60)).toEqual({ seen: 'seen', rests: [1, 1.7], looks: [0, 1, 2.7] });
});

test('pauses grow up to fifteen first ones, and the last look comes at the end', async () => {
	const { seen, rests, looks } = await polled(NEVER, 120);
	expect(seen).toBeUndefined();
	expect(rests).toEqual([1, 1.7, 2.89, 4.91, 8.35, 14.2, 15, 15, 15, 15, 15, 11.95]);
	expect(looks.at(-1)).toBe(120);
});

test('a timer that ends a moment early makes no further look', async () => {
	expect((await polled(NEVER, 2, {}, { earlyMs: 1 })).looks).toEqual([0, 1, 2]);
});

test('a look that began before the end is not the last one, however long it takes', async () => {
	expect((await polled(NEVER, 0.5, {}, { lookMs: 600 })).looks).toEqual([0, 0.6]);
});

test('one look is always taken, also after the end', async () => {
	expect(await polled(1, -60)).toEqual({ seen: 'seen', rests: [], looks: [0] });
	expect((await polled(NEVER, -60)).looks).toEqual([0]);
});

test('the first pause may be another one, and may come before the first look', async () => {
	expect((await polled(3, 60, { pauseMs: 10_000 })).rests).toEqual([10, 15]);
	expect(await polled(2, 60, { isEarly: true })).toEqual({
		seen: 'seen',
		rests: [1, 1.7],
		looks: [1, 2.7],
	});
	expect((await polled(1, 0, { isEarly: true })).rests).toEqual([]);
});

test('a canceled execution ends it, unless something is seen before', async () => {
	const stopsAfter = 2;
	expect(await thrownBy(polled(NEVER, 60, {}, { stopsAfter }))).toMatchObject({
		message: 'Canceled',
	});
	expect((await polled(2, 60, {}, { stopsAfter })).seen).toBe('seen');
});

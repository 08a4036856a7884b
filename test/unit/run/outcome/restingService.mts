import type { ServiceClient } from '../../../../nodes/SignAndClose/transport/client.ts';
import type { Limits } from '../../../../nodes/SignAndClose/transport/service/limits.ts';

/**
 * A client whose rests take no time but the clock's, which the test holds.
 * @param stopsAfter the rest, from 1 on, at which the execution is canceled
 * @param earlyMs how much too early each rest ends, as a timer's may
 * @returns the client, and the seconds of each rest, to a hundredth
 */
export function restingService(limits: Partial<Limits>, stopsAfter = Infinity, earlyMs = 0) {
	const rests: number[] = [];
	const service = {
		limits,
		redact: (text: string) => text,
		async rest(ms: number) {
			if (rests.length + 1 >= stopsAfter) throw new Error('Canceled');
			rests.push(Math.round(ms / 10) / 100);
			// A rest that is over already takes no time.
			jest.setSystemTime(Date.now() + Math.max(ms - earlyMs, 0));
		},
	} as unknown as ServiceClient;
	return { service, rests };
}

/** Holds the clock of each test of a file. */
export function holdClock(now: number): void {
	beforeEach(() => void jest.useFakeTimers({ now }));
	afterEach(() => void jest.useRealTimers());
}

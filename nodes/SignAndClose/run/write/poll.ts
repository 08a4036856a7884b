import type { ServiceClient } from '../../transport/client';

/** The longest pause, in first pauses of a look-up, and by what each grows. */
const LONGEST_PAUSE = 15;
const GROWTH = 1.7;

/** How long to look, and how often. */
export interface Polling {
	/** The time, in milliseconds since 1970, at which the last look begins. */
	end: number;
	/** The first pause, in milliseconds; by default that of the limits. */
	pauseMs?: number;
	/** Whether to pause before the first look, which would come too early. */
	isEarly?: boolean;
}

/**
 * Looks again and again, in growing pauses, until there's something to see. Meanwhile, another item
 * may take the place. Nothing else in the package does this.
 * @param look gets whether it's the last one, which a timer may let come a moment before the end
 * @returns undefined when the time is over
 * @throws what a look throws; the reason of the signal when the execution is stopped
 */
export async function poll<T>(
	service: ServiceClient,
	look: (isLast: boolean) => Promise<T | undefined>,
	{ end, pauseMs = service.limits.lookUpPauseMs, isEarly = false }: Polling,
): Promise<T | undefined> {
	let pause = pauseMs;
	let isLast = false;
	const rest = async () => {
		// A timer may end a moment early: the pause that was to reach the end decides, not the clock.
		const left = end - Date.now();
		isLast = pause >= left;
		await service.rest(Math.max(0, Math.min(pause, left)));
		pause = Math.min(pause * GROWTH, service.limits.lookUpPauseMs * LONGEST_PAUSE);
	};
	if (isEarly && Date.now() < end) await rest();
	for (;;) {
		isLast ||= Date.now() >= end;
		const seen = await look(isLast);
		if (seen !== undefined || isLast) return seen;
		await rest();
	}
}

import { setImmediate as pollOnce, setTimeout as pause } from 'node:timers/promises';

/**
 * Waits in rounds of the event loop. Node, service and tests share one process, and a busy machine
 * may give it a fraction of the time: by the wall clock, a run that goes well then takes as long as
 * one that hangs. A round is a short pause and a turn of the event loop, in which all that was ready
 * has gone on. Beside a load, rounds take longer, for the run as for who watches it, but it takes no
 * more of them.
 */

/** The least that a round takes. */
export const ROUND_MS = 10;

/** What is noted while rounds pass. */
interface Watched {
	/** Milliseconds of the longest round by the wall clock: for so long at most, nothing went on. */
	longestRoundMs: number;
}

/**
 * Lets rounds pass.
 * @param most how many
 * @param isOver ends it before
 */
export async function passRounds(
	most: number,
	isOver: () => boolean,
	watched: Watched = { longestRoundMs: 0 },
): Promise<void> {
	for (let round = 0; round < most && !isOver(); round++) {
		const began = performance.now();
		await pause(ROUND_MS);
		// After the timers and before this, the event loop has looked at all sockets and files.
		await pollOnce();
		watched.longestRoundMs = Math.max(watched.longestRoundMs, performance.now() - began);
	}
}

interface Waited<T> extends Watched {
	/** Undefined if the work has not ended. */
	result: T | undefined;
}

/** Waits for work, but no more rounds than these. */
export async function waitFor<T>(work: Promise<T>, most: number): Promise<Waited<T>> {
	const watched: Watched = { longestRoundMs: 0 };
	let isOver = false;
	const late = passRounds(most, () => isOver, watched).then(() => undefined);
	try {
		const result = await Promise.race([work, late]);
		return { result, ...watched };
	} finally {
		isOver = true;
	}
}

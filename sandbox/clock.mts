/**
 * The sandbox's own time: it can run faster and be moved ahead, so that five-minute splits, link lifetimes and webhook retries over two days
 * can be seen in a moment. Everything that happens later is a timer of this clock.
 */
export interface Clock {
	/** Milliseconds since 1970. */
	now(): number;
	/** The time as the service writes it, ISO 8601 UTC with microseconds (interface.md §2). */
	stamp(): string;
	/** Calls `work` when `ms` of the sandbox's time have passed. */
	later(ms: number, work: () => void): void;
	/** Moves the time ahead and does what becomes due, in order. */
	advance(ms: number): void;
	stop(): void;
}

const TICK_MS = 20;

export function createClock(speed = 1, start = Date.now()): Clock {
	const realStart = Date.now();
	let moved = 0;
	let timers: Array<{ due: number; work: () => void }> = [];
	const now = () => start + moved + (Date.now() - realStart) * speed;
	const runDue = () => {
		for (;;) {
			const next = timers.filter(({ due }) => due <= now()).sort((a, b) => a.due - b.due)[0];
			if (next === undefined) return;
			timers = timers.filter((timer) => timer !== next);
			next.work();
		}
	};
	const ticking = setInterval(runDue, TICK_MS);
	ticking.unref();
	return {
		now,
		stamp: () => new Date(now()).toISOString().replace('Z', '000Z'),
		later: (ms, work) => void timers.push({ due: now() + ms, work }),
		advance(ms) {
			moved += ms;
			runDue();
		},
		stop() {
			clearInterval(ticking);
			timers = [];
		},
	};
}

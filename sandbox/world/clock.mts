/**
 * The sandbox's own time. It can run faster and be moved ahead, so that five-minute splits, link
 * lifetimes and two days of webhook retries pass in a moment. Everything that the sandbox does
 * later is a timer of this clock.
 */

export interface Clock {
	/** Milliseconds since 1970. */
	now(): number;
	/**
	 * A time, by default the current one, as the service writes it: ISO 8601 in UTC with microseconds
	 * (docs/service/transactions.md#times).
	 */
	stamp(time?: number): string;
	/** Calls `work` when `ms` of the sandbox's time have passed. */
	later(ms: number, work: () => unknown): void;
	/**
	 * Moves the time ahead, from timer to timer, so that work which a timer starts (a retry of a
	 * delivery) can set timers in turn. Resolves when everything that was due is done.
	 */
	advance(ms: number): Promise<void>;
	/** How fast time passes: 1 is real time. */
	readonly speed: number;
	setSpeed(speed: number): void;
	/** Makes `settled` and `advance` wait for this work. */
	track<T>(work: Promise<T>): Promise<T>;
	/** Resolves when no tracked work is under way, or after `maxMs`. */
	settled(maxMs?: number): Promise<void>;
	stop(): void;
}

const TICK_MS = 20;
/** A webhook endpoint that never answers must not block the clock for longer. */
const SETTLE_MS = 5_000;

interface Timer {
	due: number;
	work: () => unknown;
}

/** A clock that starts at `start` and runs `speed` times as fast as the machine's. */
export function createClock(speed = 1, start = Date.now()): Clock {
	let pace = speed;
	let base = start;
	let realBase = Date.now();
	let timers: Timer[] = [];
	const pending = new Set<Promise<unknown>>();
	const now = () => base + (Date.now() - realBase) * pace;
	const moveTo = (time: number) => {
		base = Math.max(time, now());
		realBase = Date.now();
	};
	const track = <T,>(work: Promise<T>): Promise<T> => {
		const done = work.then(
			() => undefined,
			() => undefined,
		);
		pending.add(done);
		void done.then(() => pending.delete(done));
		return work;
	};
	const takeDue = (until: number): Timer | undefined => {
		const next = timers.filter(({ due }) => due <= until).sort((a, b) => a.due - b.due)[0];
		if (next !== undefined) timers = timers.filter((timer) => timer !== next);
		return next;
	};
	const run = ({ work }: Timer) => {
		const result = work();
		if (result instanceof Promise) void track(result).catch(() => undefined);
	};
	const settled = async (maxMs = SETTLE_MS): Promise<void> => {
		const end = Date.now() + maxMs;
		while (pending.size > 0 && Date.now() < end) {
			let timeout: NodeJS.Timeout | undefined;
			await Promise.race([
				Promise.all(pending),
				new Promise((resolve) => (timeout = setTimeout(resolve, end - Date.now()))),
			]);
			clearTimeout(timeout);
		}
	};
	const ticking = setInterval(() => {
		for (let next = takeDue(now()); next !== undefined; next = takeDue(now())) run(next);
	}, TICK_MS);
	ticking.unref();
	return {
		now,
		stamp: (time = now()) => new Date(time).toISOString().replace('Z', '000Z'),
		later: (ms, work) => void timers.push({ due: now() + ms, work }),
		async advance(ms) {
			const target = now() + ms;
			for (;;) {
				const next = takeDue(target);
				if (next !== undefined) {
					moveTo(next.due);
					run(next);
				}
				if (pending.size > 0) await settled();
				else if (next === undefined) break;
				if (next === undefined && pending.size > 0) break;
			}
			moveTo(target);
		},
		get speed() {
			return pace;
		},
		setSpeed(value) {
			moveTo(now());
			pace = value;
		},
		track,
		settled,
		stop() {
			clearInterval(ticking);
			timers = [];
		},
	};
}

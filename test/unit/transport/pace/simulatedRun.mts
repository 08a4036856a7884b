import type { AnswerTime } from '../../../../bench/answerTimes.mts';
import type { Verdict } from '../../../../bench/limiters.mts';
import { seededRandom } from '../../../../bench/seededRandom.mts';
import type { PaceRules } from '../../../../nodes/SignAndClose/transport/service/limits.ts';
import { toRequestEnd } from '../../../../nodes/SignAndClose/transport/pace/turns.ts';
import { Pace, type StartedRequest } from '../../../../nodes/SignAndClose/transport/pace/pace.ts';
import { decideRetry } from '../../../../nodes/SignAndClose/transport/http/retry.ts';

/**
 * A run of the node in simulated time: many items with one request each, as run/runItems.ts
 * starts them and transport/pace/turns.ts lets them wait. Minutes take milliseconds, and the
 * same seed gives the same run.
 */
export interface SimulatedRun {
	items: number;
	/** Items come one after the other, so far apart in milliseconds, as from many workflows. */
	everyMs?: number;
	/** Decides about a request by the time of its arrival and the requests that are open with it. */
	service?: (now: number, open: number) => Verdict;
	answerMs: AnswerTime;
	/** The status of refusals. */
	status?: 429 | 503;
	rules: PaceRules;
	/** As many at once as this, and no pace. */
	fixed?: number;
	seed?: number;
}

export interface SimulatedOutcome {
	seconds: number;
	refused: number;
	/** Items that were given up, as transport/http/retry.ts has it. */
	failed: number;
	/** When requests were sent, in milliseconds. */
	sentAt: number[];
}

/** Timers are late by up to so many milliseconds, and the way to the service varies by them. */
const LATE_MS = 4;
const LONGEST_TIMER_MS = 1_000;
/** What a request takes of the one thread of n8n, before it's sent and after its answer. */
const WORK_MS = { before: 1.2, after: 0.8 };
const MOST_EVENTS = 1_000_000;

interface Item {
	index: number;
	refused: number;
}

/** Runs until every item is done. */
export function simulateRun({
	items,
	everyMs,
	service = () => ({ accepted: true, headers: {} }),
	answerMs,
	status = 429,
	rules,
	fixed,
	seed = 1,
}: SimulatedRun): SimulatedOutcome {
	const random = seededRandom(seed);
	const pace = new Pace(rules);
	const events = new Map<number, Array<() => void>>();
	let now = 1_000_000 + Math.floor(random() * 1000);
	let busyUntil = now;
	const began = now;
	const outcome = { refused: 0, failed: 0, sentAt: [] as number[] };
	const waiting: Item[] = [];
	let [next, running, open, done, timerAt] = [0, 0, 0, 0, Infinity];
	const at = (time: number, happen: () => void) => {
		const due = Math.max(now, Math.ceil(time * 10) / 10);
		events.set(due, [...(events.get(due) ?? []), happen]);
	};
	const work = (ms: number, happen: () => void) => {
		busyUntil = Math.max(busyUntil, now) + ms;
		at(busyUntil, happen);
	};
	const startOne = (): StartedRequest | number =>
		fixed === undefined
			? pace.start(now)
			: open < fixed
				? { at: now, full: false, spread: false }
				: Infinity;
	const over = () => {
		done++;
		running--;
		begin();
	};
	const ended = (started: StartedRequest, item: Item, { accepted, headers }: Verdict) => {
		open--;
		const answer = { status: accepted ? 200 : status, headers, body: undefined };
		if (fixed === undefined) pace.noteEnd(started, toRequestEnd(answer), now);
		if (accepted) return over();
		outcome.refused++;
		if (status === 429) {
			waiting.unshift(item);
			return serve();
		}
		const hint = toRequestEnd(answer).pauseMs;
		const waitMs = decideRetry('GET', ++item.refused, { status, retryAfterMs: hint }, random());
		if (waitMs === undefined) {
			outcome.failed++;
			return over();
		}
		at(now + waitMs, () => {
			waiting.push(item);
			serve();
		});
	};
	const send = (started: StartedRequest, item: Item) => {
		outcome.sentAt.push(now - began);
		open++;
		work(WORK_MS.before, () => {
			const way = random() * LATE_MS;
			at(now + way, () => {
				const verdict = service(now, open);
				at(now + Math.max(0, answerMs(item.index, open) - way), () =>
					work(WORK_MS.after, () => ended(started, item, verdict)),
				);
			});
		});
	};
	const serve = () => {
		while (waiting.length > 0) {
			const started = startOne();
			if (typeof started !== 'number') {
				send(started, waiting.shift()!);
				continue;
			}
			const due = now + Math.min(LONGEST_TIMER_MS, started);
			if (due >= timerAt || started === Infinity) return;
			timerAt = due;
			at(due + random() * LATE_MS, () => {
				if (timerAt === due) timerAt = Infinity;
				serve();
			});
			return;
		}
	};
	const begin = () => {
		const come = everyMs === undefined ? items : Math.floor((now - began) / everyMs) + 1;
		const most = everyMs === undefined ? (fixed ?? pace.atOnce) : Infinity;
		while (running < most && next < Math.min(items, come)) {
			waiting.push({ index: next++, refused: 0 });
			running++;
		}
		serve();
	};
	const arrive = (item: number, gapMs: number) =>
		at(began + item * gapMs, () => {
			begin();
			if (item + 1 < items) arrive(item + 1, gapMs);
		});
	begin();
	if (everyMs !== undefined) arrive(1, everyMs);
	for (let count = 0; done < items; count++) {
		if (events.size === 0 || count > MOST_EVENTS) throw new Error('The run never ends');
		const due = Math.min(...events.keys());
		const happen = events.get(due)!;
		events.delete(due);
		now = due;
		for (const event of happen) event();
	}
	return { seconds: (now - began) / 1000, ...outcome };
}

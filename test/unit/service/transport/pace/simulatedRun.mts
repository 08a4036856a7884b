import type { Verdict } from '../../../../../bench/limiters.mts';
import { seededRandom } from '../../../../../bench/seededRandom.mts';
import type { PaceRules } from '../../../../../nodes/SignAndClose/service/limits.ts';
import { readHints } from '../../../../../nodes/SignAndClose/service/transport/pace/hints.ts';
import { Pace } from '../../../../../nodes/SignAndClose/service/transport/pace/pace.ts';
import { decideRetry } from '../../../../../nodes/SignAndClose/service/transport/retry.ts';

/**
 * A run of the node in simulated time: many items with one request each, as core/run/runItems.ts starts
 * them and service/transport/pace/turns.ts lets them wait, at a service that answers after some
 * time. Minutes take milliseconds, and the same seed gives the same run.
 */
export interface SimulatedRun {
	items: number;
	/** Items come one after the other, so far apart in milliseconds, as from many workflows. */
	everyMs?: number;
	/** Whether a request is never answered. It's given up after 45 seconds, and sent again. */
	stalls?: () => boolean;
	/** Decides about a request by the time of its arrival and the requests that are open with it. */
	service: (now: number, open: number) => Verdict;
	/** How long an answer takes, in milliseconds, by the requests that are open with it. */
	answerMs: number | ((open: number) => number);
	/** By how many milliseconds the way to the service varies. */
	variesMs?: number;
	/** The status of refusals. */
	status?: 429 | 503;
	rules: PaceRules;
	seed?: number;
}

export interface SimulatedOutcome {
	seconds: number;
	refused: number;
	/** Items that were given up, as service/transport/retry.ts has it. */
	failed: number;
	/** The most requests that were open at once. */
	most: number;
	/** How many may be open at once at the end. */
	atOnce: number;
	/** When requests were sent, in milliseconds. */
	sentAt: number[];
}

/** Timers are late by up to so many milliseconds, and so is the way to the service. */
const LATE_MS = 1.5;
const LONGEST_TIMER_MS = 1_000;
const GIVEN_UP_MS = 45_000;
const MOST_EVENTS = 1_000_000;

/** Runs until every item is done. */
export function simulateRun({
	items,
	everyMs,
	stalls = () => false,
	service,
	answerMs,
	variesMs = LATE_MS,
	status = 429,
	rules,
	seed = 1,
}: SimulatedRun): SimulatedOutcome {
	const random = seededRandom(seed);
	const pace = new Pace(rules);
	const events: Array<{ at: number; happen: () => void }> = [];
	let now = 1_000_000 + random() * 1000;
	const began = now;
	const sentAt: number[] = [];
	/** How often each of those who wait was refused with 503 before. */
	const waiting: number[] = [];
	let [next, running, open, done, refused, failed, most] = [0, 0, 0, 0, 0, 0, 0];
	let timerAt = Infinity;
	const later = (ms: number, happen: () => void) => void events.push({ at: now + ms, happen });
	const serve = () => {
		while (waiting.length > 0) {
			const started = pace.start(now, waiting[0]);
			if (started === 'untilOthersEnd') return;
			if ('forMs' in started) {
				const at = now + Math.min(LONGEST_TIMER_MS, started.forMs);
				if (at < timerAt) {
					timerAt = at;
					later(at - now + random() * LATE_MS, () => {
						if (timerAt === at) timerAt = Infinity;
						serve();
					});
				}
				return;
			}
			const refusedBefore = waiting.shift() ?? 0;
			sentAt.push(now - began);
			const over = () => {
				done++;
				running--;
				start();
			};
			const end = (verdict: Verdict) => {
				open--;
				const hints = readHints((name) => verdict.headers[name], now);
				if (verdict.accepted) {
					pace.ended(started, { outcome: 'answered', kind: 'read', ...hints }, now, random());
					over();
					return;
				}
				refused++;
				const pauseMs = hints.retryAfterMs ?? hints.usedUpForMs;
				pace.ended(started, { outcome: 'refused', mild: status === 503, pauseMs }, now, random());
				if (status === 429) {
					waiting.unshift(refusedBefore);
					serve();
					return;
				}
				const retry = decideRetry(
					'GET',
					refusedBefore + 1,
					{ kind: 'answer', status, retryAfterMs: hints.retryAfterMs },
					random(),
				);
				if (!retry.again) {
					failed++;
					over();
					return;
				}
				later(retry.waitMs, () => {
					if (refusedBefore > 0) waiting.unshift(refusedBefore + 1);
					else waiting.push(1);
					serve();
				});
			};
			if (stalls()) {
				later(GIVEN_UP_MS, () => {
					pace.ended(started, { outcome: 'overloaded' }, now, random());
					waiting.push(refusedBefore);
					serve();
				});
				continue;
			}
			const way = typeof answerMs === 'number' ? answerMs / 2 : 1;
			later(way + random() * variesMs, () => {
				most = Math.max(most, ++open);
				const verdict = service(now, open);
				const takes = typeof answerMs === 'number' ? answerMs : answerMs(open);
				later(takes - way + random() * LATE_MS, () => end(verdict));
			});
		}
	};
	const start = () => {
		const come = everyMs === undefined ? items : Math.floor((now - began) / everyMs) + 1;
		while ((everyMs !== undefined || running < pace.atOnce) && next < Math.min(items, come)) {
			next++;
			running++;
			waiting.push(0);
		}
		serve();
	};
	start();
	for (let item = 1; everyMs !== undefined && item < items; item++) later(item * everyMs, start);
	for (let count = 0; done < items; count++) {
		if (events.length === 0 || count > MOST_EVENTS) throw new Error('The run never ends');
		const [event] = events.splice(
			events.reduce((best, { at }, index) => (at < events[best].at ? index : best), 0),
			1,
		);
		now = Math.max(now, event.at);
		event.happen();
	}
	return { seconds: (now - began) / 1000, refused, failed, most, atOnce: pace.atOnce, sentAt };
}

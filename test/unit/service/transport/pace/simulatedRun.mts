import type { Verdict } from '../../../../../bench/limiters.mts';
import { seededRandom } from '../../../../../bench/seededRandom.mts';
import type { PaceRules } from '../../../../../nodes/SignAndClose/service/limits.ts';
import { readHints } from '../../../../../nodes/SignAndClose/service/transport/pace/hints.ts';
import { Pace } from '../../../../../nodes/SignAndClose/service/transport/pace/pace.ts';

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
	/** The status of refusals. */
	status?: 429 | 503;
	rules: PaceRules;
	seed?: number;
}

export interface SimulatedOutcome {
	seconds: number;
	refused: number;
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
	let [next, running, waiting, open, done, refused, most, timerAt] = [
		0,
		0,
		0,
		0,
		0,
		0,
		0,
		Infinity,
	];
	const later = (ms: number, happen: () => void) => void events.push({ at: now + ms, happen });
	const serve = () => {
		while (waiting > 0) {
			const started = pace.start(now);
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
			waiting--;
			sentAt.push(now - began);
			const end = (verdict: Verdict) => {
				open--;
				const hints = readHints((name) => verdict.headers[name], now);
				if (verdict.accepted) {
					pace.ended(started, { outcome: 'answered', kind: 'read', ...hints }, now, random());
					done++;
					running--;
					start();
					return;
				}
				refused++;
				const pauseMs = hints.retryAfterMs ?? hints.usedUpForMs;
				pace.ended(started, { outcome: 'refused', mild: status === 503, pauseMs }, now, random());
				const again = () => {
					waiting++;
					serve();
				};
				if (status === 503) later(250 + 250 * random(), again);
				else again();
			};
			if (stalls()) {
				later(GIVEN_UP_MS, () => {
					pace.ended(started, { outcome: 'overloaded' }, now, random());
					waiting++;
					serve();
				});
				continue;
			}
			const way = typeof answerMs === 'number' ? answerMs / 2 : 1;
			later(way + random() * LATE_MS, () => {
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
			waiting++;
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
	return { seconds: (now - began) / 1000, refused, most, atOnce: pace.atOnce, sentAt };
}

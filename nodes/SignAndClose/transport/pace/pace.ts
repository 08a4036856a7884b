import type { PaceRules } from '../service/limits';
import { ConcurrencyLimit } from './concurrency';

/* When the next request may be sent (docs/pace.md). Pure: times are milliseconds since 1970. */

/** A longer time between two requests is none in which many are asked for. */
const LONGEST_GAP_MS = 2_000;

/** A request that was allowed. It has to end by Pace.ended(). */
export interface StartedRequest {
	readonly at: number;
	/** With it, as many requests were open as allowed. */
	readonly full: boolean;
	/** It waited for its place, at a distance to the one before. */
	readonly spread: boolean;
}

/**
 * What became of a request. `answered`: the service did its work, or refused for a reason of the
 * request's own. `refused`: it takes no more at present, for as long as it says. `overloaded`: it, or
 * what is before it, is silent or says so. `unknown`: e.g. the network failed.
 */
export interface RequestEnd {
	readonly outcome: 'answered' | 'refused' | 'overloaded' | 'unknown';
	readonly pauseMs?: number;
}

/** The pace of one account at one service. */
export class Pace {
	/** Milliseconds of pauses that are over. */
	pausedMs = 0;

	private readonly limit: ConcurrencyLimit;

	private readonly rate = new Rate();

	private readonly open = new Set<StartedRequest>();

	private lastStart = -Infinity;

	/** When the next request may be sent at the present rate, and whether one waits for that. */
	private nextPlace = -Infinity;
	private waitsForPlace = false;

	/** From the first refusal to the next accepted request. `showsLimit` if it's of more than one request. */
	private pause: { from: number; until: number; showsLimit: boolean } | undefined;

	/** Since when nothing that was sent is known to be accepted. */
	private refusedSince: number | undefined;

	/** The one request that goes first after a pause. */
	private probe: StartedRequest | undefined;

	/** Whether the latest request that ended got a no. */
	private wasNo = false;

	private lastLess = -Infinity;

	constructor(private readonly rules: PaceRules) {
		this.limit = new ConcurrencyLimit(rules.firstAtOnce, rules.mostAtOnce);
	}

	/** How many requests may be open at once. */
	get atOnce(): number {
		return this.limit.value;
	}

	/** The time at which the last pause ends. */
	get pausedUntil(): number {
		return this.pause?.until ?? -Infinity;
	}

	/** Whether the service refuses everything for longer than a request waits. */
	isHopeless(now: number): boolean {
		const { refusedSince = now, pausedUntil } = this;
		return pausedUntil > now && pausedUntil - refusedSince > this.rules.longestWaitMs;
	}

	/** Whether nothing was sent for so long that what was learned isn't kept. */
	isIdle(now: number): boolean {
		const last = Math.max(this.lastStart, this.pausedUntil);
		return this.open.size === 0 && now - last >= this.rules.idleMs;
	}

	/** Allows a request now, or says for how many milliseconds it's kept: Infinity until others end. */
	start(now: number): StartedRequest | number {
		const { hangMs, mostAtOnce, probeMs, hopelessProbeMs } = this.rules;
		if (this.pause !== undefined) {
			// A wrong or outdated hint does no lasting harm.
			const tries = this.isHopeless(now) && now - this.lastStart >= hopelessProbeMs;
			if (now < this.pause.until && !tries) return this.pause.until - now;
			if (this.probe === undefined) return (this.probe = this.begin(now));
			const waitMs = this.probe.at + probeMs - now;
			if (waitMs > 0) return waitMs;
			// Refusals come fast, so a request that takes so long is hardly refused. If it is, `refusedSince`
			// knows nothing of that guess.
			this.resume(this.probe.at);
		}
		// Who hangs keeps nobody waiting.
		const openCount = [...this.open].filter(({ at }) => now - at < hangMs).length;
		if (openCount >= this.atOnce || this.open.size >= mostAtOnce) return Infinity;
		this.waitsForPlace ||= now < this.nextPlace;
		return now < this.nextPlace ? this.nextPlace - now : this.begin(now);
	}

	/** Notes what became of a request. */
	noteEnd(started: StartedRequest, { outcome, pauseMs }: RequestEnd, now: number): void {
		const wasProbe = this.probe === started;
		if (wasProbe) this.probe = undefined;
		this.open.delete(started);
		if (outcome === 'answered') {
			this.wasNo = false;
			if (started.at >= (this.refusedSince ?? Infinity)) this.refusedSince = undefined;
			this.rate.noteAccepted(started.spread);
			if (wasProbe) this.resume(started.at);
			this.limit.noteAnswer(now, started.full, this.open.size);
		} else if (outcome !== 'unknown') {
			// One among others that are answered tells of no limit, as long as none is known.
			const showsLimit = this.wasNo || wasProbe || this.rate.spacingMs > 0;
			this.wasNo = true;
			// Those that were open together count once, and those that kept a distance not at all.
			if (showsLimit && started.at > this.lastLess && !started.spread && !wasProbe) {
				this.lastLess = now;
				this.limit.noteRefusal(now, this.open.size);
			}
			if (outcome === 'refused') this.noteRefusal(pauseMs, now, showsLimit, wasProbe);
		}
	}

	private begin(now: number): StartedRequest {
		if (now - this.lastStart > LONGEST_GAP_MS) {
			this.rate.begin(now);
			this.limit.begin(now, this.open.size);
		}
		this.lastStart = now;
		this.nextPlace = now + this.rate.spacingMs;
		const full = this.open.size + 1 >= this.atOnce;
		const started = { at: now, full, spread: this.waitsForPlace };
		this.waitsForPlace = false;
		this.open.add(started);
		return started;
	}

	private noteRefusal(
		requestedMs: number | undefined,
		now: number,
		showsLimit: boolean,
		isProbe: boolean,
	): void {
		if (requestedMs === undefined && !showsLimit) return;
		const { firstPauseMs, longestOwnPauseMs } = this.rules;
		const { from = now, until } = this.pause ?? {};
		this.refusedSince ??= now;
		// Without a word of the service, each pause is as long as all before it.
		const before = now - this.refusedSince;
		const ms = requestedMs ?? Math.max(firstPauseMs, Math.min(longestOwnPauseMs, before));
		// Requests that were under way at the first refusal say nothing new.
		const isNew = until === undefined || isProbe;
		const shownBefore = this.pause?.showsLimit === true;
		this.pause = { from, until: isNew ? now + ms : until, showsLimit: showsLimit || shownBefore };
	}

	/** Ends a pause with the request that was accepted after it. */
	private resume(at: number): void {
		if (this.pause === undefined) return;
		this.pausedMs += at - this.pause.from;
		if (this.pause.showsLimit) this.rate.learn(at);
		this.pause = this.probe = undefined;
		this.nextPlace = at + this.rate.spacingMs;
	}
}

/** How much faster each accepted request makes it, below no rate that was refused. */
const GROWTH = 1.02;
/** Accepted requests until a rate that was refused is tried again. */
const UNTIL_TRIED = 500;
/** What is left of a rate that was refused, at least and at most. */
const KEPT_LEAST = 0.7;
const KEPT_MOST = 0.93;
/** Requests a millisecond: slower helps nobody, since pauses do the rest. */
const SLOWEST = 1 / 250;
/** From this rate on, requests needn't be spread. */
const TOO_FAST_TO_SPREAD = 1;

/**
 * The rate at which requests are spread, once refusals have shown one: what was accepted from the
 * end of one pause to the end of the next. From there it grows, slowly towards a rate that was
 * refused. Times are milliseconds.
 */
class Rate {
	/** Requests a millisecond; undefined while requests needn't be spread. */
	private perMs: number | undefined;

	/** Where it began after the last pause, and the rate that was refused before that. */
	private began = 0;
	private refused: number | undefined;

	/** What was accepted since the last pause. */
	private cycle = { since: 0, acceptedCount: 0 };

	/** The time between two requests; 0 while none is needed. */
	get spacingMs(): number {
		return this.perMs === undefined ? 0 : 1 / this.perMs;
	}

	/** Counts anew, since a time without requests says nothing about how many are accepted. */
	begin(now: number): void {
		this.cycle = { since: now, acceptedCount: 0 };
	}

	/**
	 * Notes that the service has accepted a request.
	 * @param spread whether it waited for its place
	 */
	noteAccepted(spread: boolean): void {
		this.cycle.acceptedCount++;
		if (this.perMs === undefined || !spread) return;
		if (this.refused === undefined || this.perMs >= this.refused) this.perMs *= GROWTH;
		else this.perMs += (this.refused - this.began) / UNTIL_TRIED;
		if (this.perMs > TOO_FAST_TO_SPREAD) this.perMs = undefined;
	}

	/**
	 * Learns from a pause that refusals have caused.
	 * @param now when the first request after it was sent
	 */
	learn(now: number): void {
		const acceptedPerMs = this.cycle.acceptedCount / Math.max(1, now - this.cycle.since);
		const wasLong = this.cycle.acceptedCount >= UNTIL_TRIED / 4;
		const lowest = (this.perMs ?? 0) * (wasLong ? KEPT_MOST : KEPT_LEAST);
		const highest = (this.perMs ?? Infinity) * KEPT_MOST;
		this.refused = this.perMs;
		this.perMs = this.began = Math.max(SLOWEST, lowest, Math.min(highest, acceptedPerMs));
		this.begin(now);
	}
}

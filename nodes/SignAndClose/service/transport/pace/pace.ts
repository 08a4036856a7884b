import type { PaceRules } from '../../limits';
import { LatencyWatch } from './latencyWatch';
import { LearnedRate, type OverPause } from './learnedRate';
import { MildRefusals } from './mildRefusals';
import { OpenRequests } from './openRequests';
import type { Ended, Held, Slowdowns, Started } from './outcomes';

/*
 * Decides when the next request to a service may be sent. Pure: it knows no clock, and whoever asks
 * gives the time, in milliseconds since 1970.
 */

/** Not one, because the upload of a big file would hold all others. */
const LEAST_AT_ONCE = 2;
/** How much of the requests at once is added with each answer until the first sign of trouble. */
const EARLY_GROWTH = 0.5;
const KEPT_WHEN_REFUSED = 0.5;
const KEPT_WHEN_SLOW = 0.9;
/** A pause without a hint is spread by this part, so that several n8n don't return together. */
const SPREAD = 0.25;
const SPREAD_OF_HINT = 0.05;

/**
 * The pace of one account at one service: how many requests may be open at once, how they're spread
 * in time, and pauses. As in TCP, the requests at once grow by one with each round of answers, and
 * are halved by a refusal.
 */
export class Pace {
	private limit: number;

	private early = true;

	private readonly open: OpenRequests<Started>;

	private lastStart = -Infinity;

	private nextPlace = -Infinity;

	private lastRefusal = -Infinity;

	private lastSlowdown = -Infinity;

	private pause: (OverPause & { until: number; askedUntil: number }) | undefined;

	private probe: Started | undefined;

	/** A request that was allowed to be the only one. */
	private single: Started | undefined;

	private streak = 0;

	private readonly mild = new MildRefusals();

	private limitedSince: number | undefined;

	private heldByPlace = false;

	readonly slowdowns: Slowdowns = { pausedMs: 0, refused: 0 };

	private readonly rate = new LearnedRate();

	private readonly latency = new LatencyWatch();

	constructor(private readonly rules: PaceRules) {
		this.limit = rules.firstAtOnce;
		this.open = new OpenRequests(rules);
	}

	/** How many requests may be open at once. */
	get atOnce(): number {
		return Math.floor(this.limit);
	}

	/** The time at which the last pause ends. */
	get pausedUntil(): number {
		return this.pause?.until ?? -Infinity;
	}

	/**
	 * The end of the last pause as the service asked for it: without what spreads it. Requests that
	 * were under way at the first refusal are refused somewhat later, and ask for no longer pause.
	 */
	get askedUntil(): number {
		return this.pause?.askedUntil ?? -Infinity;
	}

	/** Since when the service has refused every request because of their number. */
	get refusingSince(): number | undefined {
		return this.limitedSince;
	}

	/**
	 * Allows a request now, or says what keeps it.
	 * @param unavailable how often the service was unavailable when it was sent before. From the second
	 *   time on, no other one is open with it, so that it can't be one of too many
	 */
	start(now: number, unavailable = 0): Started | Held {
		const alone = unavailable > 1;
		if (this.pause !== undefined) {
			if (now < this.pause.until) return { forMs: this.pause.until - now };
			if (this.probe !== undefined) {
				const waitMs = this.probe.at + this.rules.probeMs - now;
				if (waitMs > 0) return { forMs: waitMs };
				// Refusals come fast, so a request that takes so long isn't refused.
				this.resume();
				return this.start(now, unavailable);
			}
			return this.begin(now, { probe: true });
		}
		if (this.single !== undefined && now - this.single.at < this.rules.probeMs)
			return 'untilOthersEnd';
		if (this.open.isFull(now, alone ? 1 : this.atOnce)) return 'untilOthersEnd';
		if (now < this.nextPlace) {
			this.heldByPlace = true;
			return { forMs: this.nextPlace - now };
		}
		const started = this.begin(now, { second: unavailable === 1 });
		this.single = alone ? started : undefined;
		return started;
	}

	/**
	 * Allows a request although a pause is under way that is too long to wait for, so that a wrong or
	 * outdated hint does no lasting harm.
	 * @returns undefined when such a request was sent only just now
	 */
	startAgainstHope(now: number): Started | undefined {
		if (this.probe !== undefined || now - this.lastStart < this.rules.hopelessProbeMs)
			return undefined;
		return this.begin(now, { probe: true });
	}

	/**
	 * Notes what became of a request.
	 * @param random number in [0, 1) that spreads the pauses of several clients
	 */
	ended(started: Started, end: Ended, now: number, random: number): void {
		const full = started.full || this.open.isFull(now, this.atOnce);
		this.open.delete(started, end.outcome === 'answered');
		const wasProbe = this.probe === started;
		if (end.outcome === 'refused') this.refused(started, end, now, random, wasProbe);
		else if (end.outcome === 'answered')
			this.answered({ ...started, full }, end, now, random, wasProbe);
		else if (end.outcome === 'overloaded' && !this.open.hangsAlone(started))
			this.slowDown(started, now, KEPT_WHEN_REFUSED);
		if (wasProbe) this.probe = undefined;
		if (this.single === started) this.single = undefined;
	}

	/** Whether nothing was sent for so long that what was learned isn't kept. */
	isIdle(now: number): boolean {
		return (
			this.open.size === 0 && now - Math.max(this.lastStart, this.pausedUntil) >= this.rules.idleMs
		);
	}

	private begin(now: number, { probe = false, second = false }): Started {
		const started: Started = {
			at: now,
			full: this.open.placesTaken(now) + 1 >= this.atOnce,
			...(this.heldByPlace && { spacingMs: now - this.lastStart }),
			...(second && { second }),
		};
		this.open.add(started);
		this.lastStart = now;
		this.heldByPlace = false;
		this.nextPlace = now + this.rate.spacingMs;
		if (probe) this.probe = started;
		else this.rate.started(now);
		return started;
	}

	private answered(
		started: Started,
		{ kind, usedUpForMs }: Ended & { outcome: 'answered' },
		now: number,
		random: number,
		wasProbe: boolean,
	): void {
		if (wasProbe && this.pause !== undefined) this.resume();
		this.rate.accepted(started.spacingMs !== undefined);
		this.mild.note(false, started.second === true);
		if (this.pause === undefined) {
			this.streak = 0;
			this.limitedSince = undefined;
		}
		const slow = kind === undefined ? 'no' : this.latency.judge(kind, now - started.at);
		if (slow === 'much') this.slowDown(started, now, KEPT_WHEN_SLOW, this.rules.firstAtOnce);
		else if (slow === 'somewhat') this.early = false;
		else if (started.full)
			this.limit = Math.min(
				this.rules.mostAtOnce,
				this.limit + (this.early ? EARLY_GROWTH : 1 / this.limit),
			);
		if (usedUpForMs !== undefined && usedUpForMs <= this.rules.longestWaitMs)
			this.pauseFor(started, usedUpForMs, now, 'announcement', SPREAD_OF_HINT * random);
	}

	private refused(
		started: Started,
		{ mild, pauseMs }: Ended & { outcome: 'refused' },
		now: number,
		random: number,
		wasProbe: boolean,
	): void {
		if (!mild) {
			this.limitedSince ??= now;
			this.slowdowns.refused++;
		} else if (pauseMs === undefined && this.isOneOff(started, wasProbe)) {
			this.slowDown(started, now, KEPT_WHEN_REFUSED);
			return;
		}
		const known = started.at <= this.lastRefusal;
		if (started.spacingMs === undefined) this.slowDown(started, now, KEPT_WHEN_REFUSED);
		if (pauseMs !== undefined) {
			// What the service says when it's asked after a pause replaces what it said before.
			if (wasProbe && this.pause !== undefined) this.pause.until = this.pause.askedUntil = now;
			this.pauseFor(started, pauseMs, now, 'refusal', SPREAD_OF_HINT * random);
			this.lastRefusal = now;
			return;
		}
		// Requests that were under way when another was refused say nothing new.
		if (known || (this.pause !== undefined && !wasProbe)) return;
		this.lastRefusal = now;
		const first =
			this.rate.spacingMs > 0
				? Math.min(this.rules.firstPauseMs, 2 * this.rate.spacingMs)
				: this.rules.firstPauseMs;
		const own = mild
			? this.rules.firstPauseMs
			: Math.min(this.rules.longestOwnPauseMs, first * 2 ** this.streak);
		this.streak++;
		this.pauseFor(started, own * (1 - SPREAD / 2 + SPREAD * random), now, 'us');
	}

	private isOneOff({ second = false }: Started, wasProbe: boolean): boolean {
		this.mild.note(true, second);
		return !wasProbe && this.rate.spacingMs === 0 && !this.mild.tellOfLimit;
	}

	private pauseFor(
		started: Started,
		ms: number,
		now: number,
		by: OverPause['by'],
		spread = 0,
	): void {
		const { spacingMs } = started;
		this.pause ??= { from: now, refusedAt: now, until: now, askedUntil: now, spacingMs, by };
		this.pause.refusedAt = now;
		if (this.pause.by === 'us') this.pause.by = by;
		this.pause.until = Math.max(this.pause.until, now + ms * (1 + spread));
		const since = this.limitedSince ?? now;
		const askedAt = started.at <= since ? since : now;
		this.pause.askedUntil = Math.max(this.pause.askedUntil, askedAt + ms);
	}

	private resume(): void {
		const { pause, probe } = this;
		if (pause === undefined || probe === undefined) return;
		this.slowdowns.pausedMs += probe.at - pause.from;
		this.rate.resumed(pause, probe.at);
		this.pause = undefined;
		this.probe = undefined;
		this.nextPlace = probe.at + this.rate.spacingMs;
	}

	/** Lets fewer requests be open at once; only once for requests that were open together. */
	private slowDown(started: Started, now: number, kept: number, least = LEAST_AT_ONCE): void {
		this.early = false;
		if (started.at <= this.lastSlowdown) return;
		this.lastSlowdown = now;
		this.limit = Math.max(Math.min(least, this.limit), this.limit * kept);
	}
}

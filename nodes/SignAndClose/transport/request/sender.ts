import { sleep, type ICredentialDataDecryptedObject } from 'n8n-workflow';

import { asError, findFailure, ServiceFailure, type FailureReason } from '../failure/failure';
import {
	BLOCKED_BY_N8N,
	EXECUTION_STOPPED,
	STOPPED_BY_N8N,
	type Fault,
} from '../failure/networkFault';
import { toRefusal } from '../failure/refusal';
import { uploads } from '../files/byteBudget';
import { getHeader, type Answer } from '../http/answer';
import { readRequestedPause, decideRetry, isRead } from '../http/retry';
import { getStatusMeaning, TOO_MANY_REQUESTS } from '../http/statuses';
import type { Pace } from '../pace/pace';
import { toRequestEnd, getTurns } from '../pace/turns';
import type { Limits } from '../service/limits';
import {
	sendOnce,
	type Sendable,
	type Sender,
	type SendOptions,
	type ServiceContext,
} from './attempt';

/* Sends requests through n8n's HTTP helpers when their turn comes, and repeats them. */

/** The most that is done where somebody waits for our own answer. */
const URGENT = { attempts: 2, pauseMs: 3_000 };

/** An answer, and how often the request was sent for it. */
export interface Sent {
	answer: Answer;
	attempts: number;
}

/** A request on its way, and how often it was sent. */
interface Sending {
	readonly options: Sendable;
	readonly sendOptions: SendOptions;
	sent: number;
}

/**
 * Sends requests. Each one waits for its turn among those of all runs of this process
 * (docs/behaviour.md#rate-limits).
 */
export class RequestSender implements Sender {
	/** What the pace had counted before this sender was made. */
	private readonly pausedBefore: number;

	/**
	 * The service's clock is at most this far ahead of this machine's, in milliseconds. Undefined while
	 * no answer has shown it.
	 */
	mostAheadMs: number | undefined;

	readonly cancel: AbortSignal | undefined;

	/** @param account names base URL and key, without giving the key away */
	constructor(
		readonly context: ServiceContext,
		readonly limits: Limits,
		private readonly account: string,
		readonly credential: ICredentialDataDecryptedObject,
	) {
		this.pausedBefore = this.pace.pausedMs;
		this.cancel =
			'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
	}

	/** The pace of all who use this key. */
	get pace(): Pace {
		return getTurns(this.account, this.limits.pace).pace;
	}

	/** How long all who use this key have paused since this sender was made, in milliseconds. */
	get pausedMs(): number {
		// Turns that nobody needed for a while are forgotten, and their successors count from nothing.
		return Math.max(0, this.pace.pausedMs - this.pausedBefore);
	}

	/**
	 * Sends one request and repeats it as decideRetry() allows.
	 * @returns any answer that isn't worth repeating; the body of a refusal is text
	 * @throws ServiceFailure when no answer came, also because the execution is stopped, with
	 *   `flags.unknownOutcome` when a write may have been done
	 */
	async send(options: Sendable, settings: SendOptions): Promise<Sent> {
		const bytes = settings.streamed?.contentLength ?? 0;
		let release: (() => void) | undefined;
		try {
			if (bytes > 0) release = await uploads.take(bytes, this.limits.uploadBytes, this.cancel);
			return await this.sendUntilAnswered({ options, sendOptions: settings, sent: 0 });
		} catch (thrown) {
			// What waits to be sent ends with the reason of the signal.
			const isUnsent = this.cancel?.aborted === true && findFailure(thrown) === undefined;
			throw isUnsent ? new ServiceFailure({ code: 'notSent', isStopped: true }) : asError(thrown);
		} finally {
			release?.();
		}
	}

	private async sendUntilAnswered(sending: Sending): Promise<Sent> {
		const { url, method } = sending.options;
		const maximum = sending.sendOptions.urgent ? URGENT : { attempts: Infinity, pauseMs: Infinity };
		for (let tries = 1; ; tries++) {
			const came = await this.sendInTurn(sending);
			const isCut = 'code' in came && this.cancel?.aborted === true;
			const outcome = isCut ? { ...came, code: EXECUTION_STOPPED, lasting: true } : came;
			const isFault = 'code' in outcome;
			const judged = isFault
				? outcome
				: { status: outcome.status, retryAfterMs: readRequestedPause(outcome, Date.now()) };
			const waitMs = decideRetry(method, tries, judged, Math.random());
			if (waitMs === undefined || tries >= maximum.attempts || waitMs > maximum.pauseMs) {
				if (!isFault) return { answer: outcome, attempts: sending.sent };
				throw new ServiceFailure(toFailureReason(outcome, url, sending.sent), {
					unknownOutcome: !isRead(method) && !outcome.nothingSent,
				});
			}
			const reason = isFault ? outcome.code : `status ${outcome.status}`;
			await this.pause(waitMs, `${reason}, try ${tries}`);
		}
	}

	/**
	 * Sends a request in its turn. 429 says that nothing was done, so that any request is sent again,
	 * until the service has limited requests for too long (docs/behaviour.md#rate-limits).
	 * @throws ServiceFailure when its turn didn't come, so that it wasn't sent; the reason of the signal
	 */
	private async sendInTurn(sending: Sending): Promise<Answer | Fault> {
		const { options, sendOptions: settings } = sending;
		const { withKey, urgent: isUrgent = false } = settings;
		const account = withKey ? this.account : new URL(options.url).origin;
		const { longestWaitMs, longestOwnPauseMs, firstPauseMs } = this.limits.pace;
		let refusedSince: number | undefined;
		let refusals = 0;
		for (;;) {
			const latest = isUrgent ? Date.now() + URGENT.pauseMs : undefined;
			// Who was refused goes first, so that nobody is refused twice while others pass. After that, others
			// get their turn, too: the limit may be of this request alone.
			const place = isUrgent || refusals === 1 ? 'first' : refusals > 1 ? 'second' : undefined;
			const turns = getTurns(account, this.limits.pace);
			const end = await turns.take({ signal: this.cancel, place, latest });
			if (typeof end === 'number')
				throw toRefusal(undefined, {
					status: TOO_MANY_REQUESTS,
					purpose: isRead(options.method) ? 'read' : 'write',
					attempts: sending.sent,
					...(end > 0 && { retryAfterMs: end }),
				});
			const began = Date.now();
			let outcome: Answer | Fault | undefined;
			try {
				outcome = await sendOnce(this, options, settings);
			} finally {
				end(toRequestEnd(outcome));
			}
			sending.sent++;
			if ('code' in outcome) return outcome;
			if (withKey) this.noteClock(outcome.headers, began);
			if (getStatusMeaning(outcome.status) !== 'limited') return outcome;
			const now = Date.now();
			const { pace } = turns;
			refusedSince ??= now;
			const isTooLate =
				latest === undefined
					? now - refusedSince > longestWaitMs
					: refusals > 0 || pace.pausedUntil > latest;
			if (isTooLate || pace.isHopeless(now)) return outcome;
			// Others are accepted, so that nothing pauses but this one.
			const ownPauseMs = Math.min(longestOwnPauseMs, firstPauseMs * 2 ** refusals++);
			if (pace.pausedUntil <= now) await this.pause(ownPauseMs, `status ${outcome.status}`);
		}
	}

	private async pause(ms: number, reason: string): Promise<void> {
		this.context.logger.info(
			`Sign and Close waits ${Math.ceil(ms / 1000)} s before it tries again (${reason})`,
		);
		await sleep(ms, this.cancel);
	}

	private noteClock(headers: Record<string, unknown>, sentAt: number): void {
		const date = Date.parse(getHeader(headers, 'date') ?? '');
		if (Number.isNaN(date)) return;
		// The header has whole seconds, and was written at some time since the request was sent. With
		// the end of its second, nothing made before a request can seem to be made after it.
		const ahead = date + 1000 - sentAt;
		this.mostAheadMs = Math.min(this.mostAheadMs ?? ahead, ahead);
	}
}

function toFailureReason(
	{ code, details: text, nothingSent }: Fault,
	url: string,
	attempts: number,
): FailureReason {
	const { host } = new URL(url);
	if (code === BLOCKED_BY_N8N) return { code: 'notSent', blockedHost: host };
	if (code === STOPPED_BY_N8N && nothingSent) return { code: 'notSent', details: text };
	return { code: 'unreachable', fault: code, attempts, host };
}

import { sleep, type ICredentialsDecrypted, type IHttpRequestOptions } from 'n8n-workflow';

import type { ServiceSettings } from '../credential/credential';
import type { OpenedCredential } from '../credential/openedCredential';
import { ServiceFailure, type FailureReason } from '../failure/failure';
import { BLOCKED_BY_N8N, STOPPED_BY_N8N, type Fault } from '../failure/fault';
import { toRefusal } from '../failure/refusal';
import { uploads } from '../files/byteBudget';
import type { StreamedBody } from '../files/streamedJson';
import { discard, isByteStream, readText } from '../files/streams';
import type { Answer } from '../http/answer';
import { header } from '../http/headers';
import { decideRetry, isRead } from '../http/retry';
import { askedPause, endOf, TOO_MANY_REQUESTS } from '../pace/outcomes';
import type { Pace } from '../pace/pace';
import { NoTurn, turnsOf, type Turns } from '../pace/turns';
import type { Limits } from '../service/limits';
import { attempt, cancelSignalOf, type ServiceContext } from './attempt';

/* Sends requests when their turn comes, and repeats them. */

const UNAUTHORIZED = 401;
const IMPATIENT_ATTEMPTS = 2;
const IMPATIENT_PAUSE_MS = 3_000;

type Sendable = IHttpRequestOptions & { method: string };

/** An answer, and how often the request was sent for it. */
export interface Sent {
	answer: Answer;
	attempts: number;
}

interface SendOptions {
	/** Whether the API key goes along. */
	withKey: boolean;
	/** A body that is produced while it is sent. */
	streamed?: StreamedBody;
	/** Somebody waits for our own answer: one repeat at most, and no long pause. */
	impatient?: boolean;
}

/** A request on its way: how often it was sent, and with which credential the last time. */
interface Sending {
	readonly options: Sendable;
	readonly how: SendOptions;
	sent: number;
	used?: ICredentialsDecrypted;
}

/**
 * Sends requests. Each one waits for its turn among those of all runs of this process
 * (docs/behaviour.md#rate-limits).
 */
export class RequestSender {
	/** Those before this sender was made. */
	private readonly slowdownsBefore: Pace['slowdowns'];

	/** The service's clock is at most this far ahead of this machine's, in milliseconds. */
	private mostAheadMs: number | undefined;

	constructor(
		private readonly context: ServiceContext,
		private readonly limits: Limits,
		private readonly settings: Pick<ServiceSettings, 'account'>,
		private readonly credential: OpenedCredential,
	) {
		this.slowdownsBefore = { ...this.turnsOf(settings.account).pace.slowdowns };
	}

	/** How much the service has slowed down all who use this key since this sender was made. */
	get slowdowns(): Pace['slowdowns'] {
		const { pausedMs, refused } = this.turnsOf(this.settings.account).pace.slowdowns;
		// Turns that nobody needed for a while are forgotten, and their successors count from nothing.
		return {
			pausedMs: Math.max(0, pausedMs - this.slowdownsBefore.pausedMs),
			refused: Math.max(0, refused - this.slowdownsBefore.refused),
		};
	}

	/** How many requests to the service may be open at once at present. */
	get atOnce(): number {
		return this.turnsOf(this.settings.account).pace.atOnce;
	}

	/**
	 * Sends one request and repeats it as decideRetry() allows.
	 * @returns any answer that isn't worth repeating; the body of a refusal is text
	 * @throws ServiceFailure when no answer came, with `flags.inDoubt` when a write may have been
	 *   done
	 */
	async send(options: Sendable, how: SendOptions): Promise<Sent> {
		if (how.streamed === undefined) return await this.sendUntilAnswered(options, how);
		const release = await uploads.take(
			how.streamed.contentLength,
			this.limits.uploadBytes,
			cancelSignalOf(this.context),
		);
		try {
			return await this.sendUntilAnswered(options, how);
		} finally {
			release();
		}
	}

	private async sendUntilAnswered(options: Sendable, how: SendOptions): Promise<Sent> {
		const { method } = options;
		const enough = (tries: number, waitMs: number) =>
			how.impatient === true && (tries >= IMPATIENT_ATTEMPTS || waitMs > IMPATIENT_PAUSE_MS);
		const sending: Sending = { options, how, sent: 0 };
		let mayHaveChanged = true;
		for (let tries = 1; ; tries++) {
			const outcome = await this.inTurn(sending);
			const attempts = sending.sent;
			if ('code' in outcome) {
				const verdict = decideRetry(method, tries, { kind: 'fault', ...outcome }, Math.random());
				if (!verdict.again || enough(tries, verdict.waitMs))
					throw new ServiceFailure(reasonOf(outcome, options.url, attempts), {
						inDoubt: !isRead(method) && !outcome.nothingSent,
					});
				await this.pause(verdict.waitMs, `${outcome.code}, attempt ${tries}`);
				continue;
			}
			const { status } = outcome;
			if (status < 400) return { answer: outcome, attempts };
			if (status === UNAUTHORIZED && sending.used !== undefined && mayHaveChanged) {
				mayHaveChanged = false;
				if (await this.credential.hasChangedSince(sending.used)) {
					discard(outcome.body);
					continue;
				}
			}
			const retryAfterMs = askedPause(outcome, Date.now());
			const verdict = decideRetry(
				method,
				tries,
				{ kind: 'answer', status, retryAfterMs },
				Math.random(),
			);
			if (!verdict.again || enough(tries, verdict.waitMs))
				return { answer: await this.withText(outcome), attempts };
			discard(outcome.body);
			await this.pause(verdict.waitMs, `status ${status}, attempt ${tries}`);
		}
	}

	/**
	 * Sends a request in its turn. 429 says that nothing was done, so that any request is sent again,
	 * until the service has limited requests for too long (docs/behaviour.md#rate-limits).
	 * @throws ServiceFailure when its turn didn't come, so that it wasn't sent; the reason of the signal
	 */
	private async inTurn(sending: Sending): Promise<Answer | Fault> {
		const { withKey, impatient = false } = sending.how;
		const account = withKey ? this.settings.account : new URL(sending.options.url).origin;
		let [refusedSince, refusals] = [Infinity, 0];
		for (;;) {
			const latest = impatient ? Date.now() + IMPATIENT_PAUSE_MS : undefined;
			// Who was refused goes first, so that nobody is refused twice while others pass. After that, others
			// get their turn, too: the limit may be of this request alone.
			const place = impatient || refusals === 1 ? 'first' : refusals > 1 ? 'second' : undefined;
			const end = await this.turnsOf(account)
				.take({ signal: cancelSignalOf(this.context), place, latest })
				.catch((thrown: Error) => {
					throw thrown instanceof NoTurn ? limited(sending, thrown.forMs) : thrown;
				});
			let outcome: Answer | Fault | undefined;
			try {
				outcome = await this.attempt(sending);
			} finally {
				end(endOf(outcome));
			}
			if ('code' in outcome || outcome.status !== TOO_MANY_REQUESTS) return outcome;
			const now = Date.now();
			const { pace } = this.turnsOf(account);
			const isTooLate =
				latest === undefined
					? now - refusedSince > this.limits.pace.longestWaitMs
					: refusals > 0 || pace.pausedUntil > latest;
			if (isTooLate || pace.isHopeless(now)) return outcome;
			refusedSince = Math.min(refusedSince, now);
			refusals++;
			discard(outcome.body);
			// Others are accepted, so that nothing pauses but this one.
			if (pace.pausedUntil <= now) await this.pause(ownPause(refusals, this.limits), 'status 429');
		}
	}

	private async attempt(sending: Sending): Promise<Answer | Fault> {
		const { options, how } = sending;
		const { impatientMs, readMs, writeMs } = this.limits;
		sending.used = how.withKey ? this.credential.forHelper : undefined;
		const outcome = await attempt(this.context, this.limits, options, {
			credential: sending.used,
			streamed: how.streamed,
			patience:
				how.impatient === true
					? { silenceMs: impatientMs, totalMs: impatientMs }
					: { silenceMs: isRead(options.method) ? readMs : writeMs },
			onHeaders: how.withKey ? this.noteClock : () => undefined,
		});
		sending.sent++;
		return outcome;
	}

	/**
	 * The latest time that the service's clock may have shown at a time of this machine. Both are
	 * milliseconds since 1970.
	 * @returns undefined while no answer has shown the service's clock
	 */
	latestServiceTime(localMs: number): number | undefined {
		return this.mostAheadMs === undefined ? undefined : localMs + this.mostAheadMs;
	}

	/**
	 * Turns the body of a refusal into text: its beginning, when it is long or doesn't come to its
	 * end.
	 */
	async withText(answer: Answer): Promise<Answer> {
		if (!isByteStream(answer.body)) return answer;
		return { ...answer, body: await readText(answer.body, this.limits.refusalBytes) };
	}

	private turnsOf(account: string): Turns {
		return turnsOf(account, this.limits.pace);
	}

	private async pause(ms: number, why: string): Promise<void> {
		this.context.logger.info(
			`Sign and Close waits ${Math.ceil(ms / 1000)} s before it tries again (${why})`,
		);
		await sleep(ms, cancelSignalOf(this.context));
	}

	private readonly noteClock = (headers: Record<string, unknown>, sentAt: number): void => {
		const date = Date.parse(header(headers, 'date') ?? '');
		if (Number.isNaN(date)) return;
		// The header has whole seconds, and was written at some time since the request was sent. With
		// the end of its second, nothing made before a request can seem to be made after it.
		const ahead = date + 1000 - sentAt;
		this.mostAheadMs = Math.min(this.mostAheadMs ?? ahead, ahead);
	};
}

function reasonOf(
	{ code, said, nothingSent }: Fault,
	url: string,
	attempts: number,
): FailureReason {
	if (code === BLOCKED_BY_N8N) return { code: 'notSent', blockedHost: new URL(url).host };
	if (code === STOPPED_BY_N8N && nothingSent) return { code: 'notSent', said };
	return { code: 'unreachable', fault: code, attempts };
}

/** How long a request waits that was refused so often while others are accepted, in milliseconds. */
function ownPause(refusals: number, { pace }: Limits): number {
	return Math.min(pace.longestOwnPauseMs, pace.firstPauseMs * 2 ** (refusals - 1));
}

/** The failure of a request that wasn't sent, because the service has refused others. */
function limited({ options, sent }: Sending, retryAfterMs: number): ServiceFailure {
	return toRefusal(undefined, {
		status: TOO_MANY_REQUESTS,
		asked: isRead(options.method) ? 'read' : 'write',
		attempts: sent,
		...(retryAfterMs > 0 && { retryAfterMs }),
	});
}

import {
	sleep,
	type ICredentialDataDecryptedObject,
	type IExecuteFunctions,
	type IHookFunctions,
	type IHttpRequestOptions,
	type IN8nHttpFullResponse,
	type ILoadOptionsFunctions,
	type ITriggerFunctions,
	type IWebhookFunctions,
} from 'n8n-workflow';

import { CREDENTIAL_TYPE } from '../credential/credential';
import { asError, findFailure, ServiceFailure, type FailureReason } from '../failure/failure';
import {
	BLOCKED_BY_N8N,
	EXECUTION_STOPPED,
	faultOf,
	faultOfAnswer,
	STOPPED_BY_N8N,
	type Fault,
} from '../failure/fault';
import { toRefusal } from '../failure/refusal';
import { uploads } from '../files/byteBudget';
import type { StreamedBody } from '../files/streamedJson';
import {
	discard,
	isByteStream,
	metered,
	OVER,
	readBytes,
	StallTimer,
	type Allowance,
	type ByteStream,
} from '../files/streams';
import { endsWithConnection, header, type Answer } from '../http/answer';
import { askedPause, decideRetry, isRead } from '../http/retry';
import { isSuccess, meaningOf, TOO_MANY_REQUESTS } from '../http/statuses';
import { endOf } from '../pace/outcomes';
import type { Pace } from '../pace/pace';
import { turnsOf } from '../pace/turns';
import type { Limits } from '../service/limits';
import { optionsFor } from './options';

/* Sends requests through n8n's HTTP helpers when their turn comes, and repeats them. */

/** Every n8n context that talks to the service. */
export type ServiceContext =
	| IExecuteFunctions
	| IHookFunctions
	| ILoadOptionsFunctions
	| ITriggerFunctions
	| IWebhookFunctions;

/** The most that is done where somebody waits for our own answer. */
const IMPATIENT = { attempts: 2, pauseMs: 3_000 };

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

/** A request on its way, and how often it was sent. */
interface Sending {
	readonly options: Sendable;
	readonly how: SendOptions;
	sent: number;
}

/**
 * Sends requests. Each one waits for its turn among those of all runs of this process
 * (docs/behaviour.md#rate-limits).
 */
export class RequestSender {
	/** What the pace had counted before this sender was made. */
	private readonly pausedBefore: number;

	/**
	 * The service's clock is at most this far ahead of this machine's, in milliseconds. Undefined while
	 * no answer has shown it.
	 */
	mostAheadMs: number | undefined;

	/** Ends every pause and request when somebody cancels the execution. */
	readonly cancel: AbortSignal | undefined;

	/**
	 * @param account names base URL and key, without giving the key away
	 * @param credential opened once: n8n would read, decrypt and evaluate it for every request, which
	 *   takes longer than the request itself
	 */
	constructor(
		private readonly context: ServiceContext,
		private readonly limits: Limits,
		private readonly account: string,
		private readonly credential: ICredentialDataDecryptedObject,
	) {
		this.pausedBefore = this.pace.pausedMs;
		this.cancel =
			'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
	}

	/** The pace of all who use this key. */
	get pace(): Pace {
		return turnsOf(this.account, this.limits.pace).pace;
	}

	/** Whether somebody has stopped the execution. */
	private get isStopped(): boolean {
		return this.cancel?.aborted === true;
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
	async send(options: Sendable, how: SendOptions): Promise<Sent> {
		const bytes = how.streamed?.contentLength ?? 0;
		let release: (() => void) | undefined;
		try {
			if (bytes > 0) release = await uploads.take(bytes, this.limits.uploadBytes, this.cancel);
			return await this.sendUntilAnswered({ options, how, sent: 0 });
		} catch (thrown) {
			// What waits to be sent ends with the reason of the signal.
			const isUnsent = this.isStopped && findFailure(thrown) === undefined;
			throw isUnsent ? stoppedBefore() : asError(thrown);
		} finally {
			release?.();
		}
	}

	private async sendUntilAnswered(sending: Sending): Promise<Sent> {
		const { url, method } = sending.options;
		const most = sending.how.impatient ? IMPATIENT : { attempts: Infinity, pauseMs: Infinity };
		for (let tries = 1; ; tries++) {
			const came = await this.inTurn(sending);
			const isCut = 'code' in came && this.isStopped;
			const outcome = isCut ? { ...came, code: EXECUTION_STOPPED, lasting: true } : came;
			const isFault = 'code' in outcome;
			const judged = isFault
				? outcome
				: { status: outcome.status, retryAfterMs: askedPause(outcome, Date.now()) };
			const waitMs = decideRetry(method, tries, judged, Math.random());
			if (waitMs === undefined || tries >= most.attempts || waitMs > most.pauseMs) {
				if (!isFault) return { answer: outcome, attempts: sending.sent };
				throw new ServiceFailure(reasonOf(outcome, url, sending.sent), {
					unknownOutcome: !isRead(method) && !outcome.nothingSent,
				});
			}
			const why = isFault ? outcome.code : `status ${outcome.status}`;
			await this.pause(waitMs, `${why}, try ${tries}`);
		}
	}

	/**
	 * Sends a request in its turn. 429 says that nothing was done, so that any request is sent again,
	 * until the service has limited requests for too long (docs/behaviour.md#rate-limits).
	 * @throws ServiceFailure when its turn didn't come, so that it wasn't sent; the reason of the signal
	 */
	private async inTurn(sending: Sending): Promise<Answer | Fault> {
		const { withKey, impatient = false } = sending.how;
		const account = withKey ? this.account : new URL(sending.options.url).origin;
		const { longestWaitMs, longestOwnPauseMs, firstPauseMs } = this.limits.pace;
		let refusedSince: number | undefined;
		let refusals = 0;
		for (;;) {
			const latest = impatient ? Date.now() + IMPATIENT.pauseMs : undefined;
			// Who was refused goes first, so that nobody is refused twice while others pass. After that, others
			// get their turn, too: the limit may be of this request alone.
			const place = impatient || refusals === 1 ? 'first' : refusals > 1 ? 'second' : undefined;
			const turns = turnsOf(account, this.limits.pace);
			const end = await turns.take({ signal: this.cancel, place, latest });
			if (typeof end === 'number')
				throw toRefusal(undefined, {
					status: TOO_MANY_REQUESTS,
					asked: isRead(sending.options.method) ? 'read' : 'write',
					attempts: sending.sent,
					...(end > 0 && { retryAfterMs: end }),
				});
			let outcome: Answer | Fault | undefined;
			try {
				outcome = await this.attempt(sending);
			} finally {
				end(endOf(outcome));
			}
			if ('code' in outcome || meaningOf(outcome.status) !== 'limited') return outcome;
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

	/**
	 * Sends a request once; nothing else in the package calls n8n's HTTP helpers. They can't be relied
	 * on to end: they wait for ever for an answer that switches protocols, they count the time of an
	 * upload instead of its silence, and what remains of an answer that nobody reads keeps its
	 * connection open. So the request is waited for here, and its end leaves nothing behind.
	 * @returns the answer, with its text, or what kept it from coming. Files are left to read, within
	 *   their limits
	 * @throws a failure of our own, e.g. of the credential
	 */
	private async attempt(sending: Sending): Promise<Answer | Fault> {
		const { options, how } = sending;
		const { impatientMs, readMs, writeMs, fileMs } = this.limits;
		const began = Date.now();
		const silenceMs = how.impatient ? impatientMs : isRead(options.method) ? readMs : writeMs;
		const totalMs = how.impatient ? impatientMs : fileMs;
		const timer = new StallTimer(silenceMs, totalMs, 'ESTALLED');
		const connection = new AbortController();
		let upload: ByteStream | undefined;
		let download: unknown;
		// The streams come first: one that is still open when its connection ends fails, although nobody
		// reads it any more.
		const end = () => {
			this.cancel?.removeEventListener('abort', end);
			timer.end();
			discard(download);
			discard(upload);
			connection.abort(OVER);
		};
		this.cancel?.addEventListener('abort', end);
		const ask = async () => {
			upload = await how.streamed?.open(timer.moved);
			if (connection.signal.aborted) discard(upload);
			const received = await this.askHelper(
				optionsFor(options, connection.signal, how.streamed, upload),
				how.withKey,
			);
			download = received.body;
			// It was given up meanwhile, so nobody else ends its streams.
			if (connection.signal.aborted) end();
			return received;
		};
		try {
			const received = await timer.within(ask());
			if (received === undefined) throw Object.assign(new Error(), { code: 'ERR_CANCELED' });
			timer.end();
			sending.sent++;
			const { statusCode: status, headers, body } = received;
			if (how.withKey) this.noteClock(headers, began);
			const leftMs = how.impatient ? began + totalMs - Date.now() : Infinity;
			const answer = { status, headers, body };
			return await this.read(answer, options.encoding, { silenceMs, totalMs: leftMs }, end);
		} catch (thrown) {
			end();
			const own = findFailure(thrown);
			if (own !== undefined) throw own;
			sending.sent++;
			return faultOf(thrown, upload?.readableDidRead);
		}
	}

	private async askHelper(
		options: IHttpRequestOptions,
		withKey: boolean,
	): Promise<IN8nHttpFullResponse> {
		// The contexts' types have no common `this`, but all of them have the same helper.
		const context = this.context as IExecuteFunctions;
		const { httpRequest, httpRequestWithAuthentication: withAuthentication } = context.helpers;
		const type = CREDENTIAL_TYPE;
		const credentialsDecrypted = { id: '', name: type, type, data: this.credential };
		return (await (withKey
			? withAuthentication.call(context, type, options, { credentialsDecrypted })
			: httpRequest(options))) as IN8nHttpFullResponse;
	}

	/**
	 * Reads the text of an answer. The stream of a file is given its limits.
	 * @param allowance for the text
	 * @param end ends the connection
	 */
	private async read(
		answer: Answer,
		encoding: IHttpRequestOptions['encoding'],
		{ silenceMs, totalMs }: Allowance,
		end: () => void,
	): Promise<Answer | Fault> {
		const { body, status, headers } = answer;
		if (!isByteStream(body)) {
			end();
			return answer;
		}
		const { answerMs, answerBytes, refusalMs, refusalBytes, stallMs, fileMs, fileBytes } =
			this.limits;
		const within = (allowance: Allowance) => metered(body, allowance, end);
		if (!isSuccess(status)) {
			const ms = Math.min(refusalMs, totalMs);
			// The beginning of a body that is long or doesn't come to its end.
			const bytes = await readBytes(within({ silenceMs: ms, totalMs: ms }), refusalBytes, 'keep');
			return { ...answer, body: bytes.toString('utf8') };
		}
		if (encoding === 'stream') {
			const file = within({ silenceMs: stallMs, totalMs: fileMs, mostBytes: fileBytes });
			return { ...answer, body: file };
		}
		const allowance = {
			silenceMs,
			totalMs: Math.min(answerMs, totalMs),
			mostBytes: answerBytes,
		};
		try {
			const bytes = await readBytes(within(allowance));
			const text = bytes.toString('utf8').replace(/^\uFEFF/, '');
			// One that breaks off without being noticed is no answer: half of it tells nothing.
			if (endsWithConnection(headers) && /^\s*[{[]/.test(text)) JSON.parse(text);
			return { ...answer, body: text };
		} catch (thrown) {
			return faultOfAnswer(thrown);
		}
	}

	private async pause(ms: number, why: string): Promise<void> {
		this.context.logger.info(
			`Sign and Close waits ${Math.ceil(ms / 1000)} s before it tries again (${why})`,
		);
		await sleep(ms, this.cancel);
	}

	private noteClock(headers: Record<string, unknown>, sentAt: number): void {
		const date = Date.parse(header(headers, 'date') ?? '');
		if (Number.isNaN(date)) return;
		// The header has whole seconds, and was written at some time since the request was sent. With
		// the end of its second, nothing made before a request can seem to be made after it.
		const ahead = date + 1000 - sentAt;
		this.mostAheadMs = Math.min(this.mostAheadMs ?? ahead, ahead);
	}
}

const stoppedBefore = () => new ServiceFailure({ code: 'notSent', isStopped: true });

function reasonOf(
	{ code, said, nothingSent }: Fault,
	url: string,
	attempts: number,
): FailureReason {
	if (code === BLOCKED_BY_N8N) return { code: 'notSent', blockedHost: new URL(url).host };
	if (code === STOPPED_BY_N8N && nothingSent) return { code: 'notSent', said };
	return { code: 'unreachable', fault: code, attempts };
}

import {
	sleep,
	type IExecuteFunctions,
	type IHookFunctions,
	type IHttpRequestOptions,
	type ILoadOptionsFunctions,
	type ITriggerFunctions,
	type IWebhookFunctions,
} from 'n8n-workflow';

import { findFailure, ServiceFailure, type FailureReason } from '../errors/failure';
import type { Limits } from '../limits';
import type { Answer } from './answer';
import { CREDENTIAL_TYPE, type ServiceSettings } from './credential';
import { Exchange } from './exchange';
import { BLOCKED_BY_N8N, readAnswerFault, readFault, STOPPED_BY_N8N, type Fault } from './fault';
import { endsWithConnection, header } from './headers';
import { requestOf } from './options';
import { readHints } from './pace/hints';
import { paces } from './pace/paces';
import { sendInTurn } from './pace/sendInTurn';
import type { Turns } from './pace/turns';
import { decideRetry, isRead } from './retry';
import { streamedText, type StreamedBody } from './streamedJson';
import {
	discard,
	isByteStream,
	metered,
	readAll,
	readText,
	type Allowance,
	type ByteStream,
} from './streams';

/* Sends requests through n8n's HTTP helpers, with time-outs and repeats. */

/** Every n8n context that talks to the service. */
export type ServiceContext =
	| IExecuteFunctions
	| IHookFunctions
	| ILoadOptionsFunctions
	| ITriggerFunctions
	| IWebhookFunctions;

const IMPATIENT_ATTEMPTS = 2;
const IMPATIENT_PAUSE_MS = 3_000;

/** What n8n's helper answers. */
interface Received {
	statusCode: number;
	headers: Record<string, unknown>;
	body: unknown;
}

/** How long one attempt may take. */
interface Patience {
	/** Silence until the answer begins, in milliseconds. */
	silenceMs: number;
	/** Milliseconds for everything, when somebody waits. */
	totalMs?: number;
}

interface SendOptions {
	/** Whether the API key goes along. */
	withKey: boolean;
	/** A body that is produced while it is sent. */
	streamed?: StreamedBody;
	/** Somebody waits for our own answer: one repeat at most, and no long pause. */
	impatient?: boolean;
	/** Names requests that take about as long as each other. */
	kind?: string;
}

/**
 * Sends requests; nothing else in the package calls n8n's HTTP helpers. Each request waits for its
 * turn among those of all runs of this process (docs/behaviour.md#rate-limits).
 */
export class RequestSender {
	/** The service's clock is at most this far ahead of this machine's, in milliseconds. */
	private mostAheadMs: number | undefined;

	constructor(
		private readonly context: ServiceContext,
		private readonly limits: Limits,
		private readonly settings: Pick<ServiceSettings, 'account'>,
	) {}

	/** How many requests to the service may be open at once at present. */
	get atOnce(): number {
		return this.turnsOf(this.settings.account).atOnce;
	}

	/**
	 * Sends one request and repeats it as decideRetry() allows.
	 * @returns any answer that isn't worth repeating; the body of a refusal is text
	 * @throws ServiceFailure when no answer came, with `flags.inDoubt` when a write may have been
	 *   done
	 */
	async send(
		options: IHttpRequestOptions & { method: string },
		{ withKey, streamed, impatient = false, kind }: SendOptions,
	): Promise<{ answer: Answer; attempts: number }> {
		const { method } = options;
		const patience: Patience = impatient
			? { silenceMs: this.limits.impatientMs, totalMs: this.limits.impatientMs }
			: { silenceMs: isRead(method) ? this.limits.readMs : this.limits.writeMs };
		const enough = (attempt: number, waitMs: number) =>
			impatient && (attempt >= IMPATIENT_ATTEMPTS || waitMs > IMPATIENT_PAUSE_MS);
		const account = withKey ? this.settings.account : new URL(options.url).origin;
		const paced = {
			method,
			kind: isRead(method) ? kind : undefined,
			signal: this.cancelSignal(),
			impatientMs: impatient ? IMPATIENT_PAUSE_MS : undefined,
		};
		for (let attempt = 1, attempts = 0; ; attempt++) {
			const { outcome, sent } = await sendInTurn(
				() => this.turnsOf(account),
				paced,
				async () => await this.once(options, withKey, streamed, patience),
			);
			attempts += sent;
			if ('code' in outcome) {
				const verdict = decideRetry(method, attempt, { kind: 'fault', ...outcome }, Math.random());
				if (!verdict.again || enough(attempt, verdict.waitMs))
					throw new ServiceFailure(reasonOf(outcome, options.url, attempts), {
						inDoubt: !isRead(method) && !outcome.nothingSent,
					});
				await this.pause(verdict.waitMs, `${outcome.code}, attempt ${attempt}`);
				continue;
			}
			if (outcome.status < 400) return { answer: outcome, attempts };
			const { headers } = outcome;
			const { retryAfterMs } = readHints((name) => header(headers, name), Date.now());
			const verdict = decideRetry(
				method,
				attempt,
				{ kind: 'answer', status: outcome.status, retryAfterMs },
				Math.random(),
			);
			if (!verdict.again || enough(attempt, verdict.waitMs))
				return { answer: await this.withText(outcome), attempts };
			discard(outcome.body);
			await this.pause(verdict.waitMs, `status ${outcome.status}, attempt ${attempt}`);
		}
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
		return paces.of(account, this.limits.pace);
	}

	private async once(
		options: IHttpRequestOptions,
		withKey: boolean,
		streamed: StreamedBody | undefined,
		patience: Patience,
	): Promise<Answer | Fault> {
		const began = Date.now();
		const exchange = new Exchange(this.cancelSignal());
		let body: ByteStream | undefined;
		const content =
			streamed ?? (typeof options.body === 'string' ? streamedText(options.body) : undefined);
		const ask = async () => {
			if (content !== undefined) {
				body = await content.open(this.limits.stallMs, exchange.moved);
				exchange.hold(body);
			}
			return await this.request(requestOf(options, exchange.signal, content, body), withKey);
		};
		try {
			const { statusCode, headers, ...answer } = await exchange.answered(
				ask(),
				patience.silenceMs,
				patience.totalMs ?? this.limits.fileMs,
			);
			if (withKey) this.noteClock(headers, began);
			const received = { status: statusCode, headers, body: answer.body };
			const elapsed = Date.now() - began;
			return await this.read(received, exchange, options.encoding, {
				...patience,
				...(patience.totalMs !== undefined && { totalMs: patience.totalMs - elapsed }),
			});
		} catch (thrown) {
			exchange.end();
			const own = findFailure(thrown);
			if (own !== undefined) throw own;
			return readFault(thrown, body?.readableDidRead);
		}
	}

	/** Reads the text of a success. Files and refusals are left to read, within their limits. */
	private async read(
		answer: Answer,
		{ end }: Exchange,
		encoding: IHttpRequestOptions['encoding'],
		patience: Patience,
	): Promise<Answer | Fault> {
		if (!isByteStream(answer.body)) {
			end();
			return answer;
		}
		const isText = answer.status < 300 && encoding !== 'stream';
		const allowance = this.allowance(answer.status, isText, patience);
		const body = metered(answer.body, allowance, { onEnd: end });
		if (!isText) return { ...answer, body };
		try {
			const text = (await readAll(body)).toString('utf8').replace(/^\uFEFF/, '');
			if (endsWithConnection(answer.headers)) checkEnd(text);
			return { ...answer, body: text };
		} catch (thrown) {
			return readAnswerFault(thrown);
		}
	}

	private allowance(status: number, isText: boolean, { silenceMs, totalMs }: Patience): Allowance {
		const { limits } = this;
		const within = (ms: number) => Math.min(ms, totalMs ?? ms);
		if (status >= 300)
			return { silenceMs: within(limits.refusalMs), totalMs: within(limits.refusalMs) };
		if (isText)
			return { silenceMs, totalMs: within(limits.answerMs), mostBytes: limits.answerBytes };
		return { silenceMs: limits.stallMs, totalMs: limits.fileMs, mostBytes: limits.fileBytes };
	}

	private async request(options: IHttpRequestOptions, withKey: boolean): Promise<Received> {
		// The contexts' types have no common `this`, but all of them have the same helper.
		const context = this.context as IExecuteFunctions;
		return (await (withKey
			? context.helpers.httpRequestWithAuthentication.call(context, CREDENTIAL_TYPE, options)
			: context.helpers.httpRequest(options))) as Received;
	}

	private cancelSignal(): AbortSignal | undefined {
		return 'getExecutionCancelSignal' in this.context
			? this.context.getExecutionCancelSignal()
			: undefined;
	}

	private async pause(ms: number, why: string): Promise<void> {
		this.context.logger.info(
			`Sign and Close waits ${Math.ceil(ms / 1000)} s before it tries again (${why})`,
		);
		await sleep(ms, this.cancelSignal());
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

function reasonOf(
	{ code, said, nothingSent }: Fault,
	url: string,
	attempts: number,
): FailureReason {
	if (code === BLOCKED_BY_N8N) return { code: 'notSent', blockedHost: new URL(url).host };
	if (code === STOPPED_BY_N8N && nothingSent) return { code: 'notSent', said };
	return { code: 'unreachable', fault: code, attempts };
}

/**
 * @throws SyntaxError when JSON breaks off
 */
function checkEnd(text: string): void {
	if (/^\s*[{[]/.test(text)) JSON.parse(text);
}

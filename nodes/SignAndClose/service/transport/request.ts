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
import { CREDENTIAL_TYPE } from './credential';
import { BLOCKED_BY_N8N, readFault, STOPPED_BY_N8N, type Fault } from './fault';
import { decideRetry, isRead, parseRetryAfter } from './retry';
import type { StreamedBody } from './streamedJson';
import { discard, isByteStream, readText, type ByteStream } from './streams';

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
const LONGEST_ERROR_BODY_BYTES = 16_384;
const SMALLEST_SKEW_MS = 2_000;

/** An answer of the service, whatever its status. */
export interface Answer {
	status: number;
	headers: Record<string, unknown>;
	body: unknown;
}

interface SendOptions {
	/** Whether the API key goes along. */
	withKey: boolean;
	/** A body that is produced while it is sent. */
	streamed?: StreamedBody;
	/** Somebody waits for our own answer: one repeat at most, and no long pause. */
	impatient?: boolean;
}

/**
 * Sends requests; nothing else in the package calls n8n's HTTP helpers. One sender serves all items
 * of a run, so that a pause after "too many requests" (docs/service/api.md#rate-limits) holds for
 * every item.
 */
export class RequestSender {
	private pausedUntil = 0;

	private clockSkewMs = 0;

	constructor(
		private readonly context: ServiceContext,
		private readonly limits: Limits,
	) {}

	/**
	 * Sends one request and repeats it as decideRetry() allows.
	 * @returns any answer that isn't worth repeating; the body of a refusal is text
	 * @throws ServiceFailure when no answer came, with `flags.inDoubt` when a write may have been
	 *   done
	 */
	async send(
		options: IHttpRequestOptions & { method: string },
		{ withKey, streamed, impatient = false }: SendOptions,
	): Promise<{ answer: Answer; attempts: number }> {
		const { method } = options;
		const timeout = impatient
			? this.limits.impatientMs
			: isRead(method)
				? this.limits.readMs
				: this.limits.writeMs;
		const enough = (attempt: number, waitMs: number) =>
			impatient && (attempt >= IMPATIENT_ATTEMPTS || waitMs > IMPATIENT_PAUSE_MS);
		for (let attempt = 1; ; attempt++) {
			await this.pause(this.pausedUntil - Date.now());
			const outcome = await this.once(options, withKey, streamed, timeout);
			if ('code' in outcome) {
				const verdict = decideRetry(method, attempt, { kind: 'fault', ...outcome }, Math.random());
				if (!verdict.again || enough(attempt, verdict.waitMs))
					throw new ServiceFailure(reasonOf(outcome, options.url, attempt), {
						inDoubt: !isRead(method) && !outcome.nothingSent,
					});
				await this.pause(verdict.waitMs, `${outcome.code}, attempt ${attempt}`);
				continue;
			}
			if (outcome.status < 400) return { answer: outcome, attempts: attempt };
			const retryAfterMs = parseRetryAfter(header(outcome.headers, 'retry-after'), Date.now());
			const verdict = decideRetry(
				method,
				attempt,
				{ kind: 'answer', status: outcome.status, retryAfterMs },
				Math.random(),
			);
			if (!verdict.again || enough(attempt, verdict.waitMs))
				return { answer: await withText(outcome), attempts: attempt };
			discard(outcome.body);
			if (outcome.status === 429)
				this.pausedUntil = Math.max(this.pausedUntil, Date.now() + verdict.waitMs);
			await this.pause(verdict.waitMs, `status ${outcome.status}, attempt ${attempt}`);
		}
	}

	/**
	 * Converts a time of this machine to the service's clock. Both are milliseconds since 1970. The
	 * difference is known after the first answer of the service.
	 */
	toServiceTime(localMs: number): number {
		return localMs + this.clockSkewMs;
	}

	private async once(
		options: IHttpRequestOptions,
		withKey: boolean,
		streamed: StreamedBody | undefined,
		timeout: number,
	): Promise<Answer | Fault> {
		const request: IHttpRequestOptions = {
			...options,
			headers: { ...options.headers },
			timeout,
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			// A followed redirect would carry the key to another host.
			disableFollowRedirect: true,
		};
		let body: ByteStream | undefined;
		if (streamed !== undefined) {
			body = await streamed.open(this.limits.stallMs);
			request.body = body;
			request.headers = {
				...request.headers,
				'Content-Type': 'application/json',
				'Content-Length': String(streamed.contentLength),
			};
		}
		try {
			const response = (await this.request(request, withKey)) as {
				statusCode: number;
				headers: Record<string, unknown>;
				body: unknown;
			};
			this.noteClock(response.headers);
			return { status: response.statusCode, headers: response.headers, body: response.body };
		} catch (thrown) {
			const own = findFailure(thrown);
			if (own !== undefined) throw own;
			return readFault(thrown, body?.readableDidRead);
		} finally {
			discard(body);
		}
	}

	private async request(options: IHttpRequestOptions, withKey: boolean): Promise<unknown> {
		// The contexts' types have no common `this`, but all of them have the same helper.
		const context = this.context as IExecuteFunctions;
		if (withKey)
			return await context.helpers.httpRequestWithAuthentication.call(
				context,
				CREDENTIAL_TYPE,
				options,
			);
		return await context.helpers.httpRequest({ ...options, abortSignal: this.cancelSignal() });
	}

	private cancelSignal(): AbortSignal | undefined {
		return 'getExecutionCancelSignal' in this.context
			? this.context.getExecutionCancelSignal()
			: undefined;
	}

	private async pause(ms: number, why?: string): Promise<void> {
		if (ms <= 0) return;
		this.context.logger.info(
			`Sign and Close waits ${Math.ceil(ms / 1000)} s before it tries again${why === undefined ? '' : ` (${why})`}`,
		);
		await sleep(ms, this.cancelSignal());
	}

	private noteClock(headers: Record<string, unknown>): void {
		const date = Date.parse(header(headers, 'date') ?? '');
		if (Number.isNaN(date)) return;
		// The header has whole seconds. The end of the second is taken, so that nothing made before a
		// request can seem to be made after it.
		const skew = date + 1000 - Date.now();
		this.clockSkewMs = Math.abs(skew) < SMALLEST_SKEW_MS ? 0 : skew;
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
 * Turns the body of a refusal into text, because the body of a streamed request is an unread
 * stream. At most 16 KB are read.
 */
export async function withText(answer: Answer): Promise<Answer> {
	if (!isByteStream(answer.body)) return answer;
	return { ...answer, body: await readText(answer.body, LONGEST_ERROR_BODY_BYTES) };
}

/**
 * Reads a header of an answer; the first value when the header came several times.
 * @param name in lower case
 */
export function header(
	headers: Record<string, unknown> | undefined,
	name: string,
): string | undefined {
	const value = headers?.[name];
	return typeof value === 'string' ? value : Array.isArray(value) ? String(value[0]) : undefined;
}

import {
	sleep,
	type IDataObject,
	type IExecuteFunctions,
	type IHookFunctions,
	type IHttpRequestOptions,
	type ILoadOptionsFunctions,
	type ITriggerFunctions,
	type IWebhookFunctions,
} from 'n8n-workflow';

import { buildPath, ENDPOINTS, PATH_LABELS, type Endpoint, type EndpointName, type PathValues, type Platform } from './endpoints';
import { explainAnswer, explainFault, explainNoJson, redact } from './errors';
import { asFailure, findFailure, ServiceFailure } from './failures';
import type { StreamedBody } from './jsonStream';
import { decideRetry, isRead, nothingWasSent, parseRetryAfter } from './retry';
import { CREDENTIAL_TYPE, readSettings, type ServiceSettings } from './settings';
import { discard, isByteStream, readText, type ByteStream } from './streams';
import { asObject, asText } from './wire';

/** Every n8n context that talks to the service. */
export type ServiceContext = IExecuteFunctions | IHookFunctions | ILoadOptionsFunctions | ITriggerFunctions | IWebhookFunctions;

/** Silence on the line, in milliseconds, after which a request is given up. An object, so that tests need not wait as long. */
export const TIMEOUTS = { readMs: 45_000, writeMs: 180_000, impatientMs: 8_000 };
const IMPATIENT_ATTEMPTS = 2;
const IMPATIENT_PAUSE_MS = 3_000;
const LONGEST_ERROR_BODY_BYTES = 16_384;
const SMALLEST_SKEW_MS = 2_000;

export interface Call {
	path?: PathValues;
	query?: IDataObject;
	body?: object;
	stream?: StreamedBody;
	platform?: Platform;
	/** Real-estate requests with identity assurance go to /mortgage/v2 (interface.md §2). */
	assurance?: boolean;
	/** Somebody waits for an answer of ours, e.g. the service itself for 30 s (gaps.md §2): one repeat, and no long pause. */
	impatient?: boolean;
}

export interface Answer {
	status: number;
	headers: Record<string, unknown>;
	body: unknown;
}

interface Fault {
	code: string;
	nothingSent: boolean;
	timedOut: boolean;
}

/** Makes a client for one run of a node; the credential is read and checked first. */
export async function createService(context: ServiceContext): Promise<ServiceClient> {
	return new ServiceClient(context, readSettings(await context.getCredentials(CREDENTIAL_TYPE)));
}

/**
 * The only caller of n8n's HTTP helpers: time-outs, repeats, the pause after "too many requests", streams, JSON.
 * One client serves all items of a run, so that one item's pause is every item's pause.
 */
export class ServiceClient {
	private pausedUntil = 0;

	private clockSkewMs = 0;

	constructor(
		private readonly context: ServiceContext,
		readonly settings: ServiceSettings,
	) {}

	/**
	 * Sends a request and parses the JSON answer.
	 * @returns the parsed body; undefined when the answer is empty
	 * @throws ServiceFailure with the remedy; `details.inDoubt` when a write may have been done
	 */
	async json(name: EndpointName, call: Call = {}): Promise<unknown> {
		const answer = await this.answer(name, call);
		const text = typeof answer.body === 'string' ? answer.body : '';
		if (text.trim() === '') return undefined;
		try {
			return JSON.parse(text) as unknown;
		} catch {
			throw isRead(ENDPOINTS[name].method) ? explainNoJson(answer.status) : inDoubt(explainNoJson(answer.status));
		}
	}

	/**
	 * A write that changes a thing, and the thing as it is afterwards: some services answer with nothing.
	 * @param retrieve gets it; when that does not go well, the write has been done all the same and must not be repeated
	 */
	async written(name: EndpointName, call: Call, retrieve: () => Promise<IDataObject>): Promise<IDataObject> {
		const answer = asObject(await this.json(name, call));
		if (asText(answer.id) !== undefined) return answer;
		try {
			return await retrieve();
		} catch (thrown) {
			throw inDoubt(asFailure(thrown, explainNoJson(200)));
		}
	}

	/**
	 * Sends a request whose answer is too big for memory: a file, or JSON that holds one.
	 * @returns the body as a stream, with the headers
	 */
	async stream(name: EndpointName, call: Call = {}): Promise<{ stream: ByteStream; headers: Record<string, unknown> }> {
		const answer = await this.answer(name, call, 'stream');
		if (!isByteStream(answer.body)) throw explainNoJson(answer.status);
		return { stream: answer.body, headers: answer.headers };
	}

	/** A time of this machine as the service's clock shows it, after the service has answered once. Milliseconds since 1970. */
	toServiceTime(localMs: number): number {
		return localMs + this.clockSkewMs;
	}

	/** A secret of the input, e.g. a social security number: from now on it is removed from every text of this run. */
	keepSecret(secret: string): void {
		if (secret !== '' && !this.settings.secrets.includes(secret)) this.settings.secrets.push(secret);
	}

	/** Removes the credential's and the input's secrets from a text. */
	redact(text: string): string {
		return redact(text, this.settings.secrets);
	}

	/**
	 * Opens a temporary or protected link for reading.
	 * The API key goes along only to the base URL's own origin; redirects are followed by hand so that it stays there.
	 * @throws ServiceFailure; 401, 403, 404 and 410 can mean that the link has expired
	 */
	async open(link: string): Promise<{ stream: ByteStream; headers: Record<string, unknown> }> {
		let url = this.parseLink(link);
		for (let hops = 0; ; hops++) {
			const answer = await this.attempts('GET', { url: url.href, method: 'GET', encoding: 'stream' }, url.origin === this.settings.origin);
			if (answer.status < 300 && isByteStream(answer.body)) return { stream: answer.body, headers: answer.headers };
			const location = header(answer.headers, 'location');
			if (answer.status >= 300 && answer.status < 400 && location !== undefined && hops < 5) {
				discard(answer.body);
				const next = this.parseLink(new URL(location, url).href);
				if (url.protocol === 'https:' && next.protocol !== 'https:') throw this.explain(answer, 1);
				url = next;
				continue;
			}
			throw this.explain(await this.withText(answer), 1);
		}
	}

	private parseLink(link: string): URL {
		try {
			const url = new URL(link);
			if (url.protocol === 'https:' || url.protocol === 'http:') return url;
		} catch {
			// Told below.
		}
		throw new ServiceFailure('The service gave a link that can not be opened', { remedy: 'Run the node again; ask the service if it stays so' });
	}

	private async answer(name: EndpointName, call: Call, encoding: 'text' | 'stream' = 'text'): Promise<Answer> {
		const endpoint: Endpoint = ENDPOINTS[name];
		const platforms = Object.keys(endpoint.platforms) as Platform[];
		const platform = call.platform !== undefined && platforms.includes(call.platform) ? call.platform : platforms[0];
		const first = await this.send(endpoint, name, platform, call, encoding);
		// A service that knows only the documented paths has these on the business side alone, and an account for business is refused here (gaps.md §9):
		// a 404 or 401 proves that nothing was done.
		const elsewhere = first.answer.status === 404 || (first.answer.status === 401 && isRead(endpoint.method));
		if (elsewhere && platform === 'realEstate' && endpoint.platforms.business === 'doc' && call.path !== undefined) {
			const second = await this.send(endpoint, name, 'business', call, encoding);
			if (second.answer.status < 300) return second.answer;
			// It is there, and was refused for a reason of its own.
			if (second.answer.status !== 404 && second.answer.status !== 401) throw this.explain(await this.withText(second.answer), second.attempts, call.path);
			discard(second.answer.body);
		}
		if (first.answer.status >= 200 && first.answer.status < 300) return first.answer;
		throw this.explain(await this.withText(first.answer), first.attempts, call.path, endpoint.platforms[platform] !== 'doc');
	}

	private async send(endpoint: Endpoint, name: EndpointName, platform: Platform, call: Call, encoding: 'text' | 'stream'): Promise<{ answer: Answer; attempts: number }> {
		const method = platform === 'realEstate' ? (endpoint.realEstateMethod ?? endpoint.method) : endpoint.method;
		const options: IHttpRequestOptions = {
			url: this.settings.baseUrl + buildPath(name, platform, this.settings.prefixes, call.path, call.assurance),
			method,
			qs: call.query,
			encoding,
			headers: { Accept: encoding === 'text' ? 'application/json' : '*/*' },
		};
		if (call.body !== undefined) {
			options.body = JSON.stringify(call.body);
			options.headers!['Content-Type'] = 'application/json';
		}
		let attempts = 0;
		const answer = await this.attempts(method, options, true, call.stream, (count) => (attempts = count), call.impatient);
		return { answer, attempts };
	}

	/** One request with its repeats; resolves with any answer that is not worth repeating. */
	private async attempts(
		method: string,
		options: IHttpRequestOptions,
		withKey: boolean,
		streamed?: StreamedBody,
		count: (attempt: number) => void = () => undefined,
		impatient = false,
	): Promise<Answer> {
		const enough = (attempt: number, waitMs: number) => impatient && (attempt >= IMPATIENT_ATTEMPTS || waitMs > IMPATIENT_PAUSE_MS);
		for (let attempt = 1; ; attempt++) {
			count(attempt);
			await this.pause(this.pausedUntil - Date.now());
			const outcome = await this.once(options, withKey, streamed, impatient ? TIMEOUTS.impatientMs : isRead(method) ? TIMEOUTS.readMs : TIMEOUTS.writeMs);
			if ('code' in outcome) {
				const verdict = decideRetry(method, attempt, { kind: 'fault', nothingSent: outcome.nothingSent, timedOut: outcome.timedOut }, Math.random());
				if (!verdict.again || enough(attempt, verdict.waitMs)) throw explainFault(outcome.code, attempt, !isRead(method) && !outcome.nothingSent);
				await this.pause(verdict.waitMs, `${outcome.code}, attempt ${attempt}`);
				continue;
			}
			if (outcome.status < 400) return outcome;
			const retryAfterMs = parseRetryAfter(header(outcome.headers, 'retry-after'), Date.now());
			const verdict = decideRetry(method, attempt, { kind: 'answer', status: outcome.status, retryAfterMs }, Math.random());
			if (!verdict.again || enough(attempt, verdict.waitMs)) {
				const answer = await this.withText(outcome);
				// A gateway's 502 or 504 says nothing about what happened behind it.
				if (!isRead(method) && outcome.status >= 500) throw inDoubt(this.explain(answer, attempt));
				return answer;
			}
			discard(outcome.body);
			if (outcome.status === 429) this.pausedUntil = Math.max(this.pausedUntil, Date.now() + verdict.waitMs);
			await this.pause(verdict.waitMs, `status ${outcome.status}, attempt ${attempt}`);
		}
	}

	private async once(options: IHttpRequestOptions, withKey: boolean, streamed: StreamedBody | undefined, timeout: number): Promise<Answer | Fault> {
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
			body = await streamed.open();
			request.body = body;
			request.headers = { ...request.headers, 'Content-Type': 'application/json', 'Content-Length': String(streamed.contentLength) };
		}
		try {
			const response = (await this.request(request, withKey)) as { statusCode: number; headers: Record<string, unknown>; body: unknown };
			this.noteClock(response.headers);
			return { status: response.statusCode, headers: response.headers, body: response.body };
		} catch (thrown) {
			const own = findFailure(thrown);
			if (own !== undefined) throw own;
			return readFault(thrown);
		} finally {
			discard(body);
		}
	}

	private async request(options: IHttpRequestOptions, withKey: boolean): Promise<unknown> {
		// The union of contexts has no common `this`; all of them carry the same helper.
		const context = this.context as IExecuteFunctions;
		if (withKey) return await context.helpers.httpRequestWithAuthentication.call(context, CREDENTIAL_TYPE, options);
		return await context.helpers.httpRequest({ ...options, abortSignal: this.cancelSignal() });
	}

	private cancelSignal(): AbortSignal | undefined {
		return 'getExecutionCancelSignal' in this.context ? this.context.getExecutionCancelSignal() : undefined;
	}

	private async pause(ms: number, why?: string): Promise<void> {
		if (ms <= 0) return;
		this.context.logger.info(`Sign and Close waits ${Math.ceil(ms / 1000)} s before it asks again${why === undefined ? '' : ` (${why})`}`);
		await sleep(ms, this.cancelSignal());
	}

	private noteClock(headers: Record<string, unknown>): void {
		const date = Date.parse(header(headers, 'date') ?? '');
		if (Number.isNaN(date)) return;
		// The header has whole seconds: its upper end is taken, so that nothing older than a request can seem younger than it.
		const skew = date + 1000 - Date.now();
		this.clockSkewMs = Math.abs(skew) < SMALLEST_SKEW_MS ? 0 : skew;
	}

	private async withText(answer: Answer): Promise<Answer> {
		if (!isByteStream(answer.body)) return answer;
		return { ...answer, body: await readText(answer.body, LONGEST_ERROR_BODY_BYTES) };
	}

	private explain(answer: Answer, attempts: number, path: PathValues = {}, undocumented = false): ServiceFailure {
		const [subject] = Object.entries(path).reverse();
		const location = header(answer.headers, 'location');
		const failure = explainAnswer({
			status: answer.status,
			body: parseBody(answer.body, (text) => this.redact(text)),
			subject: subject && { label: PATH_LABELS[subject[0]] ?? subject[0], id: subject[1] },
			redirectHost: location !== undefined && URL.canParse(location) ? new URL(location).host : undefined,
			retryAfterMs: parseRetryAfter(header(answer.headers, 'retry-after'), Date.now()),
			trace: header(answer.headers, 'x-amz-trace-id'),
			attempts,
			undocumented,
		});
		return failure;
	}
}

/** The failure of a write that may have been done all the same. */
export function inDoubt(failure: ServiceFailure): ServiceFailure {
	return new ServiceFailure(`${failure.message}, so it is not known whether it has been done`, {
		...failure.details,
		remedy: `Look it up at the service before running the node again, so that nothing is done twice. ${failure.details.remedy}`,
		inDoubt: true,
	});
}

function header(headers: Record<string, unknown> | undefined, name: string): string | undefined {
	const value = headers?.[name];
	return typeof value === 'string' ? value : Array.isArray(value) ? String(value[0]) : undefined;
}

function parseBody(body: unknown, clean: (text: string) => string): unknown {
	if (typeof body !== 'string') return body;
	const text = clean(body);
	try {
		return JSON.parse(text) as unknown;
	} catch {
		return text;
	}
}

function readFault(thrown: unknown): Fault {
	let code: string | undefined;
	let syscall: string | undefined;
	for (let link: unknown = thrown, depth = 0; typeof link === 'object' && link !== null && depth < 6; depth++) {
		const fault = link as { code?: unknown; syscall?: unknown; httpCode?: unknown; message?: unknown; cause?: unknown; errors?: unknown };
		if (typeof fault.code === 'string') code ??= fault.code;
		if (typeof fault.syscall === 'string') syscall ??= fault.syscall;
		// Several addresses of one host were tried: the first tells enough.
		link = fault.cause ?? (Array.isArray(fault.errors) ? fault.errors[0] : undefined);
	}
	if (code === undefined && thrown instanceof Error) code = /stalled|timeout/i.test(thrown.message) ? 'ETIMEDOUT' : 'ECONNRESET';
	return { code: code ?? 'UNKNOWN', nothingSent: nothingWasSent(code, syscall), timedOut: code === 'ECONNABORTED' || code === 'ETIMEDOUT' };
}

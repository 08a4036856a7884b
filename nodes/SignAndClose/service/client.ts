import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import {
	buildPath,
	ENDPOINTS,
	type Endpoint,
	type EndpointName,
	type PathValues,
	type Platform,
} from './endpoints';
import { asFailure, inDoubt, ServiceFailure, type IdName, type Refusal } from './errors/failure';
import { redact, toRefusal, unexpectedAnswer } from './errors/refusal';
import { LIMITS, type Limits } from './limits';
import { CREDENTIAL_TYPE, readSettings, type ServiceSettings } from './transport/credential';
import {
	header,
	RequestSender,
	withText,
	type Answer,
	type ServiceContext,
} from './transport/request';
import { isRead, parseRetryAfter } from './transport/retry';
import type { StreamedBody } from './transport/streamedJson';
import { discard, isByteStream, type ByteStream } from './transport/streams';
import { asObject, asText } from './values/json';

/* Calls endpoints of the service by name and turns refusals into failures. */

/** What a call of an endpoint consists of. */
export interface Call {
	path?: PathValues;
	query?: IDataObject;
	body?: object;
	stream?: StreamedBody;
	platform?: Platform;
	/**
	 * Whether signers have the identity-assurance object, which sends a real-estate request to
	 * another prefix (docs/service/api.md#path-of-a-closing-with-identity-assurance).
	 */
	assurance?: boolean;
	/**
	 * Somebody waits for our own answer, e.g. the service for 30 seconds when it delivers an event
	 * (docs/service/webhooks.md#retries). The request is then repeated once at most, without a long
	 * pause.
	 */
	impatient?: boolean;
}

/**
 * Creates a client for one run of a node.
 * @param limits those of the package, which tests shorten
 * @throws ServiceFailure when the base URL can't be used or there is no API key
 */
export async function createService(
	context: ServiceContext,
	limits: Limits = LIMITS,
): Promise<ServiceClient> {
	const settings = readSettings(await context.getCredentials(CREDENTIAL_TYPE));
	return new ServiceClient(context, settings, limits);
}

/**
 * Calls endpoints by name, on a platform that has them, with JSON or streams. One client serves all
 * items of a run, so that a pause after "too many requests" holds for every item.
 */
export class ServiceClient {
	private readonly sender: RequestSender;

	constructor(
		context: ServiceContext,
		readonly settings: ServiceSettings,
		readonly limits: Limits = LIMITS,
	) {
		this.sender = new RequestSender(context, limits);
	}

	/**
	 * Sends a request and parses the JSON answer.
	 * @returns the parsed body; undefined when the answer is empty
	 * @throws ServiceFailure with `flags.inDoubt` when a write may have been done
	 */
	async json(name: EndpointName, call: Call = {}): Promise<unknown> {
		const answer = await this.answer(name, call);
		const text = typeof answer.body === 'string' ? answer.body : '';
		if (text.trim() === '') return undefined;
		try {
			return JSON.parse(text) as unknown;
		} catch {
			throw isRead(ENDPOINTS[name].method)
				? unexpectedAnswer(answer.status)
				: inDoubt(unexpectedAnswer(answer.status));
		}
	}

	/**
	 * Sends a write and returns the changed object. A service may answer a write with an empty body;
	 * the object is then retrieved.
	 * @param retrieve gets the object as it is now
	 * @throws ServiceFailure; in doubt when only `retrieve` failed, because the write was done and
	 *   must not be repeated
	 */
	async written(
		name: EndpointName,
		call: Call,
		retrieve: () => Promise<IDataObject>,
	): Promise<IDataObject> {
		const answer = asObject(await this.json(name, call));
		if (asText(answer.id) !== undefined) return answer;
		try {
			return await retrieve();
		} catch (thrown) {
			throw inDoubt(asFailure(thrown, unexpectedAnswer(200)));
		}
	}

	/**
	 * Sends a request whose answer is too big for memory: a file, or JSON that holds one.
	 * @returns the body as a stream, with the headers
	 * @throws ServiceFailure with `flags.inDoubt` when a write may have been done
	 */
	async stream(
		name: EndpointName,
		call: Call = {},
	): Promise<{ stream: ByteStream; headers: Record<string, unknown> }> {
		const answer = await this.answer(name, call, 'stream');
		if (!isByteStream(answer.body)) throw unexpectedAnswer(answer.status);
		return { stream: answer.body, headers: answer.headers };
	}

	/**
	 * Converts a time of this machine to the service's clock. Both are milliseconds since 1970. The
	 * difference is known after the first answer of the service.
	 */
	toServiceTime(localMs: number): number {
		return this.sender.toServiceTime(localMs);
	}

	/**
	 * Removes a secret of the input, e.g. a social security number, from every text of this run from
	 * now on.
	 */
	keepSecret(secret: string): void {
		if (secret !== '' && !this.settings.secrets.includes(secret))
			this.settings.secrets.push(secret);
	}

	/** Removes the secrets of the credential and of the input from a text. */
	redact(text: string): string {
		return redact(text, this.settings.secrets);
	}

	/**
	 * Opens a link of an answer for reading. The API key goes only to the base URL's own origin
	 * (docs/service/documents.md#links); redirects are followed one by one so that it stays there.
	 * @throws ServiceFailure; 400, 401, 403, 404 and 410 can mean that the link has expired
	 */
	async open(link: string): Promise<{ stream: ByteStream; headers: Record<string, unknown> }> {
		let url = this.parseLink(link);
		for (let hops = 0; ; hops++) {
			const { answer } = await this.sender.send(
				{ url: url.href, method: 'GET', encoding: 'stream' },
				{ withKey: url.origin === this.settings.origin },
			);
			if (answer.status < 300 && isByteStream(answer.body))
				return { stream: answer.body, headers: answer.headers };
			const location = header(answer.headers, 'location');
			if (answer.status >= 300 && answer.status < 400 && location !== undefined && hops < 5) {
				discard(answer.body);
				const next = this.parseLink(new URL(location, url).href);
				if (url.protocol === 'https:' && next.protocol !== 'https:') throw this.refusal(answer, 1);
				url = next;
				continue;
			}
			const linkWithoutKey = url.origin !== this.settings.origin;
			throw this.refusal(await withText(answer), 1, {}, { linkWithoutKey });
		}
	}

	private parseLink(link: string): URL {
		try {
			const url = new URL(link);
			if (url.protocol === 'https:' || url.protocol === 'http:') return url;
		} catch {
			// Thrown below, like a link of another protocol.
		}
		throw new ServiceFailure({ code: 'unusableLink' });
	}

	private async answer(
		name: EndpointName,
		call: Call,
		encoding: 'text' | 'stream' = 'text',
	): Promise<Answer> {
		const endpoint: Endpoint = ENDPOINTS[name];
		const platforms = Object.keys(endpoint.platforms) as Platform[];
		const platform =
			call.platform !== undefined && platforms.includes(call.platform)
				? call.platform
				: platforms[0];
		const first = await this.send(endpoint, name, platform, call, encoding);
		// A service may know the documented paths only, which several endpoints have on the business
		// side alone, and a business account is refused here (docs/service/errors.md#wrong-platform).
		// 404 and 401 prove that nothing was done.
		const elsewhere =
			first.answer.status === 404 || (first.answer.status === 401 && isRead(endpoint.method));
		if (
			elsewhere &&
			platform === 'realEstate' &&
			endpoint.platforms.business === 'doc' &&
			call.path !== undefined
		) {
			const second = await this.send(endpoint, name, 'business', call, encoding);
			if (second.answer.status < 300) return second.answer;
			// The business side has it and refused the call for a reason of its own.
			if (second.answer.status !== 404 && second.answer.status !== 401)
				throw this.refusal(await withText(second.answer), second.attempts, call.path);
			discard(second.answer.body);
		}
		if (first.answer.status >= 200 && first.answer.status < 300) return first.answer;
		throw this.refusal(await withText(first.answer), first.attempts, call.path, {
			undocumented: endpoint.platforms[platform] !== 'doc',
		});
	}

	private async send(
		endpoint: Endpoint,
		name: EndpointName,
		platform: Platform,
		call: Call,
		encoding: 'text' | 'stream',
	): Promise<{ answer: Answer; attempts: number }> {
		const method =
			platform === 'realEstate' ? (endpoint.realEstateMethod ?? endpoint.method) : endpoint.method;
		const options: IHttpRequestOptions = {
			url:
				this.settings.baseUrl +
				buildPath(name, platform, this.settings.prefixes, call.path, call.assurance),
			method,
			qs: call.query,
			encoding,
			headers: { Accept: encoding === 'text' ? 'application/json' : '*/*' },
		};
		if (call.body !== undefined) {
			options.body = JSON.stringify(call.body);
			options.headers!['Content-Type'] = 'application/json';
		}
		const sent = await this.sender.send(
			{ ...options, method },
			{ withKey: true, streamed: call.stream, impatient: call.impatient },
		);
		// A 5xx doesn't tell whether the write was done: a gateway's 502 or 504 says nothing about what
		// happened behind it.
		if (!isRead(method) && sent.answer.status >= 500)
			throw inDoubt(this.refusal(await withText(sent.answer), sent.attempts));
		return sent;
	}

	private refusal(
		answer: Answer,
		attempts: number,
		path: PathValues = {},
		more: Pick<Refusal, 'undocumented' | 'linkWithoutKey'> = {},
	): ServiceFailure {
		const [subject] = Object.entries(path).reverse();
		const location = header(answer.headers, 'location');
		const body = parseBody(answer.body, (text) => this.redact(text));
		return toRefusal(body, {
			status: answer.status,
			subject: subject && { name: subject[0] as IdName, id: subject[1] },
			redirectHost:
				location !== undefined && URL.canParse(location) ? new URL(location).host : undefined,
			retryAfterMs: parseRetryAfter(header(answer.headers, 'retry-after'), Date.now()),
			trace: header(answer.headers, 'x-amz-trace-id'),
			attempts,
			...more,
		});
	}
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

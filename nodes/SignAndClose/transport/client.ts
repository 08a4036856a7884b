import { sleep, type IDataObject, type IHttpRequestOptions } from 'n8n-workflow';

import { parseJson } from '../values/json';
import { hideSecrets } from '../values/secrets';
import { loadCredential, readSettings, type ServiceSettings } from './credential/credential';
import { OpenedCredential } from './credential/openedCredential';
import { inDoubt, type ServiceFailure } from './failure/failure';
import { redact, unexpectedAnswer } from './failure/refusal';
import type { StreamedBody } from './files/streamedJson';
import { isByteStream, type ByteStream } from './files/streams';
import { isSuccess, leavesDoubt, type Answer } from './http/answer';
import { isRead } from './http/retry';
import { openLink } from './openLink';
import type { Pace } from './pace/pace';
import { askedOf, refusalOf, textsOf } from './refusedAnswer';
import type { ServiceContext } from './request/attempt';
import { RequestSender, type Sent } from './request/request';
import { ENDPOINTS, type Endpoint, type EndpointName, type Platform } from './service/endpoints';
import { LIMITS, type Limits } from './service/limits';
import { buildPath, type PathValues } from './service/paths';
import { platformAfter, platformFor, saysMore } from './service/platforms';

/* Calls endpoints of the service by name and turns refusals into failures. */

/** What a call of an endpoint consists of. */
export interface Call {
	path?: PathValues;
	query?: IDataObject;
	body?: object;
	stream?: StreamedBody;
	/** Where the form or the operation decides it. Without it, either platform may have the answer. */
	platform?: Platform;
	/** Is told each platform that is asked; the last one has answered. */
	tellPlatform?: (asked: Platform) => void;
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
	/** The answer may be plain text (docs/service/documents.md#bookmarked-pdfs). */
	mayBeText?: boolean;
}

/**
 * Creates a client for one run of a node.
 * @param limits those of the package, which tests shorten
 * @param load reads the credential
 * @throws ServiceFailure when the credential can't be read, or its base URL or API key can't be used
 */
export async function createService(
	context: ServiceContext,
	limits: Limits = LIMITS,
	load: typeof loadCredential = loadCredential,
): Promise<ServiceClient> {
	const credential = await load(context);
	const settings = readSettings(credential);
	const opened = new OpenedCredential(context, credential, settings);
	return new ServiceClient(context, settings, limits, opened);
}

/**
 * Calls endpoints by name, on a platform that has them, with JSON or streams. One client serves all
 * items of a run.
 */
export class ServiceClient {
	private readonly sender: RequestSender;

	private readonly onSend?: () => void;

	/** Shared with the clients of telling(). */
	private readonly rests = { underWay: 0 };

	/**
	 * The platforms that have answered where nobody has chosen one, by the IDs of the path: an account
	 * may have webhooks on both. What has no ID is asked about on one of them, e.g. the list.
	 */
	private readonly platforms = new Map<string, Platform>();

	constructor(
		context: ServiceContext,
		readonly settings: ServiceSettings,
		readonly limits: Limits,
		credential: OpenedCredential,
	) {
		this.sender = new RequestSender(context, limits, settings, credential);
	}

	/** How many requests may be open at once at present (docs/pace.md). */
	get atOnce(): number {
		return this.sender.atOnce;
	}

	/** How many items rest at present, so that they send nothing. */
	get resting(): number {
		return this.rests.underWay;
	}

	/** How much the service has slowed down all who use this key since this client was made. */
	get slowdowns(): Pace['slowdowns'] {
		return this.sender.slowdowns;
	}

	/** The same client, which tells when it sends a request, and when it rests. */
	telling(onSend: () => void): ServiceClient {
		return Object.assign(Object.create(this) as ServiceClient, { onSend });
	}

	/**
	 * Waits before the service is asked once more. Meanwhile, another item may take the place.
	 * @param signal ends the wait when the execution is canceled
	 */
	async rest(ms: number, signal?: AbortSignal): Promise<void> {
		this.rests.underWay++;
		this.onSend?.();
		await sleep(ms, signal).finally(() => this.rests.underWay--);
	}

	/**
	 * Sends a request and parses the JSON answer.
	 * @returns the parsed body; undefined when the answer is empty; the text where that was expected
	 * @throws ServiceFailure with `flags.inDoubt` when a write may have been done
	 */
	async json(name: EndpointName, call: Call = {}): Promise<unknown> {
		const answer = await this.answer(name, call);
		const text = typeof answer.body === 'string' ? answer.body : '';
		if (text.trim() === '') return undefined;
		try {
			return parseJson(text);
		} catch {
			// A web page isn't the service's answer in any case.
			if (call.mayBeText === true && !/^\s*</.test(text)) return text.trim();
			throw isRead(ENDPOINTS[name].method)
				? unexpectedAnswer(answer.status)
				: inDoubt(unexpectedAnswer(answer.status));
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
	 * The latest time that the service's clock may have shown at a time of this machine. Both are
	 * milliseconds since 1970.
	 * @returns undefined while no answer has shown the service's clock
	 */
	latestServiceTime(localMs: number): number | undefined {
		return this.sender.latestServiceTime(localMs);
	}

	/**
	 * Hides a secret of the input, e.g. a social security number, from now on in all messages and
	 * outputs of this run.
	 * @param where `messages` where it may be an ordinary word, which outputs must not lose
	 */
	keepSecret(secret: string, where: 'everywhere' | 'messages' = 'everywhere'): void {
		const { secrets, outputSecrets } = this.settings;
		for (const list of where === 'everywhere' ? [secrets, outputSecrets] : [secrets])
			if (secret !== '' && !list.includes(secret)) list.push(secret);
	}

	/** Removes the secrets of the credential and of the input from a text. */
	redact(text: string): string {
		return redact(text, this.settings.secrets);
	}

	/**
	 * Hides the secrets of the credential and of the input in an output.
	 * @returns the same object when it has none
	 */
	hide<T>(output: T): T {
		return hideSecrets(output, this.settings.outputSecrets);
	}

	/**
	 * Opens a link of an answer for reading (openLink()).
	 * @throws ServiceFailure; 400, 401, 403, 404 and 410 can mean that the link has expired
	 */
	async open(link: string): Promise<{ stream: ByteStream; headers: Record<string, unknown> }> {
		return await openLink(link, this.sender, this.settings);
	}

	/**
	 * Sends a call, after a refusal perhaps once more on the other platform.
	 * @throws ServiceFailure for anything but a success
	 */
	private async answer(
		name: EndpointName,
		call: Call,
		encoding: 'text' | 'stream' = 'text',
	): Promise<Answer> {
		const path = JSON.stringify(call.path ?? {});
		const chosen = call.platform ?? this.platforms.get(path);
		let platform = platformFor(name, chosen ?? this.platforms.get('{}'));
		let sent = await this.send(name, platform, call, encoding);
		const first = this.said(sent, platform);
		const other = platformAfter(name, platform, chosen, first);
		// Prefixes of one's own may be the same for both.
		if (other !== undefined && this.url(name, other, call) !== this.url(name, platform, call)) {
			const second = await this.send(name, other, call, encoding);
			if (saysMore(name, this.said(second, other), first)) [sent, platform] = [second, other];
		}
		if (!isSuccess(sent.answer)) throw this.refusal(sent, name, platform, call);
		if (chosen === undefined) this.platforms.set(path, platform);
		return sent.answer;
	}

	private said({ answer }: Sent, platform: Platform) {
		const said = isSuccess(answer) ? [] : textsOf(answer, (text) => this.redact(text));
		return { platform, status: answer.status, said };
	}

	private url(name: EndpointName, platform: Platform, call: Call): string {
		const { baseUrl, prefixes } = this.settings;
		return baseUrl + buildPath(name, platform, prefixes, call.path, call.assurance);
	}

	private async send(
		name: EndpointName,
		platform: Platform,
		call: Call,
		encoding: 'text' | 'stream',
	): Promise<Sent> {
		this.onSend?.();
		call.tellPlatform?.(platform);
		const endpoint: Endpoint = ENDPOINTS[name];
		const onRealEstate = platform === 'realEstate';
		const method = onRealEstate ? (endpoint.realEstateMethod ?? endpoint.method) : endpoint.method;
		const options: IHttpRequestOptions = {
			url: this.url(name, platform, call),
			method,
			qs: onRealEstate && endpoint.realEstateTakesNoQuery === true ? undefined : call.query,
			encoding,
			headers: { Accept: encoding === 'text' ? 'application/json' : '*/*' },
		};
		if (call.body !== undefined) {
			options.body = JSON.stringify(call.body);
			options.headers!['Content-Type'] = 'application/json';
		}
		const { answer, attempts } = await this.sender.send(
			{ ...options, method },
			{ withKey: true, streamed: call.stream, impatient: call.impatient },
		);
		const read = isSuccess(answer) ? answer : await this.sender.withText(answer);
		const sent = { answer: read, attempts };
		if (!isRead(method) && leavesDoubt(answer.status))
			throw inDoubt(this.refusal(sent, name, platform, {}));
		return sent;
	}

	private refusal(
		{ answer, attempts }: Sent,
		name: EndpointName,
		platform: Platform,
		{ path }: Call,
	): ServiceFailure {
		const endpoint: Endpoint = ENDPOINTS[name];
		return refusalOf(
			answer,
			{
				asked: askedOf(endpoint),
				attempts,
				path,
				undocumented: endpoint.platforms[platform] !== 'doc',
			},
			(text) => this.redact(text),
		);
	}
}

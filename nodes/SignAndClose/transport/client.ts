import { sleep, type IDataObject } from 'n8n-workflow';

import { parseJson } from '../values/json';
import { hideSecrets } from '../values/secrets';
import { loadCredential, parseSettings, type ServiceSettings } from './service/credential';
import { withUnknownOutcome, type ServiceFailure } from './failure/failure';
import { redact, readRefusal, buildUnexpectedAnswer } from './failure/refusal';
import { ByteBudget } from './files/byteBudget';
import type { StreamedBody } from './files/requestBody';
import { isByteStream, type Opened } from './files/streams';
import { isRead } from './http/retry';
import { isSuccess, leavesOutcomeUnknown } from './http/statuses';
import { openLink } from './links/openLink';
import type { ServiceContext } from './request/attempt';
import { RequestSender, type Sent } from './request/sender';
import { ENDPOINTS, type Endpoint, type EndpointName, type Platform } from './service/endpoints';
import { LIMITS, type Limits } from './service/limits';
import { refuseOtherAnswer } from './service/answerCheck';
import { buildPath, type PathValues } from './service/paths';
import { findNextPlatform, choosePlatform, isSecondDecisive } from './service/platforms';

/* Calls endpoints of the service by name and turns refusals into failures. */

/** What a call of an endpoint consists of. */
export interface Call {
	path?: PathValues;
	query?: IDataObject;
	body?: object;
	stream?: StreamedBody;
	/** Where the form or the operation decides it. Without it, either platform may have the answer. */
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
	urgent?: boolean;
	/** The answer may be plain text (docs/service/documents.md#bookmarked-pdfs). */
	mayBeText?: boolean;
}

/** An answer, and the platform that has given it. */
type PlatformAnswer = Sent & { platform: Platform };

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
	const settings = parseSettings(credential);
	const sender = new RequestSender(context, limits, settings.account, credential);
	return new ServiceClient(sender, settings, limits);
}

/**
 * Calls endpoints by name, on a platform that has them, with JSON or streams. The items of a run
 * share one, see createForItem().
 */
export class ServiceClient {
	constructor(
		private readonly sender: RequestSender,
		readonly settings: ServiceSettings,
		readonly limits: Limits,
		private readonly shared = {
			/** How many items rest at present. */
			resting: 0,
			/**
			 * The platforms that have answered where nobody has chosen one, by the IDs of the path: an
			 * account may have webhooks on both. What has no ID is asked about on one of them, e.g. the list.
			 */
			platforms: new Map<string, Platform>(),
			/** The files that come at present. Each counts as one. */
			files: new ByteBudget(),
		},
		private readonly onSend?: () => void,
	) {}

	/** How many requests may be open at once at present (docs/pace.md). */
	get atOnce(): number {
		return this.sender.pace.atOnce;
	}

	/** How many items rest at present, so that they send nothing. */
	get resting(): number {
		return this.shared.resting;
	}

	/** How long all who use this key have paused since this client was made, in milliseconds. */
	get pausedMs(): number {
		return this.sender.pausedMs;
	}

	/**
	 * The same client for one item.
	 * @param onSend is called when it sends a request, and when it rests
	 */
	createForItem(onSend: () => void): ServiceClient {
		return new ServiceClient(this.sender, this.settings, this.limits, this.shared, onSend);
	}

	/**
	 * Waits before the service is asked once more, until the execution is canceled. Meanwhile, another
	 * item may take the place.
	 */
	async rest(ms: number): Promise<void> {
		this.shared.resting++;
		this.onSend?.();
		await sleep(ms, this.sender.cancel).finally(() => this.shared.resting--);
	}

	/**
	 * Receives a file when its turn comes, so that not too many of a run come at the same time.
	 * @param signal ends the waiting
	 */
	async receiveInTurn<T>(receive: () => Promise<T>, signal?: AbortSignal): Promise<T> {
		const end = await this.shared.files.take(1, this.limits.filesAtOnce, signal);
		return await receive().finally(end);
	}

	/**
	 * Sends a request and parses the JSON answer.
	 * @returns the parsed body; undefined when the answer is empty; the text where that was expected
	 * @throws ServiceFailure with `flags.unknownOutcome` when a write may have been done
	 */
	async json(name: EndpointName, call: Call = {}): Promise<unknown> {
		const { body, status } = (await this.answer(name, call, 'text')).answer;
		const text = typeof body === 'string' ? body : '';
		if (text.trim() === '') return undefined;
		let answer: unknown;
		try {
			answer = parseJson(text);
		} catch {
			// A web page isn't the service's answer in any case.
			if (call.mayBeText === true && !/^\s*</.test(text)) return text.trim();
			const failure = buildUnexpectedAnswer(status);
			throw isRead(ENDPOINTS[name].method) ? failure : withUnknownOutcome(failure);
		}
		refuseOtherAnswer(name, call.path, answer);
		return answer;
	}

	/**
	 * Sends a request whose answer is too big for memory: a file, or JSON that holds one.
	 * @returns the body as a stream, with the headers
	 * @throws ServiceFailure with `flags.unknownOutcome` when a write may have been done
	 */
	async stream(name: EndpointName, call: Call = {}): Promise<Opened> {
		const { body, headers, status } = (await this.answer(name, call, 'stream')).answer;
		if (!isByteStream(body)) throw buildUnexpectedAnswer(status);
		return { stream: body, headers };
	}

	/** The platform that has answered calls with these IDs, where nobody has chosen one. */
	findPlatform(path: PathValues): Platform | undefined {
		return this.shared.platforms.get(JSON.stringify(path));
	}

	/**
	 * How far the service's clock may be ahead of this machine's, in milliseconds: 0 while no answer has
	 * shown it.
	 */
	get mostAheadMs(): number {
		return this.sender.mostAheadMs ?? 0;
	}

	/**
	 * Hides a secret of the input, e.g. a social security number, from now on in all messages and
	 * outputs of this run.
	 * @param scope `messages` where it may be an ordinary word, which outputs must not lose
	 */
	keepSecret(secret: string, scope: 'everywhere' | 'messages' = 'everywhere'): void {
		const { secrets, outputSecrets } = this.settings;
		for (const list of scope === 'everywhere' ? [secrets, outputSecrets] : [secrets])
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
	async open(link: string, ownHeaders?: Record<string, string>): Promise<Opened> {
		return await openLink(link, this.sender, this.settings, ownHeaders);
	}

	/**
	 * Sends a call; where nothing says its platform, after a refusal once more on the other one.
	 * @throws ServiceFailure for anything but a success
	 */
	private async answer(
		name: EndpointName,
		call: Call,
		encoding: 'text' | 'stream',
	): Promise<PlatformAnswer> {
		const preset = call.platform ?? this.findPlatform(call.path ?? {});
		const platform = choosePlatform(name, preset ?? this.findPlatform({}));
		let received = await this.send(name, platform, call, encoding);
		const { status } = received.answer;
		const alternative = preset === undefined ? findNextPlatform(name, platform, status) : undefined;
		if (alternative !== undefined) {
			const second = await this.send(name, alternative, call, encoding);
			if (isSecondDecisive(name, received.answer, second.answer)) received = second;
		}
		if (!isSuccess(received.answer.status)) throw this.buildRefusal(received, name, call.path);
		if (preset === undefined)
			this.shared.platforms.set(JSON.stringify(call.path ?? {}), received.platform);
		return received;
	}

	private async send(
		name: EndpointName,
		platform: Platform,
		{ path, query, body, stream: streamed, assurance, urgent: isUrgent }: Call,
		encoding: 'text' | 'stream',
	): Promise<PlatformAnswer> {
		this.onSend?.();
		const {
			method: usual,
			realEstateMethod = usual,
			realEstateTakesNoQuery,
		}: Endpoint = ENDPOINTS[name];
		const onRealEstate = platform === 'realEstate';
		const method = onRealEstate ? realEstateMethod : usual;
		const { baseUrl, prefixes } = this.settings;
		const sent = await this.sender.send(
			{
				url: baseUrl + buildPath(name, platform, prefixes, path, assurance),
				method,
				qs: onRealEstate && realEstateTakesNoQuery === true ? undefined : query,
				encoding,
				headers: {
					Accept: encoding === 'text' ? 'application/json' : '*/*',
					...(body !== undefined && { 'Content-Type': 'application/json' }),
				},
				...(body !== undefined && { body: JSON.stringify(body) }),
			},
			{ withKey: true, streamed, urgent: isUrgent },
		);
		const received = { ...sent, platform };
		if (!isRead(method) && leavesOutcomeUnknown(sent.answer.status))
			throw withUnknownOutcome(this.buildRefusal(received, name));
		return received;
	}

	private buildRefusal(
		{ answer, attempts, platform }: PlatformAnswer,
		name: EndpointName,
		path?: PathValues,
	): ServiceFailure {
		const { method, givesFile, platforms } = ENDPOINTS[name];
		const intent = !isRead(method) ? 'write' : givesFile === true ? 'file' : 'read';
		const undocumented = platforms[platform] !== true;
		return readRefusal(answer, { purpose: intent, attempts, undocumented, path }, (text) =>
			this.redact(text),
		);
	}
}

import type {
	ICredentialDataDecryptedObject,
	IExecuteFunctions,
	IHookFunctions,
	IHttpRequestOptions,
	IN8nHttpFullResponse,
	ILoadOptionsFunctions,
	ITriggerFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';

import { CREDENTIAL_TYPE } from '../service/credential';
import { findFailure } from '../failure/failure';
import { readFault, readAnswerFault, type Fault } from '../failure/networkFault';
import type { StreamedBody } from '../files/requestBody';
import {
	discard,
	isByteStream,
	limitStream,
	OVER,
	readBytes,
	StallTimer,
	type ByteStream,
} from '../files/streams';
import { endsWithConnection, type Answer } from '../http/answer';
import { isRead } from '../http/retry';
import { isSuccess } from '../http/statuses';
import type { Limits } from '../service/limits';

/* Sends a request once, through n8n's HTTP helpers. */

/** Every n8n context that talks to the service. */
export type ServiceContext =
	| IExecuteFunctions
	| IHookFunctions
	| ILoadOptionsFunctions
	| ITriggerFunctions
	| IWebhookFunctions;

/** What the requests of a run have in common. */
export interface Sender {
	readonly context: ServiceContext;
	readonly limits: Limits;
	/**
	 * Opened once: n8n would read, decrypt and evaluate it for every request, which takes longer than
	 * the request itself.
	 */
	readonly credential: ICredentialDataDecryptedObject;
	/** Ends every pause and request when somebody cancels the execution. */
	readonly cancel: AbortSignal | undefined;
}

export type Sendable = IHttpRequestOptions & { method: string };

export interface SendOptions {
	/** Whether the API key goes along. */
	withKey: boolean;
	/** A body that is produced while it is sent. */
	streamed?: StreamedBody;
	/** Somebody waits for our own answer: one repeat at most, and no long pause. */
	urgent?: boolean;
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
export async function sendOnce(
	sender: Sender,
	options: Sendable,
	{ withKey, streamed, urgent: isUrgent }: SendOptions,
): Promise<Answer | Fault> {
	const { urgentMs, readMs, writeMs, fileMs } = sender.limits;
	const usualMs = isRead(options.method) ? readMs : writeMs;
	const [silenceMs, totalMs] = isUrgent ? [urgentMs, urgentMs] : [usualMs, fileMs];
	const began = Date.now();
	const timer = new StallTimer(silenceMs, totalMs, 'ESTALLED');
	const request = new OpenRequest(timer, sender.cancel);
	const ask = async () => {
		request.upload = await streamed?.open(timer.noteMove);
		if (request.signal.aborted) discard(request.upload);
		const whole = buildOptions(options, request.signal, streamed, request.upload);
		const received = await askHelper(sender, whole, withKey);
		request.download = received.body;
		// It was given up meanwhile, so nobody else ends its streams.
		if (request.signal.aborted) request.end();
		return received;
	};
	try {
		const received = await timer.waitFor(ask());
		if (received === undefined) throw Object.assign(new Error(), { code: 'ERR_CANCELED' });
		timer.end();
		const { statusCode: status, headers, body } = received;
		const leftMs = isUrgent ? began + totalMs - Date.now() : Infinity;
		const answer = { status, headers, body };
		return await readAnswer(
			answer,
			options.encoding === 'stream',
			silenceMs,
			leftMs,
			sender.limits,
			request.end,
		);
	} catch (thrown) {
		request.end();
		const failure = findFailure(thrown);
		if (failure !== undefined) throw failure;
		return readFault(thrown, request.upload?.readableDidRead);
	}
}

/** A request under way, with what has to end when it does. */
class OpenRequest {
	upload: ByteStream | undefined;

	download: unknown;

	private readonly connection = new AbortController();

	constructor(
		private readonly timer: StallTimer,
		private readonly cancel: AbortSignal | undefined,
	) {
		cancel?.addEventListener('abort', this.end);
	}

	/** Is aborted when the request has ended. */
	get signal(): AbortSignal {
		return this.connection.signal;
	}

	// The streams come first: one that is still open when its connection ends fails, although nobody
	// reads it any more.
	readonly end = (): void => {
		this.cancel?.removeEventListener('abort', this.end);
		this.timer.end();
		discard(this.download);
		discard(this.upload);
		this.connection.abort(OVER);
	};
}

async function askHelper(
	sender: Sender,
	options: IHttpRequestOptions,
	withKey: boolean,
): Promise<IN8nHttpFullResponse> {
	// The contexts' types have no common `this`, but all of them have the same helper.
	const context = sender.context as IExecuteFunctions;
	const { httpRequest, httpRequestWithAuthentication: withAuthentication } = context.helpers;
	const type = CREDENTIAL_TYPE;
	const credentialsDecrypted = { id: '', name: type, type, data: sender.credential };
	return (await (withKey
		? withAuthentication.call(context, type, options, { credentialsDecrypted })
		: httpRequest(options))) as IN8nHttpFullResponse;
}

/**
 * The options for n8n's helper, the same for every request.
 * @param signal ends the connection
 */
function buildOptions(
	options: IHttpRequestOptions,
	signal: AbortSignal,
	streamed: StreamedBody | undefined,
	body: ByteStream | undefined,
): IHttpRequestOptions {
	return {
		...options,
		...(streamed !== undefined && { body }),
		headers: {
			...options.headers,
			...(streamed !== undefined && {
				'Content-Type': 'application/json',
				'Content-Length': String(streamed.contentLength),
			}),
		},
		// Text is read here as well, because n8n would wait for it and keep it without a limit.
		encoding: 'stream',
		// n8n's own limit, five minutes unless it is given another, would end a slow upload.
		timeout: 0,
		returnFullResponse: true,
		// n8n would send a request again that was refused with 401.
		ignoreHttpStatusErrors: true,
		// A followed redirect would carry the key to another host.
		disableFollowRedirect: true,
		// In an execution, n8n's helper puts the execution's signal here. attempt() follows that one
		// already, and without its own nothing could end a connection.
		get abortSignal() {
			return signal;
		},
		set abortSignal(_execution) {},
	};
}

/**
 * Reads the text of an answer. The stream of a file is given its limits.
 * @param end ends the connection
 */
async function readAnswer(
	answer: Answer,
	isFile: boolean,
	silenceMs: number,
	leftMs: number,
	limits: Limits,
	end: () => void,
): Promise<Answer | Fault> {
	const { body, status, headers } = answer;
	if (!isByteStream(body)) {
		end();
		return answer;
	}
	if (!isSuccess(status)) {
		const ms = Math.min(limits.refusalMs, leftMs);
		const refusal = limitStream(body, { silenceMs: ms, totalMs: ms }, end);
		// The beginning of a body that is long or doesn't come to its end.
		const bytes = await readBytes(refusal, limits.refusalBytes, 'keep');
		return { ...answer, body: bytes.toString('utf8') };
	}
	const { stallMs, fileMs, fileBytes, answerMs, answerBytes } = limits;
	const allowance = isFile
		? { silenceMs: stallMs, totalMs: fileMs, mostBytes: fileBytes }
		: { silenceMs, totalMs: Math.min(answerMs, leftMs), mostBytes: answerBytes };
	const stream = limitStream(body, allowance, end);
	if (isFile) return { ...answer, body: stream };
	try {
		const text = (await readBytes(stream)).toString('utf8').replace(/^\uFEFF/, '');
		// One that breaks off without being noticed is no answer: half of it tells nothing.
		if (endsWithConnection(headers) && /^\s*[{[]/.test(text)) JSON.parse(text);
		return { ...answer, body: text };
	} catch (thrown) {
		return readAnswerFault(thrown);
	}
}

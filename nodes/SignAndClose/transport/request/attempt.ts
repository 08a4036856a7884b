import type {
	ICredentialsDecrypted,
	IExecuteFunctions,
	IHookFunctions,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	ITriggerFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';

import { CREDENTIAL_TYPE } from '../credential/credential';
import { findFailure } from '../failure/failure';
import { readAnswerFault, readFault, type Fault } from '../failure/fault';
import type { StreamedBody } from '../files/streamedJson';
import { isByteStream, metered, readAll, type Allowance, type ByteStream } from '../files/streams';
import type { Answer } from '../http/answer';
import { endsWithConnection, isPart } from '../http/headers';
import { requestOf } from '../http/options';
import type { Limits } from '../service/limits';
import { Exchange } from './exchange';

/* One attempt to send a request through n8n's HTTP helpers, with its time-outs. */

/** Every n8n context that talks to the service. */
export type ServiceContext =
	| IExecuteFunctions
	| IHookFunctions
	| ILoadOptionsFunctions
	| ITriggerFunctions
	| IWebhookFunctions;

/** How long one attempt may take. */
export interface Patience {
	/** Silence until the answer begins, in milliseconds. */
	silenceMs: number;
	/** Milliseconds for everything, when somebody waits. */
	totalMs?: number;
}

/** What an attempt needs besides n8n's options of the request. */
export interface AttemptOptions {
	/** With it, the API key goes along. */
	credential?: ICredentialsDecrypted;
	/** A body that is produced while it is sent. */
	streamed?: StreamedBody;
	patience: Patience;
	/** Called with the headers of an answer, also when its body is cut. */
	onHeaders(headers: Record<string, unknown>, sentAt: number): void;
}

/** What n8n's helper answers. */
interface Received {
	statusCode: number;
	headers: Record<string, unknown>;
	body: unknown;
}

/**
 * Sends a request once; nothing else in the package calls n8n's HTTP helpers.
 * @returns the answer, with the text of a success, or what kept it from coming. Files and refusals
 *   are left to read, within their limits
 * @throws a failure of our own, e.g. of the credential
 */
export async function attempt(
	context: ServiceContext,
	limits: Limits,
	options: IHttpRequestOptions,
	{ credential, streamed, patience, onHeaders }: AttemptOptions,
): Promise<Answer | Fault> {
	const began = Date.now();
	const exchange = new Exchange(cancelSignalOf(context));
	let body: ByteStream | undefined;
	const ask = async () => {
		if (streamed !== undefined) {
			body = await streamed.open(limits.stallMs, exchange.moved);
			exchange.hold(body);
		}
		const request = requestOf(options, exchange.signal, streamed, body);
		return await askHelper(context, request, credential);
	};
	try {
		const { statusCode, headers, ...answer } = await exchange.answered(
			ask(),
			patience.silenceMs,
			patience.totalMs ?? limits.fileMs,
		);
		onHeaders(headers, began);
		const received = { status: statusCode, headers, body: answer.body };
		const elapsed = Date.now() - began;
		return await read(received, exchange, options.encoding, limits, {
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

/** The signal that n8n aborts when somebody cancels the execution. */
export function cancelSignalOf(context: ServiceContext): AbortSignal | undefined {
	return 'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
}

async function askHelper(
	anyContext: ServiceContext,
	options: IHttpRequestOptions,
	credentialsDecrypted: ICredentialsDecrypted | undefined,
): Promise<Received> {
	// The contexts' types have no common `this`, but all of them have the same helper.
	const context = anyContext as IExecuteFunctions;
	return (await (credentialsDecrypted === undefined
		? context.helpers.httpRequest(options)
		: context.helpers.httpRequestWithAuthentication.call(context, CREDENTIAL_TYPE, options, {
				credentialsDecrypted,
			}))) as Received;
}

async function read(
	answer: Answer,
	{ end }: Exchange,
	encoding: IHttpRequestOptions['encoding'],
	limits: Limits,
	patience: Patience,
): Promise<Answer | Fault> {
	if (!isByteStream(answer.body)) {
		end();
		return answer;
	}
	const isText = answer.status < 300 && encoding !== 'stream';
	const allowance = allowanceOf(answer.status, isText, limits, patience);
	const body = metered(answer.body, allowance, {
		onEnd: end,
		onChunk: isText || !isPart(answer) ? undefined : refuse,
	});
	if (!isText) return { ...answer, body };
	try {
		const text = (await readAll(body)).toString('utf8').replace(/^\uFEFF/, '');
		if (endsWithConnection(answer.headers)) checkEnd(text);
		return { ...answer, body: text };
	} catch (thrown) {
		return readAnswerFault(thrown);
	}
}

/** Ends a file at its first bytes of which only a part comes: nobody wants the rest of it. */
function refuse(): never {
	throw new Error('Partial content');
}

function allowanceOf(
	status: number,
	isText: boolean,
	limits: Limits,
	{ silenceMs, totalMs }: Patience,
): Allowance {
	const within = (ms: number) => Math.min(ms, totalMs ?? ms);
	if (status >= 300)
		return { silenceMs: within(limits.refusalMs), totalMs: within(limits.refusalMs) };
	if (isText) return { silenceMs, totalMs: within(limits.answerMs), mostBytes: limits.answerBytes };
	return { silenceMs: limits.stallMs, totalMs: limits.fileMs, mostBytes: limits.fileBytes };
}

/**
 * @throws SyntaxError when JSON breaks off
 */
function checkEnd(text: string): void {
	if (/^\s*[{[]/.test(text)) JSON.parse(text);
}

import type { IHttpRequestOptions } from 'n8n-workflow';

import type { StreamedBody } from '../files/streamedJson';
import type { ByteStream } from '../files/streams';

/**
 * The options for n8n's helper, the same for every request.
 * @param signal ends the connection
 */
export function optionsFor(
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

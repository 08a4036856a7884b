import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';

import { ServiceFailure } from '../failure/failure';
import { parseApiKey, parseBaseUrl } from './credential';

/* Puts the API key on requests, and keeps it from every origin but the service's. */

/**
 * Puts the API key on a request (docs/service/api.md#api-key); nothing else does. It is the last
 * check before a request leaves: it refuses a request to any origin other than the base URL's,
 * whoever sends it, including n8n's HTTP Request node.
 * @throws ServiceFailure when the base URL or the key can't be used, or the request goes to another
 *   origin
 */
export function authenticateRequest(
	credentials: ICredentialDataDecryptedObject,
	options: IHttpRequestOptions,
): IHttpRequestOptions {
	const { baseUrl, origin } = parseBaseUrl(credentials.baseUrl);
	const target = targetOf(options, baseUrl)?.origin;
	if (target !== origin)
		throw new ServiceFailure({ code: 'foreignOrigin', origin, target }, { final: true });
	return {
		...options,
		// A redirect would carry the key to wherever it points. The first option is the one of n8n's HTTP
		// helper, the others are those of its HTTP Request node.
		disableFollowRedirect: true,
		...{ followRedirect: false, followAllRedirects: false },
		headers: { ...options.headers, ApiKey: parseApiKey(credentials) },
	};
}

/**
 * The target of a request: n8n's HTTP Request node names it `uri`, everything else `url`. Undefined
 * when it can't be read, and the request is then refused.
 */
function targetOf(
	{ url, uri, baseURL }: IHttpRequestOptions & { uri?: unknown },
	base: string,
): URL | undefined {
	const address: unknown = url ?? uri;
	return typeof address === 'string' && URL.canParse(address, baseURL ?? base)
		? new URL(address, baseURL ?? base)
		: undefined;
}

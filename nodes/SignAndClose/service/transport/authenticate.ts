import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';

import { checkBaseUrl } from './baseUrl';
import { ServiceFailure } from '../errors/failure';

/**
 * Puts the API key on a request (interface.md §5.1), the only place that does. It is the last gate
 * before a request leaves: a key for another origin than the base URL's is refused here, whoever
 * asks, n8n's HTTP Request node included.
 * @throws ServiceFailure when the base URL can't be used or the request goes elsewhere
 */
export function authenticateRequest(
	credentials: ICredentialDataDecryptedObject,
	options: IHttpRequestOptions,
): IHttpRequestOptions {
	const base = checkBaseUrl(credentials.baseUrl);
	if (!base.ok)
		throw new ServiceFailure({ code: 'unusableBaseUrl', fault: base.fault }, { final: true });
	const target = targetOf(options, base.url);
	if (target?.origin !== base.origin) {
		throw new ServiceFailure(
			{ code: 'foreignOrigin', origin: base.origin, target: target?.origin },
			{ final: true },
		);
	}
	// Expressions and copied keys bring spaces and line ends along, which a header can not hold.
	const apiKey = String(credentials.apiKey ?? '').trim();
	return { ...options, ...NO_REDIRECTS, headers: { ...options.headers, ApiKey: apiKey } };
}

/**
 * A redirect would carry the key to wherever it points. The first is n8n's own option, the others
 * those of its HTTP Request node.
 */
const NO_REDIRECTS = {
	disableFollowRedirect: true,
	followRedirect: false,
	followAllRedirects: false,
};

/**
 * Where a request goes: the HTTP Request node says `uri`, everything else `url`. What can't be read
 * goes nowhere.
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

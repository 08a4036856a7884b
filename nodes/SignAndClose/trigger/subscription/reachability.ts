/*
 * Tells whether the service can call n8n at all. An n8n on somebody's own machine is the most
 * common reason for a trigger that never fires.
 */

const LOOPBACK = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\]|0\.0\.0\.0)$/i;
const PRIVATE =
	/^(10(\.\d{1,3}){3}|192\.168(\.\d{1,3}){2}|172\.(1[6-9]|2\d|3[01])(\.\d{1,3}){2}|169\.254(\.\d{1,3}){2}|\[f[cd][0-9a-f]{2}:.*\]|.+\.(local|internal|lan))$/i;

/**
 * Says why the service can't call a URL.
 * @param callback URL of the workflow's webhook
 * @param baseUrl URL of the service; one on the same machine or network may call local addresses
 * @returns undefined when nothing speaks against it
 */
export function whyUnreachable(callback: string, baseUrl: string): string | undefined {
	const [host, service] = [hostOf(callback), hostOf(baseUrl)];
	if (LOOPBACK.test(host))
		return LOOPBACK.test(service) ? undefined : `${host} is only reachable from this machine`;
	if (PRIVATE.test(host))
		return LOOPBACK.test(service) || PRIVATE.test(service)
			? undefined
			: `${host} is only reachable from a private network`;
	return undefined;
}

function hostOf(address: string): string {
	return URL.canParse(address) ? new URL(address).hostname : '';
}

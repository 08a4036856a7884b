import type { ServiceSettings } from '../service/credential';
import { asError, ServiceFailure } from '../failure/failure';
import { redact, readRefusal } from '../failure/refusal';
import { isByteStream, type Opened } from '../files/streams';
import { getHeader } from '../http/answer';
import { isSuccess, getStatusMeaning } from '../http/statuses';
import { mayOpen } from './linkHosts';
import type { RequestSender } from '../request/sender';

/* Opens the links that answers hold: of documents, pictures, recordings. */

const MOST_REDIRECTS = 5;

/**
 * Opens a link of an answer for reading. The API key goes only to the base URL's own origin
 * (docs/service/documents.md#links); redirects are followed one by one so that it stays there, and so
 * that none leads to where a link may not.
 * @param ownHeaders headers for the own origin of the link
 * @throws ServiceFailure; 400, 401, 403, 404 and 410 can mean that the link has expired
 */
export async function openLink(
	link: string,
	sender: RequestSender,
	{ baseUrl, origin, secrets }: ServiceSettings,
	ownHeaders: Record<string, string> = {},
): Promise<Opened> {
	const base = new URL(baseUrl);
	let url = parseLink(link, base);
	const first = url.origin;
	for (let hops = 0; ; hops++) {
		const withKey = url.origin === origin;
		const linkHost = withKey ? undefined : url.host;
		// A compressed answer can't be compared with the length that it announces.
		const headers = { ...(url.origin === first && ownHeaders), 'Accept-Encoding': 'identity' };
		const { answer } = await sender
			.send({ url: url.href, method: 'GET', encoding: 'stream', headers }, { withKey })
			.catch((thrown: unknown) => {
				throw addLinkHost(thrown, linkHost);
			});
		if (isSuccess(answer.status) && isByteStream(answer.body))
			return { stream: answer.body, headers: answer.headers };
		const location =
			getStatusMeaning(answer.status) === 'redirect'
				? getHeader(answer.headers, 'location')
				: undefined;
		if (location !== undefined && hops < MOST_REDIRECTS) {
			const next = parseLink(location, base, url);
			if (url.protocol !== 'https:' || next.protocol === 'https:') {
				url = next;
				continue;
			}
		}
		throw readRefusal(answer, { purpose: 'file', attempts: 1, linkHost }, (text) =>
			redact(text, secrets),
		);
	}
}

/** Adds the host of the link to a failure, so that nobody looks for the fault at the service. */
function addLinkHost(thrown: unknown, linkHost: string | undefined): Error {
	if (!(thrown instanceof ServiceFailure)) return asError(thrown);
	const { reason, flags } = thrown;
	return reason.code === 'unreachable' || reason.code === 'notSent'
		? new ServiceFailure({ ...reason, linkHost }, flags)
		: thrown;
}

/** @throws ServiceFailure when it isn't a link, or one that must not be opened (mayOpen()) */
function parseLink(link: string, base: URL, from?: URL): URL {
	const url = URL.canParse(link, from) ? new URL(link, from) : undefined;
	if (url === undefined) throw new ServiceFailure({ code: 'unusableLink' });
	if (mayOpen(url, base)) return url;
	throw new ServiceFailure(
		{ code: 'forbiddenLink', target: url.host || url.protocol },
		{ final: true },
	);
}

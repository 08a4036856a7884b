import type { IdName, Refusal, ServiceFailure } from './failure/failure';
import { extractMessages, toRefusal } from './failure/refusal';
import type { Answer } from './http/answer';
import { header } from './http/headers';
import { isRead } from './http/retry';
import { askedPause } from './pace/outcomes';
import type { Endpoint } from './service/endpoints';
import type { PathValues } from './service/paths';

/* Turns an answer that isn't a success into a failure. */

/** What is known about a refused call besides its answer. */
interface RefusedCall extends Pick<
	Refusal,
	'asked' | 'attempts' | 'undocumented' | 'linkWithoutKey' | 'linkHost'
> {
	/** The IDs in the path; the last one is what the call was about. */
	path?: PathValues;
}

/** What an endpoint is asked for. */
export function askedOf({ method, givesFile }: Endpoint): Refusal['asked'] {
	if (!isRead(method)) return 'write';
	return givesFile === true ? 'file' : 'read';
}

/**
 * Creates the failure for an answer that isn't a success.
 * @param clean removes secrets from the body and the headers
 */
export function refusalOf(
	answer: Answer,
	{ path = {}, ...call }: RefusedCall,
	clean: (text: string) => string,
): ServiceFailure {
	const { status, headers, body } = answer;
	const [subject] = Object.entries(path).reverse();
	const location = header(headers, 'location');
	const trace = header(headers, 'x-amz-trace-id');
	return toRefusal(parseBody(body, clean), {
		status,
		subject: subject && { name: subject[0] as IdName, id: subject[1] },
		redirectHost:
			location !== undefined && URL.canParse(location) ? new URL(location).host : undefined,
		retryAfterMs: askedPause(answer, Date.now()),
		trace: trace && clean(trace),
		...call,
	});
}

/**
 * Reads what the service says in an answer that isn't a success, in its own words.
 * @param clean removes secrets from the body
 */
export function textsOf({ body }: Answer, clean: (text: string) => string): string[] {
	return extractMessages(parseBody(body, clean));
}

/** Returns the parsed JSON of a body, or its text when it isn't JSON. */
function parseBody(body: unknown, clean: (text: string) => string): unknown {
	if (typeof body !== 'string') return body;
	const text = clean(body);
	try {
		return JSON.parse(text) as unknown;
	} catch {
		return text;
	}
}

import type { IDataObject } from 'n8n-workflow';

import { ENDPOINTS, type Endpoint, type EndpointName, type Platform } from './endpoints';
import { platformNamedIn } from './errors/wrongPlatform';
import type { PathValues } from './paths';
import { isRead } from './transport/retry';

/*
 * Decides on which platform a call is made. Pure, so that a table in a test says what happens after
 * which refusal.
 */

/** What of a call matters for its platform. */
export interface Placed {
	path?: PathValues;
	query?: IDataObject;
	/** Only the platform that is asked counts, e.g. because it's to be known what it answers. */
	onlyHere?: boolean;
	/** Is told each platform that is asked; the last one has answered. */
	tellPlatform?: (asked: Platform) => void;
}

/** Statuses with which an account is refused that a platform isn't for. */
const NOT_FOR_THIS_ACCOUNT = new Set([401, 403, 404]);

/** Returns the platform of a call: the wanted one if the endpoint has it, else its first. */
export function platformFor(name: EndpointName, wanted?: Platform): Platform {
	const platforms = platformsOf(ENDPOINTS[name]);
	return wanted !== undefined && platforms.includes(wanted) ? wanted : platforms[0];
}

/**
 * Decides whether a refused call is made once more, on the other platform
 * (docs/service/errors.md#wrong-platform). All of the statuses prove that nothing was done.
 *
 * 1. Webhooks and notaries: an account may have them on either platform.
 * 2. Reads: the service says that the call belongs to the other platform.
 * 3. Calls with IDs: a service that offers only the documented endpoints has several of them on
 *    business alone, also for closings.
 *
 * @param said what the service said, in its own words
 * @returns undefined when the refusal counts
 */
export function platformAfter(
	name: EndpointName,
	asked: Platform,
	call: Placed,
	{ status, said }: { status: number; said: readonly string[] },
): Platform | undefined {
	const endpoint: Endpoint = ENDPOINTS[name];
	const other = platformsOf(endpoint).find((platform) => platform !== asked);
	if (other === undefined || status < 400 || isBound(endpoint, asked, call)) return undefined;
	if (endpoint.onEitherPlatform === true && NOT_FOR_THIS_ACCOUNT.has(status)) return other;
	const read = isRead(endpoint.method);
	const named = platformNamedIn(said);
	if (read && (named === 'unnamed' || named === other)) return other;
	const documentedThere = other === 'business' && endpoint.platforms.business === 'doc';
	const unknownHere = status === 404 || (status === 401 && read);
	return documentedThere && call.path !== undefined && unknownHere ? other : undefined;
}

/**
 * Whether the refusal of the second platform that was asked counts, and not that of the first one.
 * Both know only their own accounts: a platform that doesn't take the key says nothing of what
 * there is, and "not found" counts where the key is taken.
 */
export function countsSecond(name: EndpointName, first: number, second: number): boolean {
	if (second !== 404) return second !== 401;
	const endpoint: Endpoint = ENDPOINTS[name];
	return endpoint.onEitherPlatform === true && (first === 401 || first === 403);
}

/**
 * Returns the name under which a client remembers the platform that answered, so that the other one
 * isn't asked first each time.
 * @returns undefined when the next call may belong to another platform
 */
export function rememberedAs(
	name: EndpointName,
	asked: Platform,
	call: Placed,
): string | undefined {
	const endpoint: Endpoint = ENDPOINTS[name];
	if (endpoint.platforms.webhooks !== undefined) return 'webhooks';
	const depends = call.path !== undefined || isBound(endpoint, asked, call);
	return depends ? undefined : `${name} on ${asked}`;
}

/** Whether the call is for the platform asked alone, or only that one knows what the query asks. */
function isBound(
	{ queryOnlyOn }: Endpoint,
	asked: Platform,
	{ query = {}, onlyHere = false }: Placed,
): boolean {
	return onlyHere || queryOnlyOn?.[asked]?.some((key) => query[key] !== undefined) === true;
}

function platformsOf({ platforms }: Endpoint): Platform[] {
	return Object.keys(platforms) as Platform[];
}

import { isAboutPlatform } from '../failure/wrongPlatform';
import { ENDPOINTS, type Endpoint, type EndpointName, type Platform } from './endpoints';

/*
 * Decides on which platform a call is made. Pure, so that a table in a test says what happens after
 * which refusal.
 */

/** What of an answer matters for the platform: `said` is what a refusal says, in its own words. */
interface Said {
	status: number;
	said: readonly string[];
}

/** The answer of a platform that was asked. */
interface Refused extends Said {
	platform: Platform;
}

/** Statuses of a platform that isn't for the account, or doesn't have what was asked for. */
const NOT_HERE = new Set([401, 403, 404]);

/** Words of a service that knows the call, and looked for what it's about. */
const LOOKED_FOR = /(transaction|document|record) not found/i;

/** Returns the platform of a call: the chosen one if the endpoint has it, else its first. */
export function platformFor(name: EndpointName, chosen?: Platform): Platform {
	const platforms = platformsOf(ENDPOINTS[name]);
	return chosen !== undefined && platforms.includes(chosen) ? chosen : platforms[0];
}

/**
 * Decides whether a refused call is made once more, on the other platform
 * (docs/service/errors.md#wrong-platform). All of the statuses prove that nothing was done.
 *
 * 1. Where nobody has chosen a platform: webhooks, which an account may have on either one, and the
 *    transaction of an event.
 * 2. Where the form has: a service that offers only the documented endpoints has several calls with
 *    IDs on business alone, also for closings.
 *
 * @returns undefined when the refusal counts
 */
export function platformAfter(
	name: EndpointName,
	asked: Platform,
	chosen: Platform | undefined,
	{ status, said }: Said,
): Platform | undefined {
	const { platforms }: Endpoint = ENDPOINTS[name];
	const other = platformsOf(ENDPOINTS[name]).find((platform) => platform !== asked);
	if (chosen === undefined) return NOT_HERE.has(status) ? other : undefined;
	const onlyThere = other === 'business' && platforms.business === 'doc';
	const isDocumentedHere = platforms.realEstate === 'doc';
	const isUnknownHere = status === 404 && !said.some((text) => LOOKED_FOR.test(text));
	return onlyThere && !isDocumentedHere && isUnknownHere ? other : undefined;
}

/**
 * Whether the answer of the second platform counts, and not the refusal of the first one. A platform
 * that isn't for the account says nothing of what there is. A refused key says more than a path that
 * isn't there, but an account may have its webhooks on one platform alone.
 */
export function saysMore(name: EndpointName, second: Refused, first: Refused): boolean {
	return weightOf(name, second) > weightOf(name, first);
}

function weightOf(name: EndpointName, { platform, status, said }: Refused): number {
	const { platforms }: Endpoint = ENDPOINTS[name];
	const ofWebhooks = platforms.webhooks !== undefined;
	if (isAboutPlatform(said)) return 0;
	if (status === 401 || status === 403) return ofWebhooks ? 0 : 1;
	if (status !== 404) return 3;
	const isKnownThere = platforms[platform] === 'doc' || said.some((text) => LOOKED_FOR.test(text));
	return isKnownThere ? 2 : ofWebhooks ? 1 : 0;
}

function platformsOf({ platforms }: Endpoint): Platform[] {
	return Object.keys(platforms) as Platform[];
}

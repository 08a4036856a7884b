import type { Answer } from '../http/answer';
import { isOfPlatform, meaningOf } from '../http/statuses';
import { ENDPOINTS, type EndpointName, type Platform } from './endpoints';

/*
 * Decides on which platform a call is made: the one that the form or the operation has chosen.
 * Where nothing says it, e.g. for webhooks and for the transaction of an event, both are asked.
 */

/**
 * Texts with which the service refuses a call because of its platform: two name the one to use
 * (docs/service/errors.md#wrong-platform). There is no code for it.
 */
export const WRONG_PLATFORM = {
	business: /must use the business api/i,
	realEstate: /must use the real ?estate api/i,
	unnamed: /feature not available in current tier/i,
};

/** Words of a service that knows the call, and has looked for the transaction. */
const LOOKED_FOR = /transaction not found/i;

const platformsOf = (name: EndpointName) => Object.keys(ENDPOINTS[name].platforms) as Platform[];

/** Returns the platform of a call: the chosen one if the endpoint has it, else its first. */
export function platformFor(name: EndpointName, chosen?: Platform): Platform {
	const platforms = platformsOf(name);
	return chosen !== undefined && platforms.includes(chosen) ? chosen : platforms[0];
}

/**
 * Returns the platform that is asked after a refusal, where nobody has chosen one. All of the
 * statuses prove that nothing was done.
 */
export function platformAfter(
	name: EndpointName,
	asked: Platform,
	status: number,
): Platform | undefined {
	return isOfPlatform(status) ? platformsOf(name).find((other) => other !== asked) : undefined;
}

/**
 * Whether the answer of the second platform counts, and not the refusal of the first one. A platform
 * that isn't for the account says nothing of what there is, so "not found" says more. But of a
 * transaction, 404 can also mean that the service lacks the path.
 */
export function secondCounts(name: EndpointName, first: Answer, second: Answer): boolean {
	if (!isOfPlatform(second.status)) return true;
	const saysNotFound =
		meaningOf(first.status) === 'notFound' &&
		(name !== 'getTransaction' || LOOKED_FOR.test(String(first.body)));
	const isAboutPlatform = Object.values(WRONG_PLATFORM).some((text) =>
		text.test(String(second.body)),
	);
	return !saysNotFound && !isAboutPlatform;
}

import type { Answer } from '../http/answer';
import { isOfPlatform, getStatusMeaning } from '../http/statuses';
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

const listPlatforms = (name: EndpointName) => Object.keys(ENDPOINTS[name].platforms) as Platform[];

/** Returns the platform of a call: the chosen one if the endpoint has it, else its first. */
export function choosePlatform(name: EndpointName, preferred?: Platform): Platform {
	const platforms = listPlatforms(name);
	return preferred !== undefined && platforms.includes(preferred) ? preferred : platforms[0];
}

/**
 * Returns the platform that is asked after a refusal, where nobody has chosen one. All of the
 * statuses prove that nothing was done.
 */
export function findNextPlatform(
	name: EndpointName,
	current: Platform,
	status: number,
): Platform | undefined {
	return isOfPlatform(status)
		? listPlatforms(name).find((candidate) => candidate !== current)
		: undefined;
}

/**
 * Whether the answer of the second platform counts, and not the refusal of the first one. A platform
 * that isn't for the account says nothing of what there is, so "not found" says more. But of a
 * transaction, 404 can also mean that the service lacks the path.
 */
export function isSecondDecisive(name: EndpointName, first: Answer, second: Answer): boolean {
	if (!isOfPlatform(second.status)) return true;
	const saysNotFound =
		getStatusMeaning(first.status) === 'notFound' &&
		(name !== 'getTransaction' || LOOKED_FOR.test(String(first.body)));
	const isAboutPlatform = Object.values(WRONG_PLATFORM).some((text) =>
		text.test(String(second.body)),
	);
	return !saysNotFound && !isAboutPlatform;
}

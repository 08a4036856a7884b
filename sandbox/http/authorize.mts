/**
 * Whether a request may use its operation: the key, the layout and the platform of its path
 * (docs/service/api.md#authentication, docs/service/errors.md#wrong-platform).
 */

import { isInEveryLayout, platformOf, type toCanonicalPath } from './pathLayouts.mts';
import type { MatchedOperation } from './validator.mts';
import { published, Refusal } from '../domain/refusal.mts';
import type { Key, Settings, World } from '../world/world.mts';

/** Operations a client-only key may use: it may only create (docs/service/api.md#kinds-of-keys). */
const CREATE_OPERATIONS = new Set([
	'createTransaction',
	'createClosing',
	'addDocument',
	'addClosingDocument',
	'addEnote',
]);
const SEND_OPERATIONS = new Set(['sendTransaction', 'sendClosing']);

interface Asked {
	apiKey: unknown;
	method: string;
	path: ReturnType<typeof toCanonicalPath>;
	matched: MatchedOperation | undefined;
}

/**
 * @returns the key of the request
 * @throws Refusal when the operation does not exist here, or the key may not use it
 */
export function authorize(world: World, { apiKey, method, path, matched }: Asked): Key {
	const { settings } = world;
	const key = world.keys.find(({ value }) => value === apiKey);
	if (key === undefined) throw published('unauthenticated');
	// A documented-only service has only the documented calls
	// (docs/service/README.md#a-documented-only-service).
	const absent =
		matched === undefined || (settings.profile === 'documented' && matched.mark !== 'doc');
	const otherLayout =
		settings.layout !== 'both' &&
		path.layout !== undefined &&
		path.layout !== settings.layout &&
		!isInEveryLayout(method, path);
	if (absent || otherLayout) throw new Refusal(404, 'Not found');
	checkPlatform(settings, path.path, matched.operationId);
	if (key.role === 'clientOnly' && SEND_OPERATIONS.has(matched.operationId))
		throw published('sendNotAllowed');
	if (key.role === 'clientOnly' && !CREATE_OPERATIONS.has(matched.operationId))
		throw new Refusal(403, 'A client-only key may only create');
	return key;
}

/**
 * Accounts of one platform are refused on the other one, by 401 or by 422 as the published examples
 * are. What an account of real estate gets at /v2/webhooks is our default.
 */
function checkPlatform({ platforms, profile }: Settings, path: string, operationId: string): void {
	const platform = platformOf(path);
	if (platforms === 'business' && platform === 'realEstate') throw published('businessOnly');
	if (platforms !== 'realEstate') return;
	// The documented paths without prefix serve both platforms, but for the create.
	if (profile === 'documented' && operationId !== 'createTransaction') return;
	if (platform === 'business') throw published('realEstateOnly');
	if (platform === undefined) throw published('notInTier');
}

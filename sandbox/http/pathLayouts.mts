/**
 * The path layouts (docs/service/api.md#path-layouts). Whatever prefix a client uses, this turns its
 * path into one of openapi.yaml.
 */

import type { Layout, Platform } from '../world/world.mts';

interface CanonicalPath {
	path: string;
	/** The layout that the path belongs to. Undefined for one that is the same in both. */
	layout?: Layout;
	/**
	 * The version in a real-estate path. Identity assurance needs 2
	 * (docs/service/api.md#path-of-a-closing-with-identity-assurance).
	 */
	realEstateVersion: 1 | 2;
}

/** Notaries are under version 1 only, webhooks of real estate under version 2 only. */
const FIXED = /^\/mortgage\/v[12]\/(notaries|webhooks)(\/|$)|^\/v2\//;
/** The link to a video contains /v1 in either layout (docs/service/api.md#paths-of-videos). */
const VIDEO = /\/download_asset(\/|$)/;

/** Removes the prefixes and a trailing slash. */
export function toCanonicalPath(path: string): CanonicalPath {
	const bare = path.replace(/(.)\/+$/, '$1');
	if (FIXED.test(bare)) return { path: bare, realEstateVersion: 1 };
	const closing = /^\/mortgage\/v([12])(\/.*)$/.exec(bare);
	if (closing) {
		const version = closing[1] === '1' ? 1 : 2;
		return {
			path: `/mortgage/v1${closing[2]}`,
			layout: version === 1 ? 'documented' : 'current',
			realEstateVersion: version,
		};
	}
	const layout = bare.startsWith('/v1/') ? 'current' : 'documented';
	return {
		path: bare.replace(/^\/v1\//, '/'),
		...(!VIDEO.test(bare) && { layout }),
		realEstateVersion: 1,
	};
}

/**
 * Whether a service that understands one layout has a path of the other one all the same: a closing
 * with identity assurance is created and changed under version 2 in every layout.
 */
export function isInEveryLayout(
	method: string,
	{ path, realEstateVersion }: CanonicalPath,
): boolean {
	return (
		realEstateVersion === 2 &&
		((method === 'POST' && path === '/mortgage/v1/transactions') ||
			(method === 'PUT' && /^\/mortgage\/v1\/transactions\/[^/]+$/.test(path)))
	);
}

/** The platform that a canonical path belongs to. /v2/webhooks belongs to none. */
export function platformOf(path: string): Platform | undefined {
	if (path.startsWith('/mortgage/')) return 'realEstate';
	return path.startsWith('/v2/') ? undefined : 'business';
}

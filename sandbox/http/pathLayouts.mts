/**
 * The sandbox understands both path layouts (docs/service/api.md#path-layouts). Whatever prefix a
 * client uses, this turns its path into one of openapi.yaml.
 */

export type Layout = 'documented' | 'current';

interface CanonicalPath {
	path: string;
	/**
	 * Some answers differ between the layouts: how a transaction names its record
	 * (docs/service/transactions.md#notarization-record-of-a-transaction), and how notarial acts are
	 * spelled (docs/service/notarization.md#notarized-documents).
	 */
	layout: Layout;
	/**
	 * The version in a real-estate path. Identity assurance needs 2
	 * (docs/service/api.md#path-of-a-closing-with-identity-assurance).
	 */
	realEstateVersion: 1 | 2;
}

/** Removes the prefixes and a trailing slash. */
export function toCanonicalPath(path: string): CanonicalPath {
	const bare = path.replace(/(.)\/+$/, '$1');
	const closing = /^\/mortgage\/v([12])(\/.*)$/.exec(bare);
	if (closing) {
		const version = closing[1] === '1' ? 1 : 2;
		return {
			path: `/mortgage/v1${closing[2]}`,
			layout: version === 1 ? 'documented' : 'current',
			realEstateVersion: version,
		};
	}
	return {
		path: bare.replace(/^\/v1\//, '/'),
		layout: bare.startsWith('/v1/') ? 'current' : 'documented',
		realEstateVersion: 1,
	};
}

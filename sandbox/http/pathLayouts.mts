/**
 * The sandbox understands both path layouts of gaps.md §1. Whatever prefix a client uses, this
 * turns its path into one of openapi.yaml.
 */

export type Layout = 'documented' | 'current';

interface CanonicalPath {
	path: string;
	/**
	 * Some answers differ between the layouts: how a transaction names its record, and how notarial
	 * acts are spelled (gaps.md §7).
	 */
	layout: Layout;
	/** The version in a real-estate path. Identity assurance needs 2 (interface.md §2, §9). */
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

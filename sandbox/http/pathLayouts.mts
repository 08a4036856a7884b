/**
 * Both path layouts of gaps.md §1 at once: whatever prefix a client uses, the paths of openapi.yaml
 * come out.
 */
export type Layout = 'documented' | 'current';

export interface CanonicalPath {
	path: string;
	/**
	 * Some answers differ between the layouts (gaps.md §7): the record's identifier, the spelling of
	 * notarial acts.
	 */
	layout: Layout;
	/**
	 * The real-estate version that was asked for; identity assurance needs 2 (interface.md §2, §9).
	 */
	realEstateVersion: 1 | 2;
}

/** Takes the prefixes and a trailing slash off. */
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

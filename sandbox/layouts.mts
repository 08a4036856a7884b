/** Both path layouts of gaps.md §1 at once: whatever prefix a client uses, the paths of openapi.yaml come out. */
export interface CanonicalPath {
	path: string;
	/** The real-estate version that was asked for; identity assurance needs 2 (interface.md §2, §9). */
	realEstateVersion?: 1 | 2;
}

export function toCanonicalPath(path: string): CanonicalPath {
	const bare = path.replace(/(.)\/+$/, '$1');
	const closing = /^\/mortgage\/v([12])(\/.*)$/.exec(bare);
	if (closing) return { path: `/mortgage/v1${closing[2]}`, realEstateVersion: closing[1] === '1' ? 1 : 2 };
	return { path: bare.replace(/^\/v1\//, '/') };
}

/** Temporary signed links to files (docs/service/documents.md#links). */

import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * v1: pre-signed links of a cloud storage. v2: links of the service itself
 * (docs/service/documents.md#versions-of-links).
 */
export type LinkVersion = 'v1' | 'v2';

export interface Links {
	/** A new link to the file `key`, as each retrieval gives new links. By default of version v1. */
	sign(key: string, version?: LinkVersion): string;
	/** Why a link can't be used, or undefined when it can. */
	check(
		key: string,
		expires: unknown,
		nonce: unknown,
		signature: unknown,
	): 'expired' | 'forged' | undefined;
}

interface LinkOptions {
	/** Where the files are served. */
	origin: (version: LinkVersion) => string;
	now: () => number;
	secret: string;
	lifetimeSeconds: number;
}

/** Signs links with HMAC-SHA256 over key, expiry and a running number. */
export function createLinks({ origin, now, secret, lifetimeSeconds }: LinkOptions): Links {
	let issued = 0;
	const sign = (key: string, expires: string, nonce: string) =>
		createHmac('sha256', secret)
			.update(JSON.stringify([key, expires, nonce]))
			.digest('hex');
	return {
		sign(key, version = 'v1') {
			const expires = String(Math.floor(now() / 1000) + lifetimeSeconds);
			const nonce = String((issued += 1));
			return `${origin(version)}/files/${encodeURIComponent(key)}?lifetime=${lifetimeSeconds}&expires=${expires}&nonce=${nonce}&signature=${sign(key, expires, nonce)}`;
		},
		check(key, expires, nonce, signature) {
			const expected = Buffer.from(sign(key, String(expires), String(nonce)));
			const given = Buffer.from(String(signature));
			if (given.length !== expected.length || !timingSafeEqual(given, expected)) return 'forged';
			return Number(expires) * 1000 <= now() ? 'expired' : undefined;
		},
	};
}

import { createHmac, timingSafeEqual } from 'node:crypto';

/** Temporary signed links (interface.md §5.4): 900 seconds, new ones at each retrieval. */
export const LINK_LIFETIME_SECONDS = 900;

export interface StoredFile {
	name: string;
	mimeType: string;
	bytes: Buffer;
}

export interface Links {
	/** A fresh link to what is stored under `key`. */
	sign(key: string): string;
	/** Why a link can't be used, or undefined when it can. */
	check(key: string, expires: unknown, signature: unknown): 'expired' | 'forged' | undefined;
}

export function createLinks(origin: () => string, now: () => number, secret: string, lifetimeSeconds: number): Links {
	const sign = (key: string, expires: string) => createHmac('sha256', secret).update(`${key}\n${expires}`).digest('hex');
	return {
		sign(key) {
			const expires = String(Math.floor(now() / 1000) + lifetimeSeconds);
			return `${origin()}/files/${encodeURIComponent(key)}?lifetime=${lifetimeSeconds}&expires=${expires}&signature=${sign(key, expires)}`;
		},
		check(key, expires, signature) {
			const expected = Buffer.from(sign(key, String(expires)));
			const given = Buffer.from(String(signature));
			if (given.length !== expected.length || !timingSafeEqual(given, expected)) return 'forged';
			return Number(expires) * 1000 < now() ? 'expired' : undefined;
		},
	};
}

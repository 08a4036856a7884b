/**
 * How long anything that is waited for may take before it counts as hanging: many times what it takes
 * on a machine as fast as this one, which jest.config.mjs measures. By default, on the makers'.
 */
export const PATIENCE_MS = 300_000 * Math.ceil(Number(process.env.SIGN_AND_CLOSE_SLOWNESS ?? 1));

/**
 * Looks again and again until something is so. Waiting has no limit of its own that a busy machine
 * could meet.
 * @param look gives what is waited for; false or undefined while it isn't there
 * @param missing says what isn't so
 * @throws when it hangs
 */
export async function waitUntil<T>(
	look: () => T | Promise<T>,
	missing: () => string,
	{ pauseMs = 150, limitMs = PATIENCE_MS }: { pauseMs?: number; limitMs?: number } = {},
): Promise<Exclude<T, false | undefined>> {
	for (const end = Date.now() + limitMs; ;) {
		const found = await look();
		if (found !== false && found !== undefined) return found as Exclude<T, false | undefined>;
		if (Date.now() > end) throw new Error(`${missing()} after ${limitMs / 1000} s`);
		await new Promise((wake) => setTimeout(wake, pauseMs));
	}
}

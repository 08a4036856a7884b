/**
 * How long the package waits and how much it asks for at once. A client is given them, so that tests
 * of silence and of several pages need not wait and need few entries.
 */
export interface Limits {
	/** Silence, in milliseconds, after which a read is given up. */
	readonly readMs: number;
	/** Silence, in milliseconds, after which a write is given up. */
	readonly writeMs: number;
	/** The same while somebody waits for an answer of ours, e.g. the service for 30 seconds. */
	readonly impatientMs: number;
	/**
	 * Milliseconds without any data after which a body is given up, because a stalled stream never
	 * times out by itself.
	 */
	readonly stallMs: number;
	/**
	 * Entries of a list to ask for at once, where the endpoint allows as many. A hundred whole
	 * transactions take little memory, and are few requests for an account of thousands.
	 */
	readonly pageSize: number;
}

export const LIMITS: Limits = Object.freeze({
	readMs: 45_000,
	writeMs: 180_000,
	impatientMs: 8_000,
	stallMs: 60_000,
	pageSize: 100,
});

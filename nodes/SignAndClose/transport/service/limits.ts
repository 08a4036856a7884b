/**
 * How long the package waits and how much it takes (docs/behaviour.md#limits). A client is given
 * them, so that tests need not wait long and need few bytes.
 */
export interface Limits {
	/** Silence, in milliseconds, after which a read is given up. */
	readonly readMs: number;
	/**
	 * Silence, in milliseconds, after which a write is given up. While a file is sent, every part of
	 * it that leaves ends the silence.
	 */
	readonly writeMs: number;
	/**
	 * Milliseconds for a whole attempt while somebody waits for an answer of ours, e.g. the service
	 * for 30 seconds.
	 */
	readonly impatientMs: number;
	/** Milliseconds for the whole of an answer in JSON, from its first byte to its last. */
	readonly answerMs: number;
	/** Bytes of an answer in JSON. A document of 50 MB in base64 has 67 MB. */
	readonly answerBytes: number;
	/** Milliseconds for the body of a refusal. What has come by then is shown. */
	readonly refusalMs: number;
	/** Bytes that are read of a refusal's body. */
	readonly refusalBytes: number;
	/**
	 * Milliseconds without any data after which a file is given up, because a stalled stream never
	 * times out by itself.
	 */
	readonly stallMs: number;
	/** Milliseconds for a whole file that is sent or received. */
	readonly fileMs: number;
	/** Bytes of a file that is received. n8n's binary store may have room for less. */
	readonly fileBytes: number;
	/** Milliseconds to wait until a transaction that is completed by force shows it. */
	readonly completionMs: number;
	/** Milliseconds in which a write whose answer was lost is looked up. */
	readonly lookUpMs: number;
	/** Milliseconds before the second look; each later pause is twice as long. */
	readonly lookUpPauseMs: number;
	/**
	 * Milliseconds after a lost answer from which on what the service doesn't show counts as not done.
	 * Until then, it may still be at work, or its list behind.
	 */
	readonly absentAfterMs: number;
	/**
	 * Bytes of request bodies with files that are sent at once. A document of 50 MB in base64 has 67 MB.
	 */
	readonly uploadBytes: number;
	/**
	 * Entries of a list to ask for at once. To parse a hundred whole transactions, some megabytes, takes
	 * n8n's only thread some hundredths of a second.
	 */
	readonly pageSize: number;
	readonly pace: PaceRules;
}

/** The figures of the pace at which requests are sent (docs/pace.md). */
export interface PaceRules {
	/** Requests that may be open at once at the start. */
	readonly firstAtOnce: number;
	/** The most requests that are ever open at once. */
	readonly mostAtOnce: number;
	/** The first pause, in milliseconds, after a refusal that names no time. */
	readonly firstPauseMs: number;
	/** The longest pause, in milliseconds, that isn't asked for by the service. */
	readonly longestOwnPauseMs: number;
	/**
	 * How long, in milliseconds, a request is tried again while the service limits requests. Also the
	 * longest pause that the service is granted. A longer one is left to the person.
	 */
	readonly longestWaitMs: number;
	/**
	 * How long, in milliseconds, a request without an answer takes the place of another one. After that
	 * it hangs by itself, up to `mostAtOnce` of them.
	 */
	readonly hangMs: number;
	/** How long, in milliseconds, the others wait for the one request after a pause. */
	readonly probeMs: number;
	/**
	 * How often, in milliseconds, a request is sent all the same while the service has asked for a
	 * pause that is too long to wait for.
	 */
	readonly hopelessProbeMs: number;
	/** How long, in milliseconds, what was learned is kept after the last request. */
	readonly idleMs: number;
}

export const LIMITS: Limits = Object.freeze({
	readMs: 45_000,
	writeMs: 180_000,
	impatientMs: 8_000,
	answerMs: 300_000,
	answerBytes: 100 * 1024 ** 2,
	refusalMs: 10_000,
	refusalBytes: 64 * 1024,
	stallMs: 60_000,
	fileMs: 6 * 3_600_000,
	fileBytes: 10 * 1024 ** 3,
	completionMs: 30_000,
	lookUpMs: 60_000,
	lookUpPauseMs: 1_000,
	absentAfterMs: 120_000,
	uploadBytes: 128 * 1024 ** 2,
	pageSize: 100,
	pace: Object.freeze({
		firstAtOnce: 24,
		mostAtOnce: 256,
		firstPauseMs: 200,
		longestOwnPauseMs: 30_000,
		longestWaitMs: 300_000,
		hangMs: 5_000,
		probeMs: 5_000,
		hopelessProbeMs: 10_000,
		idleMs: 120_000,
	}),
});

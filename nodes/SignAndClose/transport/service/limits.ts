/*
 * The one table of limits and page sizes: how long the package waits, how much it takes
 * (docs/behaviour.md#limits), how many entries of a list it asks for, and how much the service takes.
 */

/** The limits of a client. Tests give it others, so that they need not wait long and need few bytes. */
export const LIMITS = {
	/** Silence, in milliseconds, after which a read is given up. */
	readMs: 45_000,
	/**
	 * Silence, in milliseconds, after which a write is given up. While a file is sent, every part of
	 * it that leaves ends the silence.
	 */
	writeMs: 180_000,
	/**
	 * Milliseconds for a whole attempt while somebody waits for an answer of ours, e.g. the service
	 * for 30 seconds.
	 */
	urgentMs: 8_000,
	/** Milliseconds for the whole of an answer in JSON, from its first byte to its last. */
	answerMs: 300_000,
	/** Bytes of an answer in JSON. A document of 50 MB in base64 has 67 MB. */
	answerBytes: 100 * 1024 ** 2,
	/** Milliseconds for the body of a refusal. What has come by then is shown. */
	refusalMs: 10_000,
	/** Bytes that are read of a refusal's body. */
	refusalBytes: 64 * 1024,
	/**
	 * Milliseconds without any data after which a file is given up, because a stalled stream never
	 * times out by itself.
	 */
	stallMs: 60_000,
	/** Milliseconds for a whole file that is sent or received. */
	fileMs: 6 * 3_600_000,
	/** Bytes of a file that is received. n8n's binary store may have room for less. */
	fileBytes: 10 * 1024 ** 3,
	/** Files of several to a result, e.g. of a package, that are received at once in a run. */
	filesAtOnce: 32,
	/** Milliseconds to wait until a transaction that is completed by force shows it. */
	completionMs: 30_000,
	/**
	 * Milliseconds in which a write is looked up that is answered without being shown, or for which
	 * somebody waits.
	 */
	lookUpMs: 60_000,
	/** Milliseconds before the second look; each later pause is 1.7 times as long, up to 15 times this. */
	lookUpPauseMs: 1_000,
	/**
	 * Milliseconds after a lost answer from which on what the service doesn't show counts as not done.
	 * Until then, it may still be at work, or its list behind.
	 */
	absentAfterMs: 120_000,
	/**
	 * Bytes of request bodies with files that are sent at once. A document of 50 MB in base64 has 67 MB.
	 */
	uploadBytes: 128 * 1024 ** 2,
	/**
	 * Entries of a list to ask for at once. To parse a hundred whole transactions, some megabytes, takes
	 * n8n's only thread some hundredths of a second.
	 */
	pageSize: 100,
	/** The figures of the pace at which requests are sent (docs/pace.md). */
	pace: {
		/** Requests that may be open at once at the start. */
		firstAtOnce: 24,
		/** The most requests that are ever open at once. */
		mostAtOnce: 256,
		/** The first pause, in milliseconds, after a refusal that names no time. */
		firstPauseMs: 200,
		/** The longest pause, in milliseconds, that isn't asked for by the service. */
		longestOwnPauseMs: 30_000,
		/**
		 * How long, in milliseconds, a request is tried again while the service limits requests. Also the
		 * longest pause that the service is granted. A longer one is left to the person.
		 */
		longestWaitMs: 300_000,
		/**
		 * How long, in milliseconds, a request without an answer takes the place of another one. After
		 * that it hangs by itself, up to `mostAtOnce` of them.
		 */
		hangMs: 5_000,
		/** How long, in milliseconds, the others wait for the one request after a pause. */
		probeMs: 5_000,
		/**
		 * How often, in milliseconds, a request is sent all the same while the service has asked for a
		 * pause that is too long to wait for.
		 */
		hopelessProbeMs: 10_000,
		/** How long, in milliseconds, what was learned is kept after the last request. */
		idleMs: 120_000,
	},
};

export type Limits = Readonly<typeof LIMITS>;
export type PaceRules = Readonly<typeof LIMITS.pace>;

/** Page sizes, and the most entries of lists, where `pageSize` isn't meant. */
export const LIST_SIZES = {
	/** Entries that a list of the editor shows before "load more". */
	shownInEditor: 50,
	/** Entries that a search in the editor compares before it shows what it has found. */
	searchedFirst: 500,
	/** Entries that it compares at most, as long as it finds nothing. */
	searched: 5_000,
	/** Answers to the editor that are kept: a search through 5,000 entries takes 50. */
	keptAnswers: 200,
	/** A page in which one entry may be missing: the most that the service takes. */
	wholePage: 1_000,
	/** Entries of the list that are read for a create whose answer was lost. */
	readForCreate: 5_000,
	/** Transactions that are retrieved for it because the list doesn't show their references. */
	retrievedForCreate: 25,
	/** Entries that a tool of an agent returns, usually and at most. */
	usualInTool: 20,
	mostInTool: 100,
};

/** The most that the service takes (docs/service/api.md#limits). */
export const SERVICE_LIMITS = {
	signers: 10,
	/** Of a file. 30 MB are certain, the service judges what lies between. */
	megabytes: 50,
	charactersOfZipCode: 10,
	charactersOfName: 30,
	charactersOfMessage: 30_000,
	charactersOfInstruction: 500,
};

/** The numbers and names of the service, with their units and sources. */

/** Lifetime of signed links (docs/service/documents.md#links). */
export const LINK_LIFETIME_SECONDS = 900;
/**
 * Splitting of a bookmarked PDF takes about five minutes
 * (docs/service/documents.md#bookmarked-pdfs).
 */
export const SPLIT_SECONDS = 300;
/** An added document is `pending` for a moment (docs/service/documents.md#processing). */
export const PROCESSING_MS = 200;
/** How long after its answer Force Complete is done (docs/service/transactions.md#force-complete). */
export const FORCE_COMPLETE_MS = 1_000;
/** How long the import of external documents takes (docs/service/documents.md#external-documents). */
export const IMPORT_MS = 5_000;
/**
 * How often a failed selfie can be retaken. The next failure goes to a trusted referee
 * (docs/service/signers.md#selfie-retakes).
 */
export const SELFIE_RETAKES = 2;
/** How often the questions can be failed, and how long nobody can go on then (docs/service/signers.md#knowledge-questions). */
export const KNOWLEDGE_TRIES = 2;
export const KNOWLEDGE_LOCK_MS = 86_400_000;
/** Limits of one file and of all files of a transaction (docs/service/api.md#limits). */
export const MAX_FILE_BYTES = 30 * 1024 * 1024;
export const MAX_TRANSACTION_BYTES = 500 * 1024 * 1024;
/**
 * Enough for 50 MB in base64 and the rest of the body, because some places say that a file may have
 * 50 MB: it is read, and then found too big.
 */
export const MAX_BODY_BYTES = 72 * 1024 * 1024;
/** How long a delivery waits for an answer (docs/service/webhooks.md#retries). */
export const DELIVERY_TIMEOUT_MS = 30_000;
/**
 * The pauses between the attempts of a delivery, of which there are up to 16. They grow, and add up
 * to 42 hours, as the service tries for 48 at most (docs/service/webhooks.md#retries).
 */
export const RETRY_SCHEDULE_SECONDS = [
	10, 30, 60, 120, 300, 600, 1800, 3600, 7200, 10_800, 14_400, 18_000, 21_600, 28_800, 43_200,
];
/**
 * Live services put their brand into this name (docs/service/webhooks.md#signatures-of-deliveries).
 */
export const SIGNATURE_HEADER = 'X-Signature';
/** Header of the id of a delivery, unless the webhook names one (docs/service/webhooks.md#request-id). */
export const REQUEST_ID_HEADER = 'X-Request-Id';
/**
 * API name of the identity-assurance object, by default the documented one
 * (docs/service/signers.md#identity-assurance).
 */
export const ASSURANCE_FIELD = 'assurance_requirement';

/** The well-known API keys of every sandbox. They work only on this machine. */
export const KEYS = {
	full: 'demo-full-access-key',
	clientOnly: 'demo-client-only-key',
	childFull: 'demo-child-key',
};
export type Keys = typeof KEYS;

export const ORGANIZATIONS = { parent: 'or_harbor', child: 'or_harbor_branch' };

/**
 * What live services may do in more than one way, and what a test may want to change. Each switch
 * has its values here, the default first.
 */
export const SWITCH_VALUES = {
	/** What PUT does with what was not sent (docs/service/transactions.md#update-a-draft). */
	put: ['merge', 'replace'],
	/** Fields of a body that nobody knows (docs/service/api.md#base-url-and-requests). */
	unknownFields: ['refuse', 'ignore'],
	/**
	 * Sending while a document is pending or has failed: refused, or sent without the designations
	 * of text tags that were not read yet (docs/service/documents.md#processing).
	 */
	sendBeforeProcessed: ['refuse', 'losesTextTags'],
	/** The request id of a repeated delivery (docs/service/webhooks.md#request-id). */
	retryRequestId: ['new', 'same'],
	/** How an update enables a disabled webhook (docs/service/webhooks.md#update-a-webhook). */
	enableWebhook: ['byField', 'never'],
	/** A consent form per signer of a closing (docs/service/documents.md#consent-forms). */
	consentForms: [true, false],
	/**
	 * sometimes: answers leave detailed_status out of transactions with the status started
	 * (docs/service/transactions.md#unset-fields).
	 */
	detailedStatus: ['always', 'sometimes'],
	/**
	 * Whether answers have the fields of signers that only the published schema has, where they are
	 * set. No example has one, so nobody knows (docs/service/signers.md#which-fields-are-sent).
	 */
	schemaOnlySigners: ['shown', 'hidden'],
	/**
	 * The transaction_type that a closing with identity checks takes: null, which the interface
	 * document asks for, or one of the types, with null refused
	 * (docs/service/closings.md#type-of-a-closing-with-identity-assurance).
	 */
	assuredType: ['null', 'named'],
	/**
	 * Whether answers have the transaction_type of such a closing: null or the type, whichever it
	 * takes, or no such key (docs/service/closings.md#type-of-a-closing-with-identity-assurance).
	 */
	assuredTypeAnswer: ['shown', 'missing'],
	/**
	 * The processing_state of a document that could not be processed
	 * (docs/service/documents.md#processing).
	 */
	failedProcessing: ['failed', 'done'],
	/**
	 * live: Update ignores what only Add takes, keeps the old paper and answers 200
	 * (docs/service/documents.md#update-a-document).
	 */
	updateDocument: ['live', 'everyAttribute'],
	/** The body that says a bookmarked upload is in progress (docs/service/documents.md#bookmarked-pdfs). */
	bookmarkedAnswer: ['json', 'text'],
	/** Where a document has the link to its finished PDF (docs/service/documents.md#document-answer). */
	finalLink: ['final_document_url', 'signed_url'],
	/** Only test environments have Force Complete (docs/service/transactions.md#force-complete). */
	testEnvironment: [true, false],
} as const;

type SwitchName = keyof typeof SWITCH_VALUES;
export type Switches = { -readonly [Name in SwitchName]: (typeof SWITCH_VALUES)[Name][number] };

/** All switches: those that are given, the others at their defaults. */
export function allSwitches(given: Partial<Switches> = {}): Switches {
	const defaults = Object.entries(SWITCH_VALUES).map(([name, [first]]) => [name, first]);
	return { ...(Object.fromEntries(defaults) as Switches), ...given };
}

/**
 * A switch as the command line writes it: `put=replace`.
 * @throws Error that names the switches, or the values of the switch
 */
export function parseSwitch(text: string): Partial<Switches> {
	const [name, value] = text.split('=');
	if (!Object.hasOwn(SWITCH_VALUES, name))
		throw new Error(`--switch ${text} must begin with ${Object.keys(SWITCH_VALUES).join(', ')}`);
	const values: ReadonlyArray<string | boolean> = SWITCH_VALUES[name as SwitchName];
	const found = values.find((entry) => String(entry) === value);
	if (found === undefined)
		throw new Error(`--switch ${text}: ${name} must be ${values.join(' or ')}`);
	return { [name]: found };
}

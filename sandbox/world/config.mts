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
/**
 * How often a failed selfie can be retaken. The next failure goes to a trusted referee
 * (docs/service/signers.md#selfie-retakes).
 */
export const SELFIE_RETAKES = 2;
/** Limits of one file and of all files of a transaction (docs/service/api.md#limits). */
export const MAX_FILE_BYTES = 30 * 1024 * 1024;
export const MAX_TRANSACTION_BYTES = 500 * 1024 * 1024;
/** Enough for 42,000,000 base64 characters and the rest of the body. */
export const MAX_BODY_BYTES = 64 * 1024 * 1024;
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

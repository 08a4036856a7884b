import type { IdName, Refusal } from '../service/errors/failure';

/*
 * Explains what the service refused: by the service's own text where we know a remedy for it,
 * otherwise by the status.
 */

/** What a person reads about a failure. */
export interface Explanation {
	/** What happened: a sentence without a final period. */
	message: string;
	/** What to do: a sentence without a final period. */
	remedy: string;
}

/** The editor's names for the IDs in a path. */
export const LABELS: Record<IdName, string> = {
	transactionId: 'Transaction',
	documentId: 'Document',
	recordId: 'Notarization Record',
	webhookId: 'Webhook',
};

/** What the remedy for a 422 adds. It isn't true once one of several steps has been done. */
export const NOTHING_CHANGED = '; nothing was changed';

/** Texts of the service that we know a remedy for (docs/service/errors.md#texts-worth-a-remedy). */
const REMEDIES: Array<[RegExp, string]> = [
	[/need at least 1 signer/i, "Add a signer with an email address in 'Signer'"],
	[/customer email not present/i, "Fill in the 'Email' of every signer"],
	[
		/no signer designations/i,
		"Add 'Designations' to the documents that are only signed, so that the service knows where",
	],
	[
		/transaction has expired/i,
		'Create a new transaction, or set a later expiry while it is a draft',
	],
	[
		/enote required/i,
		"Add the eNote with 'eNote: Add' before sending, or set 'Paper Note Consent'",
	],
	[/invalid value for transaction_type/i, "Choose a 'Transaction Type' from the list"],
	[/typo in domain name/i, "Correct the signer's 'Email'"],
	[
		/file is too big/i,
		'Split the file or reduce its size; the service accepts files of up to 30 MB',
	],
	[
		/already been completed by at least 1 signer/i,
		'A signer has finished, so this can no longer be changed',
	],
	[/cannot be edited at this time/i, 'Recall the transaction to a draft first, then change it'],
	[/invalid subscription/i, "Choose events in 'Trigger On' that this service offers"],
];

/**
 * Explains an answer that isn't a success. The service's own words, the number of attempts and the
 * trace follow the remedy.
 */
export function explainRefusal(refusal: Refusal): Explanation {
	const { said, attempts, trace } = refusal;
	const own = said
		.map((text) => REMEDIES.find(([pattern]) => pattern.test(text))?.[1])
		.find((remedy) => remedy !== undefined);
	const { message, remedy } = explainStatus(refusal);
	const parts = [own ?? remedy];
	if (said.length > 0 && !message.includes(said[0])) {
		parts.push(`The service said: ${said.join('; ')}`);
	}
	if (attempts > 1) parts.push(`Tried ${attempts} times`);
	if (trace !== undefined) parts.push(`Quote this to the service's support: ${trace}`);
	return { message, remedy: parts.join('. ') };
}

function explainStatus(refusal: Refusal): Explanation {
	const { status, said, retryAfterMs, redirectHost } = refusal;
	const reason = said.length > 0 ? `: ${said[0]}` : '';
	if (status >= 300 && status < 400) {
		return {
			message: 'The service answered with a redirect',
			remedy: `Check 'Base URL' in the credential: it redirects to ${redirectHost ?? 'another address'}. The API key wasn't sent there`,
		};
	}
	if (refusal.linkWithoutKey === true && status < 500 && status !== 429) {
		return {
			message: `The link to the file was refused (status ${status})`,
			remedy: 'Links expire after some minutes. Run the node again: it retrieves a new one',
		};
	}
	switch (status) {
		case 400:
			return {
				message: `The service didn't accept a value${reason}`,
				remedy: 'Correct the parameter it names and run the node again',
			};
		case 401:
			return {
				message: "The service didn't accept the API key",
				remedy:
					"Check 'API Key' in the credential: it must be a key of this platform (business or real estate) and of this 'Base URL'",
			};
		case 403:
			return {
				message: `The service doesn't allow this with this API key${reason}`,
				remedy:
					"Use a full-access key in 'API Key', or ask the service to enable the feature for your organization",
			};
		case 404:
			return explainNotFound(refusal);
		case 409:
			return {
				message: "The content isn't ready yet",
				remedy: 'The service is still preparing it. Wait a minute and run the node again',
			};
		case 413:
			return {
				message: 'The file is too big for the service',
				remedy: 'Split the file or reduce its size; the service accepts files of up to 30 MB',
			};
		case 422:
			return {
				message: `The service refused this${reason}`,
				remedy: `Correct what it names and run the node again${NOTHING_CHANGED}`,
			};
		case 429: {
			const wait =
				retryAfterMs === undefined ? '' : ` in ${Math.ceil(retryAfterMs / 1000)} seconds`;
			return {
				message: 'The service is limiting requests',
				remedy: `Run the node again${wait}, or send fewer items at once`,
			};
		}
		default:
			return status >= 500
				? {
						message: `The service is temporarily unavailable (status ${status})`,
						remedy: 'Run the node again in a few minutes',
					}
				: {
						message: `The service refused the request (status ${status})${reason}`,
						remedy: 'Correct what it names and run the node again',
					};
	}
}

function explainNotFound({ subject, undocumented }: Refusal): Explanation {
	if (subject === undefined) {
		return {
			message: "The service doesn't know this address",
			remedy:
				"Check 'Base URL' and 'Path Layout' in the credential; some services don't offer every operation",
		};
	}
	const label = LABELS[subject.name];
	const lacking = undocumented
		? ". If all of this is right, the service doesn't offer the operation"
		: '';
	return {
		message: `'${label}' ${subject.id} was not found`,
		remedy: `Check the ID in '${label}', the 'Platform', and that the key's organization owns it${lacking}`,
	};
}

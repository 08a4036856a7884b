import {
	ServiceFailure,
	type BaseUrlFault,
	type Failure,
	type FailureReason,
} from '../service/errors/failure';
import { ExplainedFailure } from './explainedFailure';
import { explainRefusal, LABELS, NOTHING_CHANGED, type Explanation } from './refusalExplanations';

/*
 * Says of every failure what happened and what to do, in the words of the editor. Only this file
 * and refusalExplanations.ts connect what the service refuses with the fields of the forms. Both
 * are pure, so that tests can read all of their sentences.
 */

const LOOK_IT_UP =
	'Look it up at the service before running the node again, so that nothing is done twice';

/**
 * Explains a failure to the person who runs the node.
 *
 * @returns message and remedy, both without a final period
 */
export function explain(failure: Failure): Explanation {
	const doubt = failure.flags.inDoubt === true;
	if (failure instanceof ExplainedFailure) {
		return { message: failure.message, remedy: failure.remedy };
	}
	if (!(failure instanceof ServiceFailure)) return { message: failure.message, remedy: '' };
	const { reason } = failure;
	if (reason.code === 'unreachable') return explainUnreachable(reason, doubt);
	if (reason.code === 'correctionInterrupted') return explainInterrupted(reason);
	const explanation = explainReason(reason);
	if (!doubt) return explanation;
	return {
		message: `${explanation.message}, so the outcome is unknown`,
		remedy: `${LOOK_IT_UP}. ${explanation.remedy}`,
	};
}

/** Reasons whose words don't depend on whether the write is in doubt. */
type PlainReason = Exclude<FailureReason, { code: 'unreachable' | 'correctionInterrupted' }>;

function explainReason(reason: PlainReason): Explanation {
	switch (reason.code) {
		case 'refused':
			return explainRefusal(reason);
		case 'unexpectedAnswer':
			return {
				message: "The answer isn't the data that the service should send",
				remedy:
					"Check 'Base URL' in the credential: a web page or a proxy answered instead of the service",
			};
		case 'unusableBaseUrl':
			return {
				message: "'Base URL' in the credential can't be used",
				remedy: explainBaseUrl(reason.fault),
			};
		case 'missingApiKey':
			return {
				message: "'API Key' is empty in the credential",
				remedy: 'Enter the key that the service generated for your organization',
			};
		case 'foreignOrigin':
			return {
				message: `The API key is for ${reason.origin} and wasn't sent to ${reason.target ?? "an address that can't be read"}`,
				remedy: "Use an address of the service, or correct 'Base URL' in the credential",
			};
		case 'unusableId':
			return {
				message: `'${LABELS[reason.name]}' ${reason.id === '' ? 'is empty' : `is '${reason.id}', which isn't an ID`}`,
				remedy: 'Choose one from the list or enter its ID',
			};
		case 'unusableLink':
			return {
				message: "The service sent a link that can't be opened",
				remedy: 'Run the node again. If this continues, contact the service',
			};
		case 'noContent':
			return {
				message: 'The service sent no content for the document',
				remedy: 'Run the node again in a minute: the service may still be preparing the document',
			};
		case 'emptyFile':
			return {
				message: `The service sent an empty file for '${reason.fileName}'`,
				remedy: 'Run the node again in a minute',
			};
		case 'notPdf':
			return {
				message: `What the service sent for '${reason.fileName}' isn't a PDF`,
				remedy: 'Run the node again in a minute. If this continues, contact the service',
			};
		case 'incompleteFile':
			return {
				message: `The connection was cut while receiving '${reason.fileName}'`,
				remedy: 'Run the node again: the incomplete file was discarded',
			};
		case 'documentNotInTransaction':
			return {
				message: `'Document' ${reason.documentId} isn't in this transaction`,
				remedy: "Choose one from the list or check 'Transaction'",
			};
		case 'signerNotInTransaction':
			return {
				message: `'Signer' ${reason.signer} isn't in this transaction`,
				remedy: `Choose one of its signers: ${reason.present.join('; ')}`,
			};
		case 'signersAreFinal':
			return {
				message: `Signers can no longer be changed: ${whyFinal(reason.because)}`,
				remedy: 'Create a new transaction for what is still to be signed',
			};
	}
}

function whyFinal(because: 'expired' | 'completed' | { signer: string }): string {
	if (typeof because === 'object') return `${because.signer} has completed`;
	return because === 'expired' ? 'the transaction has expired' : 'the transaction is completed';
}

/** Names the steps that were done, so that nobody takes a recalled transaction for a sent one. */
function explainInterrupted({
	steps,
	cause,
}: Extract<FailureReason, { code: 'correctionInterrupted' }>): Explanation {
	const { message, remedy } = explain(cause);
	const state = steps.includes('corrected') ? 'recalled and corrected' : 'recalled';
	return {
		message: `${message}. The transaction is ${state}, and not sent again yet`,
		remedy: `${remedy.replace(NOTHING_CHANGED, '')}. Run this again: it goes on from here`,
	};
}

/** Patterns of network fault codes, each with what happened and what to do. */
const FAULTS: Array<[RegExp, string, string]> = [
	[
		/ECONNREFUSED/,
		'The service refused the connection',
		"Check 'Base URL' in the credential, and that the service is running",
	],
	[
		/ENOTFOUND|EAI_AGAIN/,
		'The address of the service was not found',
		"Check the host name of 'Base URL' in the credential, and your network",
	],
	[
		/CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ERR_TLS|EPROTO|SSL/,
		"The service's certificate was not accepted",
		"Check that 'Base URL' in the credential is the service's own address",
	],
	[
		/ETIMEDOUT|ECONNABORTED|ESTALLED|timeout/i,
		"The service didn't answer in time",
		'Run the node again in a few minutes',
	],
	[
		/ECONNRESET|EPIPE|socket hang up|aborted|ERR_STREAM/i,
		'The connection to the service was cut',
		'Run the node again; check your network if it happens often',
	],
	[
		/EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENETDOWN/,
		"n8n can't reach the service",
		'Check the network of the machine that runs n8n',
	],
];

function explainUnreachable(
	{ fault, attempts }: Extract<FailureReason, { code: 'unreachable' }>,
	doubt: boolean,
): Explanation {
	const [, message, remedy] = FAULTS.find(([pattern]) => pattern.test(fault)) ?? [
		undefined,
		"n8n can't reach the service",
		"Check 'Base URL' in the credential and your network",
	];
	if (doubt) {
		return {
			message: `${message} after the request was sent, so the outcome is unknown`,
			remedy: LOOK_IT_UP,
		};
	}
	const tried = attempts > 1 ? `. Tried ${attempts} times` : '';
	// Anything that isn't a plain code may hold a host name or a secret, so it isn't shown.
	const code = /^[A-Z_]{3,40}$/.test(fault) ? ` (${fault})` : '';
	return { message, remedy: `${remedy}${tried}${code}` };
}

/** What to change in the credential's base URL. */
function explainBaseUrl(fault: BaseUrlFault): string {
	switch (fault) {
		case 'empty':
			return "'Base URL' is empty. Enter the address of the service, e.g. https://api.example.com";
		case 'incomplete':
			return "'Base URL' isn't a complete address. Start it with https://, e.g. https://api.example.com";
		case 'notHttps':
			return "'Base URL' must start with https://";
		case 'unencrypted':
			return "'Base URL' must start with https://, because the API key would travel unencrypted otherwise";
		case 'hasUserInfo':
			return "'Base URL' must not contain a user name or password. Put the key into 'API Key'";
		case 'hasQuery':
			return "'Base URL' must end after the host or path. Remove everything from '?' or '#' on";
	}
}

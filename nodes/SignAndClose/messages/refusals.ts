import type { IdName, Refusal } from '../transport/failure/failure';
import {
	isOfDeadLink,
	isOfRequest,
	mayPass,
	getStatusMeaning,
	type StatusMeaning,
} from '../transport/http/statuses';
import { joinSentences } from '../values/words';
import { describeAttempts } from './connectionTexts';
import type { DetailedWords, Words } from './failures';
import { findFact, findRemedy, SMALLER_FILE, useLabels } from './remedies';
import { hasParameter, type Situation } from './situation';

/*
 * Explains what the service refused: by the service's own text where we know a remedy for it,
 * otherwise by the status.
 */

/** The editor's names for the IDs in a path. */
export const ID_LABELS: Record<IdName, string> = {
	transactionId: 'Transaction',
	documentId: 'Document',
	recordId: 'Notarization Record',
	notaryId: 'Notary',
	webhookId: 'Webhook',
};

/** Texts that say what the status says (docs/service/errors.md#common-answers). */
const SAYS_NO_MORE = /^(?:invalid authentication credentials|(?:\w+ )?not found)$/i;

/**
 * Explains an answer that isn't a success. The service's own words follow the remedy, and the trace
 * where nobody but the service can do something.
 */
export function explainRefusal(refusal: Refusal, situation?: Situation): DetailedWords {
	const { attempts, trace, status } = refusal;
	const meaning = getStatusMeaning(status);
	// Our messages have no final period, and the service's words become a part of them.
	const details = refusal.details.map((text) =>
		useLabels(text.replace(/([^.])\.$/, '$1'), situation),
	);
	const foundRemedies = refusal.details.map((text) => findRemedy(text, situation));
	const recognized = details.filter((_text, index) => foundRemedies[index] !== undefined);
	const [byStatus, next] = explainStatus({ ...refusal, details }, situation);
	const first = foundRemedies.findIndex((remedy) => remedy !== undefined);
	const fact = isOfRequest(status) ? findFact(refusal.details[first] ?? '', situation) : undefined;
	// A text that we know says more than these, which would blame the key or the ID.
	const rejected =
		recognized.length > 0 && (meaning === 'unknownKey' || meaning === 'notFound')
			? `The service rejected the request: ${recognized[0]}`
			: byStatus;
	const message = fact === undefined ? rejected : `${fact} (the service said: ${details[first]})`;
	const remedies = new Set(foundRemedies.filter((remedy) => remedy !== undefined));
	const furtherTexts = details.filter(
		(text) => !message.includes(text) && !SAYS_NO_MORE.test(text),
	);
	const remedy = joinSentences(
		...(remedies.size > 0 ? remedies : [next]),
		furtherTexts.length > 0 &&
			`The service${furtherTexts.length < details.length ? ' also' : ''} said: ${furtherTexts.join('; ')}`,
		// The person can't act on it: the service failed, or doesn't say what is wrong.
		trace !== undefined &&
			recognized.length === 0 &&
			(meaning === 'unavailable' || (details.length === 0 && isOfRequest(status))) &&
			`Quote this to the service's support: ${trace}`,
	);
	return [message, remedy, describeAttempts(attempts) || undefined];
}

const RENEW_LINK = 'Links expire after some minutes. Run the node again: it retrieves a new one';

function explainStatus(refusal: Refusal, situation?: Situation): Words {
	const { status, details, retryAfterMs, redirectHost, linkHost, purpose, subject } = refusal;
	const meaning = getStatusMeaning(status) ?? 'refused';
	const reason = details.length > 0 ? `: ${details[0]}` : '';
	if (meaning === 'redirect')
		return linkHost === undefined
			? [
					'The service answered with a redirect',
					`Check 'Base URL' in the credential: it redirects to ${redirectHost ?? 'another address'}. The API key wasn't sent there`,
				]
			: [
					`A link of the service leads to ${linkHost}, which answered with a redirect that can't be followed`,
					'Run the node again: it retrieves a new link. If this continues, contact the service',
				];
	if (linkHost !== undefined && !mayPass(status))
		return [`The service rejected the link to the file (status ${status})`, RENEW_LINK];
	if (purpose === 'file' && subject === undefined && isOfDeadLink(status))
		return [
			`The link to the file has expired or leads to nothing (status ${status})`,
			`${RENEW_LINK}. If you've entered the link yourself, correct it`,
		];
	if (meaning === 'unavailable')
		return [
			`The service is temporarily unavailable (status ${status})`,
			`Run the node again in ${retryAfterMs === undefined ? 'a few minutes' : formatPause(retryAfterMs)}`,
		];
	const explained = BY_MEANING[meaning]?.(reason, refusal, situation);
	return (
		explained ?? [
			`The service rejected the request (status ${status})${reason}`,
			describeFix(reason),
		]
	);
}

const describeFix = (reason: string) =>
	reason === ''
		? "The service doesn't say why. Check the fields of the node and run it again"
		: "Fix what's named above and run the node again";

type Explain = (reason: string, refusal: Refusal, situation?: Situation) => Words;

/** What happened and what to do, by what the status says. The reason is the service's own, after a colon. */
const BY_MEANING: Partial<Record<StatusMeaning, Explain>> = {
	badValue: (reason) => [
		`The service didn't accept a value${reason}`,
		reason === '' ? describeFix(reason) : 'Correct the parameter it names and run the node again',
	],
	unknownKey: () => [
		"The service didn't accept the API key",
		"Check 'API Key' in the credential: it must be a key of this platform (business or real estate) and of this 'Base URL'",
	],
	forbidden: (reason) => [
		`The service doesn't allow this with this API key${reason}`,
		"Use a full-access key in 'API Key', or ask the service to enable the feature for your organization",
	],
	notFound: (_reason, refusal, situation) => explainNotFound(refusal, situation),
	// Only content is refused because it isn't ready (docs/service/documents.md#get-a-document).
	conflict: (reason, { purpose }) =>
		purpose === 'file'
			? [
					"The content isn't ready yet",
					'The service is still preparing it. Wait a minute and run the node again',
				]
			: [
					`The service rejected the request${reason || ': something else conflicts with it'}`,
					'Something else is there already or is changing at the same time. Retrieve it to see its state, then run the node again if this is still to be done',
				],
	tooBig: () => ['The file is too big for the service', SMALLER_FILE],
	againstRule: (reason) => [`The service rejected the request${reason}`, describeFix(reason)],
	limited: (_reason, { attempts, retryAfterMs }) => [
		'The service is limiting requests',
		`${attempts === 0 ? "The request wasn't sent. " : ''}Run the node again${retryAfterMs === undefined ? '' : ` in ${formatPause(retryAfterMs)}`}. If this happens often, run fewer workflows with this API key at the same time, or ask the service for a higher limit`,
	],
};

function explainNotFound({ subject, undocumented }: Refusal, situation?: Situation): Words {
	if (subject === undefined)
		return [
			"The service doesn't know this address",
			"Check 'Base URL' and 'Path Layout' in the credential; some services don't offer every operation",
		];
	const label = ID_LABELS[subject.name];
	const isDeletion = situation?.operation.endsWith('/delete') === true;
	// The node has found it by itself.
	if (!isDeletion && !hasParameter(situation, subject.name))
		return [
			`${label} ${subject.id} was not found, although the service lists it`,
			'It may just have been deleted. Run the node again in a minute',
		];
	const isPart = subject.name !== 'transactionId' && hasParameter(situation, 'transactionId');
	const elsewhere = `another ${isPart ? 'transaction' : 'organization'}${hasParameter(situation, 'platform') ? " or 'Platform'" : ''}`;
	return [
		`'${label}' ${subject.id} was not found${isDeletion ? ': it may be gone already' : ''}`,
		joinSentences(
			isDeletion && 'If it was deleted before, there is nothing left to do',
			`${isDeletion ? 'Otherwise, the' : 'The'} ID may be mistyped: choose from the list in '${label}'. What isn't there belongs to ${elsewhere}`,
			undocumented && "If it's in the list, the service doesn't offer the operation",
		),
	];
}

/** A pause, rounded up, in a unit that people can imagine. */
function formatPause(ms: number): string {
	const seconds = Math.ceil(ms / 1000);
	if (seconds > 120) return `${Math.ceil(seconds / 60)} minutes`;
	return `${seconds} second${seconds === 1 ? '' : 's'}`;
}

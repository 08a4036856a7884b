import {
	ServiceFailure,
	type CorrectionProgress,
	type Failure,
	type NotDoneReason,
} from '../transport/failure/failure';
import { joinQuoted, joinSentences } from '../values/words';
import { CONNECTION_TEXTS, LOOK_IT_UP, UNKNOWN_OUTCOME } from './connectionTexts';
import { ExplainedFailure, type DetailedWords, type Explanation, type Words } from './failures';
import { explainRefusal, ID_LABELS } from './refusals';
import { hasParameter, labelIn, type Situation, type Texts } from './situation';
import { TRANSACTION_TEXTS } from './transactionTexts';

/*
 * Says of every failure what happened and what to do, in the words of the editor. Only the files of
 * this folder connect what the service refuses with the fields of the forms. All are pure, so that
 * tests can read all of their sentences.
 */

/**
 * Explains a failure to the person who runs the node.
 *
 * @param situation what is known of the item; undefined outside of the action node
 * @returns message and remedy, both without a final period
 */
export function explain(failure: Failure, situation?: Situation): Explanation {
	if (failure instanceof ExplainedFailure)
		return { message: failure.message, remedy: failure.remedy };
	if (!(failure instanceof ServiceFailure)) return { message: failure.message, remedy: '' };
	const { reason, flags } = failure;
	const isUnknown = flags.unknownOutcome === true;
	const write: (reason: never, ...context: [Situation | undefined, boolean]) => DetailedWords =
		TEXTS[reason.code];
	const [message, remedy, details] = write(reason as never, situation, isUnknown);
	// These say by themselves whether the outcome is unknown.
	if (!isUnknown || reason.code === 'unreachable' || reason.code === 'correctionInterrupted')
		return { message, remedy, details };
	return { message: `${message}${UNKNOWN_OUTCOME}`, remedy: `${LOOK_IT_UP}. ${remedy}`, details };
}

const AGAIN = 'Run the node again. If this continues, contact the service';
const IN_A_MINUTE = 'Run the node again in a minute. If this continues, contact the service';
/** Where a service keeps designations as they were (docs/service/documents.md#update-a-document). */
const REPLACE_PAPER =
	"Some services never change the file or the designations of a document. Delete it with 'Document: Delete', and add it again with 'Document: Add'";
const FILE_KINDS = {
	pdf: 'a PDF',
	xml: 'an XML file',
	image: 'an image',
	video: 'a video',
	file: 'a file, but a web page',
};

/** What happened and what to do, by code. */
const TEXTS: Texts = {
	...CONNECTION_TEXTS,
	...TRANSACTION_TEXTS,
	refused: explainRefusal,
	otherAnswered: ({ name, expectedId, actualId, isRead }) => [
		`The service answered with ${ID_LABELS[name].toLowerCase()} ${actualId} instead of ${expectedId}`,
		joinSentences(
			isRead && "The answer wasn't used, and asking changed nothing",
			"If running the node again doesn't help, ask whoever runs a proxy before the service, or the service itself, why answers get mixed up",
		),
	],
	unexpectedList: ({ came, details }) => [
		`The service returned ${came} instead of a list`,
		joinSentences(quoteService(details), IN_A_MINUTE),
	],
	listBrokenOff: ({ count, total }) => [
		total === undefined
			? "The list of transactions doesn't say how many there are"
			: `The service listed ${count} of ${total} transactions`,
		IN_A_MINUTE,
	],
	existingUnknown({ cause }, situation) {
		const { message, remedy, details } = explain(cause, situation);
		return [
			`${message}, so it's unknown what exists already`,
			joinSentences(
				'Nothing was created',
				remedy,
				hasParameter(situation, 'ifExists') &&
					"To create without looking, set 'If It Exists' to Create Another",
			),
			details,
		];
	},
	notDone({ explanation, lostAnswer, details }, situation) {
		const cause = lostAnswer && explain(lostAnswer.withFlags({}));
		return [
			`${cause === undefined ? 'The service answered, but' : `${cause.message}, and`} ${describeNotDone(explanation, situation)}`,
			joinSentences(
				quoteService(details),
				isOfDesignations(explanation) ? REPLACE_PAPER : (cause?.remedy ?? AGAIN),
			),
		];
	},
	notShown: ({ details }) => [
		"The service answered, but doesn't show what it did",
		joinSentences(quoteService(details), 'If this continues, contact the service'),
	],
	incompletelyRead: ({ missing, toWriteBack }) => [
		`The service sent the transaction without ${joinQuoted(missing)}${toWriteBack ? ', which this change would have to send back' : ''}`,
		joinSentences(
			toWriteBack && 'Nothing was changed',
			"Run the node again in a minute. If this continues, let 'Transaction: Get' return the raw data to see what the service sends",
		),
	],
	unusableId: ({ name, id }) => [
		`'${ID_LABELS[name]}' ${id === '' ? 'is empty' : `is '${id}', which isn't an ID`}`,
		'Choose one from the list or enter its ID',
	],
	unusableLink: () => ["The service sent a link that can't be opened", AGAIN],
	forbiddenLink: ({ target }) => [
		`The service sent a link that must not be opened: ${target}`,
		"Links need https and a public host without a user name, or the host of 'Base URL'. Contact the service if the link should be right",
	],
	noContent: () => [
		'The service sent no content for the document',
		'Run the node again in a minute: the service may still be preparing the document',
	],
	unreadableContent: () => [
		"The content that the service sent for the document can't be read",
		IN_A_MINUTE,
	],
	emptyFile: ({ fileName }) => [`The service sent an empty file for '${fileName}'`, IN_A_MINUTE],
	unexpectedFile: ({ fileName, expected }) => [
		`What the service sent for '${fileName}' isn't ${FILE_KINDS[expected]}`,
		IN_A_MINUTE,
	],
	incompleteFile: ({ fileName }) => [
		`The connection was cut while receiving '${fileName}'`,
		'Run the node again: the incomplete file was discarded',
	],
	// Says where the transaction stands, so that nobody takes a recalled one for a sent one, or the
	// other way round.
	correctionInterrupted({ progress: stands, cause }, situation) {
		const { message, remedy, details } = explain(cause, situation);
		const [state, next] = STANDS[stands];
		// Where the transaction stands says what to run, and that something was changed.
		const first = remedy
			.replace(' and run the node again', '')
			.split('. ')
			.filter((sentence) => !/^Nothing was changed$|run the node again/i.test(sentence));
		return [joinSentences(message, state), joinSentences(...first, next), details];
	},
};

const BEGIN_AGAIN = 'Run the node again: it looks first, and goes on from there';

/** Where a transaction stands after a correction that was interrupted, and what to do. */
const STANDS: Record<CorrectionProgress, Words> = {
	recalling: [
		"It's unknown whether the transaction is recalled",
		`If it's a draft, its signers can't sign. ${BEGIN_AGAIN}`,
	],
	recalled: [
		'The transaction is recalled, and not sent again yet',
		`${BEGIN_AGAIN}. Or send it as it is with 'Transaction: Send'`,
	],
	correcting: [
		"The transaction is recalled, and it's unknown whether the signer is corrected",
		"Look at the signer with 'Transaction: Get'. If it's corrected, use 'Transaction: Send'. Otherwise, run the node again",
	],
	corrected: [
		'The transaction is recalled and corrected, and not sent again yet',
		"Use 'Transaction: Send'",
	],
	sending: [
		'The transaction is recalled and corrected, and may be sent again already',
		"Look at it with 'Transaction: Get' in two minutes. If it's still a draft, use 'Transaction: Send'",
	],
};

const isOfDesignations = (explanation: NotDoneReason) =>
	'unchanged' in explanation && explanation.unchanged.includes('designations');

function describeNotDone(explanation: NotDoneReason, situation: Situation | undefined): string {
	if ('unchanged' in explanation)
		return `it shows no change of ${joinQuoted(explanation.unchanged.map((name) => labelIn(situation, name) ?? name))}`;
	return {
		draft: 'the transaction is still a draft',
		sent: 'the transaction is still with its signers',
		there: "it's still there",
		missing: "it isn't there",
	}[explanation.still];
}

const quoteService = (details: string[]) =>
	details.length > 0 && `The service said: ${details.join('; ')}`;

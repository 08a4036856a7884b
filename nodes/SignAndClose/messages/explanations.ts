import {
	ServiceFailure,
	type CorrectionStands,
	type Failure,
	type FailureReason,
	type NotDoneReason,
} from '../transport/failure/failure';
import { joinQuoted, sentences, withArticle } from '../values/words';
import {
	BASE_URL_FAULTS,
	explainNotSent,
	explainUnreachable,
	LOOK_IT_UP,
	UNKNOWN_OUTCOME,
} from './connection';
import { ExplainedFailure, type Explanation, type Words } from './explainedFailure';
import { explainRefusal, LABELS } from './refusals';
import { hasParameter, labelIn, type Situation } from './situation';
import { explainWrongState } from './wrongState';

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
	const [message, remedy] =
		reason.code === 'unreachable'
			? explainUnreachable(reason, isUnknown)
			: wordsOf(reason, situation);
	// These say by themselves whether the outcome is unknown.
	if (!isUnknown || reason.code === 'unreachable' || reason.code === 'correctionInterrupted')
		return { message, remedy };
	return { message: `${message}${UNKNOWN_OUTCOME}`, remedy: `${LOOK_IT_UP}. ${remedy}` };
}

type Reason = Exclude<FailureReason, { code: 'unreachable' }>;

function wordsOf(reason: Reason, situation: Situation | undefined): Words {
	const text: (own: never, situation?: Situation) => Words = TEXTS[reason.code];
	return text(reason as never, situation);
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
const TEXTS: {
	[C in Reason['code']]: (reason: Reason & { code: C }, situation?: Situation) => Words;
} = {
	refused: explainRefusal,
	wrongState: explainWrongState,
	notSent: explainNotSent,
	unexpectedAnswer: () => [
		"The response isn't valid service data",
		"Check 'Base URL' in the credential: a web page or a proxy answered instead of the service",
	],
	otherAnswered: ({ name, asked, answered, isRead }) => [
		`The service answered with ${LABELS[name].toLowerCase()} ${answered} instead of ${asked}`,
		sentences(
			isRead && "The answer wasn't used, and asking changed nothing",
			"If running the node again doesn't help, ask whoever runs a proxy before the service, or the service itself, why answers get mixed up",
		),
	],
	unexpectedList: ({ came, said }) => [
		`The service returned ${came} instead of a list`,
		sentences(quoteService(said), IN_A_MINUTE),
	],
	listBrokenOff: ({ read, total }) => [
		total === undefined
			? "The list of transactions doesn't say how many there are"
			: `The service listed ${read} of ${total} transactions`,
		IN_A_MINUTE,
	],
	existingUnknown({ cause }, situation) {
		const { message, remedy } = explain(cause, situation);
		return [
			`${message}, so it's unknown what exists already`,
			sentences(
				'Nothing was created',
				remedy,
				hasParameter(situation, 'ifExists') &&
					"To create without looking, set 'If It Exists' to Create Another",
			),
		];
	},
	notDone({ why, lost, said }, situation) {
		const cause = lost && explain(lost.withFlags({}));
		return [
			`${cause === undefined ? 'The service answered, but' : `${cause.message}, and`} ${describeNotDone(why, situation)}`,
			sentences(
				quoteService(said),
				isOfDesignations(why) ? REPLACE_PAPER : (cause?.remedy ?? AGAIN),
			),
		];
	},
	notShown: ({ said }) => [
		"The service answered, but doesn't show what it did",
		sentences(quoteService(said), 'If this continues, contact the service'),
	],
	incompletelyRead: ({ missing, toWriteBack }) => [
		`The service sent the transaction without ${joinQuoted(missing)}${toWriteBack ? ', which this change would have to send back' : ''}`,
		sentences(
			toWriteBack && 'Nothing was changed',
			"Run the node again in a minute. If this continues, let 'Transaction: Get' return the raw data to see what the service sends",
		),
	],
	unusableBaseUrl: ({ fault }) => [
		"'Base URL' in the credential can't be used",
		BASE_URL_FAULTS[fault],
	],
	missingApiKey: () => [
		"'API Key' is empty in the credential",
		'Enter the key that the service generated for your organization',
	],
	unusableApiKey: () => [
		"'API Key' in the credential has a character that can't be sent",
		'Copy the key from the service again. It has only Latin letters without accents, digits and signs',
	],
	foreignOrigin: ({ origin, target }) => [
		`The API key is for ${origin} and wasn't sent to ${target ?? "an address that can't be read"}`,
		"Use an address of the service, or correct 'Base URL' in the credential",
	],
	unusableId: ({ name, id }) => [
		`'${LABELS[name]}' ${id === '' ? 'is empty' : `is '${id}', which isn't an ID`}`,
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
	documentNotInTransaction: ({ documentId }, situation) => [
		`'Document' ${documentId} isn't in this transaction`,
		situation?.operation === 'document/delete'
			? "If it was deleted before, there is nothing left to do. Otherwise, choose one from the list or check 'Transaction'"
			: "Choose one from the list or check 'Transaction'",
	],
	signerNotInTransaction: ({ signer, present }) => [
		`'Signer' ${signer} isn't in this transaction`,
		`Choose one of its signers: ${present.join('; ')}`,
	],
	signerCorrectedAlready: ({ signer, present, isRecalled }) => {
		const isElsewhere = present.length > 0;
		return [
			isElsewhere
				? `'Signer' ${signer} isn't in this transaction, and ${present.join('; ')} is there already: is it the right transaction?`
				: `'Signer' ${signer} is corrected already, and the transaction is recalled`,
			sentences(
				'Nothing was changed or sent',
				isElsewhere && "Check 'Transaction'",
				isRecalled
					? "If a correction was cut off, use 'Transaction: Send'"
					: "If it's the right one, the correction is done",
			),
		];
	},
	signerAmbiguous: ({ signer, present }) => [
		`'Signer' ${signer} fits more than one signer of this transaction`,
		`Nothing was changed. Choose one by its ID or external ID: ${present.join('; ')}`,
	],
	signerNotWritable: ({ signer }) => [
		`The service doesn't show the email address of ${signer}, which this change would have to send back`,
		"Nothing was changed. Enter it with 'Additional Fields (JSON)' under 'Settings Not Shown': Set Below",
	],
	externalIdTaken: ({ externalId, signer }) => [
		`'External ID' ${externalId} is already that of ${signer}`,
		'Nothing was changed. Give each signer an external ID of its own',
	],
	signerIncomplete: ({ signer, beside, missing }) => [
		`${signer} would have ${withArticle(beside)} without ${withArticle(missing)}`,
		"Nothing was changed. Enter both or neither, in 'Corrections' or, if the service doesn't show one of them, in 'Settings Not Shown': Set Below",
	],
	settingsNotShown: ({ names }, situation) => [
		`The service doesn't show these settings, which this change would have to send back: ${names.map((name) => nameOfSetting(name, situation)).join(', ')}`,
		`Nothing was changed. If there are none, set 'Settings Not Shown' to There Are None. Otherwise, ${hasParameter(situation, 'signerSettings') ? 'choose Set Below and enter them' : 'fill them in'}, or they would be lost`,
	],
	documentsPending: ({ documents, seconds }) => [
		`The service is still processing ${joinQuoted(documents)}`,
		`Nothing was sent. Run the node again in a minute, or raise 'Wait for Documents'. The node waited ${seconds} seconds`,
	],
	splitRunning: ({ shown, expected, pending, seconds }) => [
		pending.length > 0
			? `The service is still processing ${joinQuoted(pending)}`
			: `The transaction has ${shown === 0 ? 'no document' : shown}${expected === undefined ? '' : `${shown === 0 ? ' instead of' : ' of'} ${expected}`}${shown === 0 ? '' : ' documents'}`,
		`Nothing was changed. The node waited ${seconds} seconds: a split takes about five minutes. Run the node again, raise 'Wait Up To', or correct 'Number of Documents'`,
	],
	documentFailed: ({ document, why }) => [
		`The service can't process '${document}'${why === undefined ? ", and doesn't say why" : `: ${why}`}`,
		"Nothing was sent. Delete it with 'Document: Delete' and add a corrected file with 'Document: Add'",
	],
	externalIdInUse: ({ documents, externalId }) => [
		`Designations in ${joinQuoted(documents)} refer to the external ID '${externalId}', and would lose their signer`,
		"Nothing was changed. Keep 'External ID', or delete these documents and add them again after the correction",
	],
	signersAreFinal: ({ because }) => [
		`Signers can no longer be changed: ${typeof because === 'object' ? `${because.signer} has completed` : `the transaction has ended (${because})`}`,
		'Create a new transaction for what is still to be signed',
	],
	// Says where the transaction stands, so that nobody takes a recalled one for a sent one, or the
	// other way round.
	correctionInterrupted({ stands, cause }, situation) {
		const { message, remedy } = explain(cause, situation);
		const [state, next] = STANDS[stands];
		// Where the transaction stands says what to run, and that something was changed.
		const first = remedy
			.replace(' and run the node again', '')
			.split('. ')
			.filter((one) => !/^Nothing was changed$|run the node again/i.test(one));
		return [sentences(message, state), sentences(...first, next)];
	},
};

const BEGIN_AGAIN = 'Run the node again: it looks first, and goes on from there';

/** Where a transaction stands after a correction that was interrupted, and what to do. */
const STANDS: Record<CorrectionStands, Words> = {
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

const isOfDesignations = (why: NotDoneReason) =>
	'unchanged' in why && why.unchanged.includes('designations');

function describeNotDone(why: NotDoneReason, situation: Situation | undefined): string {
	if ('unchanged' in why)
		return `it shows no change of ${joinQuoted(why.unchanged.map((name) => labelIn(situation, name) ?? name))}`;
	return {
		draft: 'the transaction is still a draft',
		sent: 'the transaction is still with its signers',
		there: "it's still there",
		missing: "it isn't there",
	}[why.still];
}

/** A setting that no answer shows, as the form names it. */
const nameOfSetting = (name: string, situation: Situation | undefined) =>
	labelIn(situation, name === 'assurance_requirement' ? 'identityChecks' : name) ??
	name.replaceAll('_', ' ');

const quoteService = (said: string[]) => said.length > 0 && `The service said: ${said.join('; ')}`;

import {
	ServiceFailure,
	type Failure,
	type FailureReason,
	type NotDoneReason,
} from '../transport/failure/failure';
import {
	explainBaseUrl,
	explainNotSent,
	explainUnreachable,
	LOOK_IT_UP,
	UNKNOWN_OUTCOME,
} from './connectionExplanations';
import { namesOfSettings, STANDS } from './correctionWords';
import { ExplainedFailure } from './explainedFailure';
import { explainRefusal, LABELS, NOTHING_CHANGED, type Explanation } from './refusalExplanations';
import { Place, type Situation } from './situation';
import { explainState } from './wrongState';

/*
 * Says of every failure what happened and what to do, in the words of the editor. Only this file,
 * connectionExplanations.ts and refusalExplanations.ts connect what the service refuses with the
 * fields of the forms. All are pure, so that tests can read all of their sentences.
 */

/**
 * Explains a failure to the person who runs the node.
 *
 * @param situation what is known of the item; undefined outside of the action node
 * @returns message and remedy, both without a final period
 */
export function explain(failure: Failure, situation?: Situation): Explanation {
	const doubt = failure.flags.inDoubt === true;
	if (failure instanceof ExplainedFailure) {
		return { message: failure.message, remedy: failure.remedy };
	}
	if (!(failure instanceof ServiceFailure)) return { message: failure.message, remedy: '' };
	const { reason } = failure;
	if (reason.code === 'unreachable') return explainUnreachable(reason, doubt);
	if (reason.code === 'correctionInterrupted') return explainInterrupted(reason, situation);
	const explanation = explainReason(reason, new Place(situation));
	if (!doubt) return explanation;
	return {
		message: `${explanation.message}${UNKNOWN_OUTCOME}`,
		remedy: `${LOOK_IT_UP}. ${explanation.remedy}`,
	};
}

/** Reasons whose words don't depend on whether the write is in doubt. */
type PlainReason = Exclude<FailureReason, { code: 'unreachable' | 'correctionInterrupted' }>;

function explainReason(reason: PlainReason, place: Place): Explanation {
	switch (reason.code) {
		case 'refused':
			return explainRefusal(reason, place);
		case 'wrongState':
			return explainState(reason, place);
		case 'unexpectedAnswer':
			return {
				message: "The answer isn't the data that the service should send",
				remedy:
					"Check 'Base URL' in the credential: a web page or a proxy answered instead of the service",
			};
		case 'unexpectedList':
			return {
				message: `The service sent ${reason.came} instead of a list, so nobody knows what there is`,
				remedy: sentences(
					quoted(reason.said),
					'Run the node again in a minute. If this continues, contact the service',
				),
			};
		case 'notDone':
			return {
				message:
					reason.lost === undefined
						? `The service answered, but ${describeNotDone(reason.why, place)}`
						: `${explain(reason.lost.withFlags({})).message}, and ${describeNotDone(reason.why, place)}`,
				remedy: sentences(
					quoted(reason.said),
					'kept' in reason.why
						? PAPER_REMEDY
						: reason.lost === undefined
							? 'Run the node again. If this continues, contact the service'
							: explain(reason.lost.withFlags({})).remedy,
				),
			};
		case 'paperNotShown':
			return {
				message: `The service answered, but doesn't show whether the document has its new ${reason.parts.join(' and ')}`,
				remedy: sentences(quoted(reason.said), PAPER_REMEDY),
			};
		case 'notShown':
			return {
				message: "The service answered, but doesn't show what it did",
				remedy: sentences(quoted(reason.said), 'If this continues, contact the service'),
			};
		case 'incompletelyRead':
			return {
				message: `The service sent the transaction without ${reason.missing.map((name) => `'${name}'`).join(', ')}${reason.toWriteBack ? ', which this change would have to send back' : ''}`,
				remedy: `${reason.toWriteBack ? 'Nothing was changed. ' : ''}Run the node again in a minute. If this continues, let 'Transaction: Get' return the raw data to see what the service sends`,
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
		case 'unusableApiKey':
			return {
				message: "'API Key' in the credential has a character that can't be sent",
				remedy:
					'Copy the key from the service again. It has only Latin letters without accents, digits and signs',
			};
		case 'notSent':
			return explainNotSent(reason);
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
		case 'forbiddenLink':
			return {
				message: `The service sent a link that must not be opened: ${reason.target}`,
				remedy:
					"Links need https and a public host without a user name, or the host of 'Base URL'. Contact the service if the link should be right",
			};
		case 'noContent':
			return {
				message: 'The service sent no content for the document',
				remedy: 'Run the node again in a minute: the service may still be preparing the document',
			};
		case 'unreadableContent':
			return {
				message: "The content that the service sent for the document can't be read",
				remedy: 'Run the node again in a minute. If this continues, contact the service',
			};
		case 'emptyFile':
			return {
				message: `The service sent an empty file for '${reason.fileName}'`,
				remedy: 'Run the node again in a minute',
			};
		case 'unexpectedFile':
			return {
				message: `What the service sent for '${reason.fileName}' isn't ${FILE_KINDS[reason.expected]}`,
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
				remedy:
					place.operation === 'document/delete'
						? "If it was deleted before, it's gone, and there is nothing left to do. Otherwise, choose one from the list or check 'Transaction'"
						: "Choose one from the list or check 'Transaction'",
			};
		case 'signerNotInTransaction':
			return {
				message: `'Signer' ${reason.signer} isn't in this transaction`,
				remedy: `Choose one of its signers: ${reason.present.join('; ')}`,
			};
		case 'signerAmbiguous':
			return {
				message: `'Signer' ${reason.signer} fits more than one signer of this transaction`,
				remedy: `Nothing was changed. Choose one by its ID or external ID: ${reason.present.join('; ')}`,
			};
		case 'signerNotWritable':
			return {
				message: `The service doesn't show the email address of ${reason.signer}, which this change would have to send back`,
				remedy:
					"Nothing was changed. Enter it with 'Additional Fields (JSON)' under 'Settings Not Shown': Set Below",
			};
		case 'externalIdTaken':
			return {
				message: `'External ID' ${reason.externalId} is already that of ${reason.signer}`,
				remedy: 'Nothing was changed. Give each signer an external ID of its own',
			};
		case 'settingsNotShown':
			return {
				message: `The service doesn't show these settings, which this change would have to send back: ${namesOfSettings(reason.names)}`,
				remedy:
					"Nothing was changed. If there are none, set 'Settings Not Shown' to There Are None. Otherwise, choose Set Below and enter them, or they would be lost",
			};
		case 'documentsPending':
			return {
				message: `The service is still processing ${reason.documents.map((name) => `'${name}'`).join(', ')}`,
				remedy: `Nothing was sent. Run the node again in a minute, or raise 'Wait for Documents'. It waited ${reason.seconds} seconds`,
			};
		case 'documentFailed':
			return {
				message: `The service can't process '${reason.document}'${reason.why === undefined ? ", and doesn't say why" : `: ${reason.why}`}`,
				remedy:
					"Nothing was sent. Delete it with 'Document: Delete' and add a corrected file with 'Document: Add'",
			};
		case 'externalIdInUse':
			return {
				message: `Designations in ${reason.documents.map((name) => `'${name}'`).join(', ')} refer to the external ID '${reason.externalId}', and would lose their signer`,
				remedy:
					"Nothing was changed. Keep 'External ID', or delete these documents and add them again after the correction",
			};
		case 'signersAreFinal':
			return {
				message: `Signers can no longer be changed: ${whyFinal(reason.because)}`,
				remedy: 'Create a new transaction for what is still to be signed',
			};
	}
}

/** What to do where a service keeps the paper of a document (docs/service/documents.md#update-a-document). */
const PAPER_REMEDY =
	"Some services never change the file or the designations of a document. Delete it with 'Document: Delete', and add it again with 'Document: Add'";

const FILE_KINDS = { pdf: 'a PDF', xml: 'an XML file', image: 'an image', video: 'a video' };

function describeNotDone(why: NotDoneReason, place: Place): string {
	if ('unchanged' in why)
		return `it shows no change of ${why.unchanged.map((name) => `'${place.nameOf(name)}'`).join(', ')}`;
	if ('kept' in why) return `the document still has its old ${why.kept.join(' and ')}`;
	switch (why.still) {
		case 'draft':
			return 'the transaction is still a draft';
		case 'sent':
			return 'the transaction is still with its signers';
		case 'there':
			return "it's still there";
		case 'missing':
			return "it isn't there";
	}
}

const quoted = (said: string[]) =>
	said.length === 0 ? undefined : `The service said: ${said.join('; ')}`;

/** Joins the sentences that there are. */
export const sentences = (...parts: Array<string | null | undefined>) =>
	parts.filter(Boolean).join('. ');

function whyFinal(because: Extract<FailureReason, { code: 'signersAreFinal' }>['because']): string {
	if (typeof because === 'object') return `${because.signer} has completed`;
	return `the transaction ${because === 'completed' ? 'is' : because === 'expired' ? 'has' : 'was'} ${because}`;
}

/**
 * Says where the transaction stands, so that nobody takes a recalled one for a sent one, or the other
 * way round.
 */
function explainInterrupted(
	{ stands, cause }: Extract<FailureReason, { code: 'correctionInterrupted' }>,
	situation?: Situation,
): Explanation {
	const { message, remedy } = explain(cause, situation);
	const [state, next] = STANDS[stands];
	return {
		message: `${message}. ${state}`,
		remedy: `${remedy.replace(NOTHING_CHANGED, '').replace(/^Nothing was changed\. /, '')}. ${next}`,
	};
}

import type { IDataObject } from 'n8n-workflow';

import {
	CANCELED,
	derivePhase,
	hasCompletedSigner,
	hasEndedUnfinished,
	isCanceled,
} from '../transport/answers/transactionState';
import type { FailureReason } from '../transport/failure/failure';
import { asText } from '../values/json';
import { joinQuoted, joinSentences, withArticle } from '../values/words';
import { hasParameter, labelIn, type Situation, type Texts } from './situation';

/*
 * The states of a transaction in words, and what to do when an operation finds one in another state
 * than it needs (docs/service/states.md).
 */

/** States whose names in the service don't say what is the case. The others read well. */
const WORDS: Record<string, string> = {
	started: 'draft',
	recalled: 'draft, recalled',
	sent_to_closing_ops: 'with the closing team',
	order_placed: 'with the closing team',
	sent_to_title_agency: 'with the title agency',
	sent_to_title_agent: 'with the title agency',
	viewed: 'opened by a signer',
	complete: 'completed',
	partially_complete: 'partially completed',
	complete_with_rejections: 'completed with rejections',
	esign_complete: 'signed electronically',
	wet_sign_complete: 'signed on paper',
	converted_to_wet_sign: 'to be signed on paper',
	identify_complete_idv_passed: 'completed, identity check passed',
	identify_complete_idv_failed: 'completed, identity check failed',
};

/**
 * Says in words how far a transaction is. A draft whose detailed status is missing has the status
 * "started" (docs/service/states.md#detailed-status).
 * @returns undefined when the transaction doesn't say it
 */
export function describeState({
	detailed_status: detailed,
	status,
}: IDataObject): string | undefined {
	if (isCanceled({ detailed_status: detailed, status })) return CANCELED;
	const state = asText(detailed) ?? asText(status);
	if (state === undefined) return undefined;
	// A detailed status of the same name belongs to a transaction that was sent.
	if (state === 'started' && status !== 'started') return state;
	return Object.hasOwn(WORDS, state) ? WORDS[state] : state.replaceAll('_', ' ');
}

/** How to invite the signers of a transaction that is sent. */
export const INVITE_AGAIN = "To invite the signers again, use 'Transaction: Resend Email'";

/** What to do about what can't be signed in a transaction that has ended. */
export const describeNewStart = (transaction: IDataObject): string =>
	hasEndedUnfinished(transaction)
		? "To start over, use 'Transaction: Copy'"
		: 'Create a new transaction for what is still to be signed';

const PHASES = { draft: 'is a draft', sent: 'is already sent', finished: 'has ended' };

function describePhase(current: IDataObject): string {
	const [phase, state] = [derivePhase(current), describeState(current)];
	if (phase !== undefined)
		return `The transaction ${PHASES[phase]}${phase === 'draft' ? '' : ` (${state})`}`;
	return state === undefined
		? "The transaction doesn't show whether it's sent"
		: `The transaction has the state "${state}"`;
}

function findNextStep(
	step: Extract<FailureReason, { code: 'wrongState' }>['step'],
	current: IDataObject,
	situation?: Situation,
): string {
	const isRecall = situation?.operation === 'transaction/recall';
	if (step === 'unconfirmed' && hasCompletedSigner(current))
		return `Once a signer has completed, a transaction can no longer be ${isRecall ? 'recalled' : 'deleted'}`;
	if (step === 'unconfirmed')
		return isRecall
			? "To take it back from its signers, turn on 'Recall from Signers': until it's sent again, they can't sign. To correct a signer, use 'Transaction: Correct Signer'"
			: "To delete it all the same, turn on 'Delete Even if Sent': its signers lose it, with everything they have filled in";
	if (derivePhase(current) === 'finished') return describeNewStart(current);
	return step === 'send'
		? INVITE_AGAIN
		: "There is nothing to recall: change it with 'Transaction: Update'";
}

/** Settings that no answer shows, as the form names them; what it has no field for is left out. */
function listSettingLabels(names: string[], situation: Situation | undefined): string[] {
	const inForm = names.map((name) => (name === 'assurance_requirement' ? 'identityChecks' : name));
	const labels = inForm.flatMap((name) => labelIn(situation, name) ?? []);
	return labels.length < names.length ? [...labels, OTHER_SETTINGS] : labels;
}

const OTHER_SETTINGS = "others in 'Additional Fields (JSON)'";

/** Texts about what a transaction has, its signers and its documents. */
export const TRANSACTION_TEXTS = {
	wrongState({ step, current }, situation) {
		// A request was lost before.
		const done =
			step === 'ended' ? "It's unknown what the request did before" : 'Nothing was changed';
		return [describePhase(current), `${done}. ${findNextStep(step, current, situation)}`];
	},
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
			joinSentences(
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
	signerIncomplete: ({ signer, counterpart: beside, missing }) => [
		`${signer} would have ${withArticle(beside)} without ${withArticle(missing)}`,
		"Nothing was changed. Enter both or neither, in 'Corrections' or, if the service doesn't show one of them, in 'Settings Not Shown': Set Below",
	],
	settingsNotShown({ names }, situation) {
		const isSetBelow = hasParameter(situation, 'signerSettings');
		const labels = listSettingLabels(names, situation).join(', ');
		if (names.join() === 'transaction_type' && isSetBelow)
			return [
				`The service doesn't show ${labels} of this closing, and a sent one has to have it`,
				"Nothing was changed. Set 'Settings Not Shown' to Set Below, and enter it in 'Settings of Closing'",
			];
		return [
			`Nothing was changed yet: say in 'Settings Not Shown' whether the signers have settings that the service doesn't show, because ${situation?.operation === 'transaction/copy' ? 'the copy would lack' : 'a change erases'} them`,
			joinSentences(
				`These are: ${labels}`,
				'Look at the form that created the signers, in this workflow or another',
				"If none of them is set there, choose 'There Are None'",
				isSetBelow &&
					names.includes('paper_note_consent') &&
					"If Paper Note Consent is the only one, choose 'Only Paper Note Consent'",
				`Otherwise, ${isSetBelow ? "choose 'Set Below' and enter" : 'fill in'} them again`,
			),
		];
	},
	documentsPending: ({ documents, seconds }) => [
		`The service is still processing ${joinQuoted(documents)}`,
		`Nothing was sent. Run the node again in a minute, or raise 'Wait for Documents'. The node waited ${seconds} seconds`,
	],
	splitRunning: ({ current, expected, pending, seconds }) => [
		pending.length > 0
			? `The service is still processing ${joinQuoted(pending)}`
			: `The transaction has ${current === 0 ? 'no document' : current}${expected === undefined ? '' : `${current === 0 ? ' instead of' : ' of'} ${expected}`}${current === 0 ? '' : ' documents'}`,
		`Nothing was changed. The node waited ${seconds} seconds: a split takes about five minutes. Run the node again, raise 'Wait Up To', or correct 'Number of Documents'`,
	],
	documentFailed: ({ document, explanation }) => [
		`The service can't process '${document}'${explanation === undefined ? ", and doesn't say why" : `: ${explanation}`}`,
		"Nothing was sent. Delete it with 'Document: Delete' and add a corrected file with 'Document: Add'",
	],
	externalIdInUse: ({ documents, externalId }) => [
		`Designations in ${joinQuoted(documents)} refer to the external ID '${externalId}', and would lose their signer`,
		"Nothing was changed. Keep 'External ID', or delete these documents and add them again after the correction",
	],
	signersAreFinal: ({ because }) => [
		`Signers can no longer be changed: ${typeof because === 'object' ? `${because.signer} has completed` : `the transaction has ended (${because})`}`,
		describeNewStart({ status: because }),
	],
} satisfies Partial<Texts>;

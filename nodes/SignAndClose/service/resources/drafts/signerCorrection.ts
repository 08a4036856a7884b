import type { IDataObject } from 'n8n-workflow';

import type { TransactionAnswer } from '../../answers';
import type { ServiceClient } from '../../client';
import type { Platform } from '../../endpoints';
import { asError, ServiceFailure, type CorrectionStep } from '../../errors/failure';
import { unexpectedAnswer } from '../../errors/refusal';
import { done, notDone, UNKNOWN, type Seen, type StepMemory } from '../../goals';
import { signerToRequest } from '../../requestFields';
import { asObjects, asText } from '../../values/json';
import type { Difference } from '../../values/same';
import { showsSigner } from './changes';
import { correctedSigner, planUpdate, sendUpdate } from './draftUpdate';
import type { NotShown } from './notShown';
import { chosenSigner, findSigners, hasCompleted, signerName } from '../signers';
import { isCertain, Progress } from './correctionProgress';
import { phaseOf, type Phase } from '../transactionState';
import { recall, retrieveTransaction, sendDraft } from '../transactions';

/*
 * Corrects a signer of a transaction that may have been sent already: recall, change, send again.
 * Signers change only with a draft (docs/service/signers.md#change-signers-of-a-draft). Whatever can
 * fail without the service is done before the recall.
 */

/** What to correct, and how. */
export interface Correction {
	transactionId: string;
	platform: Platform;
	/** ID, e-mail address or external ID of the signer. */
	signer: string;
	/** Request fields of the signer that change. */
	changes: IDataObject;
	/** What is sent back of the settings that no answer shows. */
	notShown: NotShown;
	/** Reason for the recall, which the service keeps. */
	reason?: string;
	/** Options of Send, which the service doesn't keep from the first time. */
	sendOptions?: IDataObject;
	/** Whether a transaction that had been sent is sent again. */
	sendAgain: boolean;
}

/** The outcome of a correction. */
export interface Corrected {
	transaction: TransactionAnswer;
	/** The steps that were done, in order. */
	steps: CorrectionStep[];
	/** Values of the signers that the service shows otherwise than they were sent. */
	differing: Difference[];
}

/**
 * Corrects a signer. Each step first checks whether it is still needed, so that a run that was
 * interrupted continues where it stopped and nothing is done twice.
 * @param memory what earlier tries of the same run have done
 * @throws ServiceFailure before the recall: `signersAreFinal` when the transaction is finished or
 *   somebody has completed, `signerNotInTransaction`, `signerAmbiguous`, `externalIdInUse`, and those
 *   of planUpdate(). Afterwards: `correctionInterrupted`, which says where the transaction stands
 */
export async function correctSigner(
	service: ServiceClient,
	correction: Correction,
	memory: StepMemory,
): Promise<Corrected> {
	const { transactionId, platform } = correction;
	const progress = new Progress(memory);
	try {
		const shown = await retrieveTransaction(service, transactionId, platform);
		const phase = phaseOf(shown);
		if (phase === undefined) throw unexpectedAnswer(200);
		progress.see(phase, isShownCorrected(shown, correction, service.settings.assuranceField));
		const { isCorrected } = progress;
		// Somebody may have signed since it was sent again.
		if (
			isCorrected &&
			(phase === 'sent' || (phase === 'finished' && progress.steps.includes('sent')))
		)
			return { transaction: shown, steps: progress.steps, differing: [] };
		requireChangeable(shown, phase);
		const toBeSent =
			correction.sendAgain &&
			(phase === 'sent' || shown.detailed_status === 'recalled' || progress.isToBeSent);
		const { transaction, differing } = isCorrected
			? { transaction: shown, differing: [] }
			: await change(service, shown, correction, progress);
		if (!toBeSent) return { transaction, steps: progress.steps, differing };
		const { sendOptions } = correction;
		const sent = await progress.step(
			'sending',
			'sent',
			async () => await sendDraft(service, transactionId, platform, sendOptions),
		);
		return { transaction: sent, steps: progress.steps, differing };
	} catch (thrown) {
		throw progress.explain(thrown);
	}
}

/** Recalls a transaction that is sent, and changes its signer. */
async function change(
	service: ServiceClient,
	shown: TransactionAnswer,
	correction: Correction,
	progress: Progress,
) {
	const { transactionId, platform, changes, notShown, reason } = correction;
	const signer = chosenSigner(shown, correction.signer);
	requireFreeExternalId(shown, asText(signer.external_id), changes);
	const update = planUpdate(shown, platform, service.settings.assuranceField, {
		fields: {},
		correction: { signer, changes },
		notShown,
	});
	if (phaseOf(shown) === 'sent')
		await progress.step(
			'recalling',
			'recalled',
			async () => await recall(service, transactionId, platform, reason),
		);
	try {
		return await progress.step(
			'correcting',
			'corrected',
			async () => await sendUpdate(service, update),
		);
	} catch (thrown) {
		if (isCertain(thrown) && correction.sendAgain && progress.wasRecalled)
			await restore(service, correction, progress);
		throw asError(thrown);
	}
}

/** Sends a transaction again that was recalled for a correction which the service didn't take. */
async function restore(
	service: ServiceClient,
	{ transactionId, platform, sendOptions }: Correction,
	progress: Progress,
): Promise<void> {
	try {
		await progress.step(
			'restoring',
			'restored',
			async () => await sendDraft(service, transactionId, platform, sendOptions),
		);
	} catch {
		// Why the correction wasn't done is told, and that the transaction isn't sent again.
	}
}

/** The goal of a correction whose outcome is in doubt. */
export async function lookUpCorrection(
	service: ServiceClient,
	correction: Correction,
	memory: StepMemory,
): Promise<Seen<Corrected>> {
	const { transactionId, platform, sendAgain } = correction;
	const transaction = await retrieveTransaction(service, transactionId, platform);
	const phase = phaseOf(transaction);
	if (phase === undefined) return UNKNOWN;
	const progress = new Progress(memory);
	progress.see(phase, isShownCorrected(transaction, correction, service.settings.assuranceField));
	const toBeSent = sendAgain && (transaction.detailed_status === 'recalled' || progress.isToBeSent);
	if (progress.isCorrected && (phase !== 'draft' || !toBeSent))
		return done({ transaction, steps: progress.steps, differing: [] });
	// Every step looks before it acts, so the correction can go on.
	return notDone({ still: phase === 'draft' ? 'draft' : 'sent' }, progress.stands);
}

/**
 * Whether the chosen signer shows all that is to be corrected. A signer who was chosen by a wrong
 * e-mail address or external ID is found by the correct one afterwards.
 */
function isShownCorrected(
	transaction: TransactionAnswer,
	{ signer, changes }: Correction,
	assuranceField: string,
): boolean {
	const chosen = findSigners(transaction, signer);
	const isNamedAnew = (shown: IDataObject) =>
		['email', 'external_id'].some(
			(name) => changes[name] !== undefined && shown[name] === changes[name],
		);
	const found = chosen.length > 0 ? chosen : asObjects(transaction.signers).filter(isNamedAnew);
	if (found.length !== 1) return false;
	const wanted = correctedSigner(signerToRequest(found[0], assuranceField), changes);
	return showsSigner(found[0], wanted, assuranceField);
}

/** @throws ServiceFailure `signersAreFinal` */
function requireChangeable(transaction: TransactionAnswer, phase: Phase): void {
	const completed = asObjects(transaction.signers).find(hasCompleted);
	if (completed === undefined && phase !== 'finished') return;
	const because =
		transaction.status === 'expired'
			? 'expired'
			: completed === undefined
				? 'completed'
				: { signer: signerName(completed) };
	throw new ServiceFailure({ code: 'signersAreFinal', because }, { final: true });
}

/**
 * Checks that no designation would lose its signer, because designations refer to the external ID
 * (docs/service/documents.md#signer-identifier). An answer may leave out to whom one belongs; then
 * it counts as the signer's.
 * @throws ServiceFailure `externalIdInUse`
 */
function requireFreeExternalId(
	transaction: TransactionAnswer,
	externalId: string | undefined,
	{ external_id: changed }: IDataObject,
): void {
	if (externalId === undefined || changed === undefined || changed === externalId) return;
	const documents = asObjects(transaction.documents)
		.filter(({ signing_designations: designations }) =>
			asObjects(designations).some(
				({ signer_identifier: signer = externalId }) => signer === externalId,
			),
		)
		.map(({ document_name: name, id }) => asText(name) ?? String(id));
	if (documents.length > 0)
		throw new ServiceFailure({ code: 'externalIdInUse', externalId, documents }, { final: true });
}

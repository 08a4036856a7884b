import type { IDataObject } from 'n8n-workflow';

import { UNKNOWN, done, notDone, type Seen, type StepMemory } from '../../../run/outcome/goals';
import type { TransactionAnswer } from '../../../transport/answers/answers';
import { retrieveTransaction } from '../../../transport/answers/retrieveTransaction';
import { phaseOf, type Phase } from '../../../transport/answers/transactionState';
import type { ServiceClient } from '../../../transport/client';
import {
	ServiceFailure,
	asError,
	findFailure,
	type CorrectionStands,
	type CorrectionStep,
} from '../../../transport/failure/failure';
import { unexpectedAnswer } from '../../../transport/failure/refusal';
import type { Platform } from '../../../transport/service/endpoints';
import { asObjects } from '../../../values/json';
import type { Difference } from '../../../values/same';
import { chosenSigner, findSigners, hasCompleted, signerName } from '../../signer/api';
import { recall } from '../recall.operation';
import { sendDraft } from '../send.operation';
import { compareSigner, type Changed } from './changes';
import { correctedSigner, planUpdate, sendUpdate, type NotShown } from './draftUpdate';
import { signerToRequest } from './requestFields';

/* Notes how far the correction of a signer has come (signerCorrection.ts). */

/** Whether it's certain that a step wasn't done. Nothing is known of one that was canceled. */
function isCertain(thrown: unknown): boolean {
	const failure = findFailure(thrown);
	return failure !== undefined && failure.flags.inDoubt !== true;
}

const STEPS: CorrectionStep[] = ['recalled', 'corrected', 'sent'];
/** Noted where the transaction is as it was before the correction. */
const UNTOUCHED = 'untouched';

/**
 * How far a correction has come, over the tries of one run. The last note says where it stands: a
 * step is noted before it's begun, because its answer may never come.
 */
export class Progress {
	private isShownCorrected = false;

	constructor(private readonly memory: StepMemory) {}

	/** Whether the correction has recalled the transaction, or may have. */
	get wasRecalled(): boolean {
		return this.notes.includes('recalling');
	}

	/** Whether the transaction was sent before the correction, or has been about to be sent. */
	get isToBeSent(): boolean {
		return this.wasRecalled || this.notes.includes('sending');
	}

	get isCorrected(): boolean {
		return this.isShownCorrected || this.notes.includes('corrected');
	}

	/** The steps that were done, in order. */
	get steps(): CorrectionStep[] {
		return STEPS.filter((step) => this.notes.includes(step));
	}

	/** Where the transaction stands; undefined where it's as it was before the correction. */
	get stands(): CorrectionStands | undefined {
		const last = this.notes.at(-1) as CorrectionStands | 'sent' | undefined;
		return this.isToBeSent && last !== 'sent' ? last : undefined;
	}

	/** Takes in what the service shows now. It tells of steps whose outcome wasn't known. */
	see(phase: Phase, isShownCorrected: boolean): void {
		this.isShownCorrected = isShownCorrected;
		const last = this.notes.at(-1);
		// What has ended may have expired, which doesn't say whether it was sent.
		if (last === undefined || (phase === 'finished' && last !== 'sending')) return;
		if (phase !== 'draft') {
			if (!this.isCorrected) this.memory.add(UNTOUCHED);
			else {
				if (!this.notes.includes('corrected')) this.memory.add('corrected');
				if (this.isToBeSent) this.memory.add('sent');
			}
			return;
		}
		this.memory.add(this.isCorrected ? 'corrected' : this.wasRecalled ? 'recalled' : UNTOUCHED);
	}

	/** Does a step. A failure that leaves no doubt takes the note back. */
	async step<T>(
		begun: CorrectionStands,
		name: CorrectionStep | 'restored',
		work: () => Promise<T>,
	): Promise<T> {
		const before = this.notes.at(-1) ?? UNTOUCHED;
		this.memory.add(begun);
		try {
			const outcome = await work();
			this.memory.add(name);
			return outcome;
		} catch (thrown) {
			if (isCertain(thrown)) this.memory.add(before);
			throw asError(thrown);
		}
	}

	/** Adds where the transaction stands, so that nobody takes a recalled one for a sent one. */
	explain(thrown: unknown): Error {
		const failure = findFailure(thrown);
		const { stands } = this;
		if (failure === undefined) return asError(thrown);
		if (stands === undefined) return failure;
		return new ServiceFailure(
			{ code: 'correctionInterrupted', stands, cause: failure },
			failure.flags,
		);
	}

	/** What was noted since the transaction was last as it had been. */
	private get notes(): string[] {
		const all = this.memory.all();
		return all.slice(all.lastIndexOf(UNTOUCHED) + 1);
	}
}

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
	/** Whether n8n tries again after a failure. The transaction is then left for the next try. */
	isTriedAgain?: boolean;
}

/** The outcome of a correction. */
export interface Corrected extends Changed {
	/** The steps that were done, in order. */
	steps: CorrectionStep[];
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
		const found = findCorrected(shown, correction, service.settings.assuranceField);
		progress.see(phase, found?.isShown === true);
		const { isCorrected } = progress;
		const differing = found?.differing ?? [];
		// Somebody may have signed since it was sent again.
		if (
			isCorrected &&
			(phase === 'sent' || (phase === 'finished' && progress.steps.includes('sent')))
		)
			return { transaction: shown, steps: progress.steps, differing };
		requireChangeable(shown, phase);
		const toBeSent =
			correction.sendAgain &&
			(phase === 'sent' || shown.detailed_status === 'recalled' || progress.isToBeSent);
		const changed: Changed = isCorrected
			? { transaction: shown, differing }
			: await change(service, shown, correction, progress);
		if (!toBeSent) return { ...changed, steps: progress.steps };
		const { sendOptions } = correction;
		const sent = await progress.step(
			'sending',
			'sent',
			async () => await sendDraft(service, transactionId, platform, sendOptions),
		);
		return { ...changed, transaction: sent, steps: progress.steps };
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
	try {
		const update = planUpdate(shown, platform, service.settings.assuranceField, {
			fields: {},
			correction: { signer: chosenSigner(shown, correction.signer), changes },
			notShown,
		});
		if (phaseOf(shown) === 'sent')
			await progress.step(
				'recalling',
				'recalled',
				async () => await recall(service, transactionId, platform, reason),
			);
		return await progress.step(
			'correcting',
			'corrected',
			async () => await sendUpdate(service, update),
		);
	} catch (thrown) {
		const { sendAgain, isTriedAgain } = correction;
		if (isCertain(thrown) && sendAgain && isTriedAgain !== true && progress.wasRecalled)
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
	const found = findCorrected(transaction, correction, service.settings.assuranceField);
	progress.see(phase, found?.isShown === true);
	const toBeSent = sendAgain && (transaction.detailed_status === 'recalled' || progress.isToBeSent);
	const isOver = phase === 'finished' && !progress.steps.includes('sent');
	if (isOver) return UNKNOWN;
	if (progress.isCorrected && (phase !== 'draft' || !toBeSent))
		return done({ transaction, steps: progress.steps, differing: found?.differing ?? [] });
	// Every step looks before it acts, so the correction can go on.
	return notDone({ still: phase === 'draft' ? 'draft' : 'sent' }, progress.stands);
}

/**
 * Compares the chosen signer with what is wanted. A signer who was chosen by a wrong e-mail address or
 * external ID is found by the correct one afterwards.
 * @returns undefined when no signer, or more than one, is the one that was chosen
 */
function findCorrected(
	transaction: TransactionAnswer,
	{ signer, changes }: Correction,
	assuranceField: string,
): { isShown: boolean; differing: Difference[] } | undefined {
	const chosen = findSigners(transaction, signer);
	const isNamedAnew = (shown: IDataObject) =>
		['email', 'external_id'].some(
			(name) => changes[name] !== undefined && shown[name] === changes[name],
		);
	const found = chosen.length > 0 ? chosen : asObjects(transaction.signers).filter(isNamedAnew);
	if (found.length !== 1) return undefined;
	const wanted = correctedSigner(signerToRequest(found[0], assuranceField), changes);
	return compareSigner(found[0], wanted, assuranceField);
}

/** @throws ServiceFailure `signersAreFinal` */
function requireChangeable(transaction: TransactionAnswer, phase: Phase): void {
	const completed = asObjects(transaction.signers).find(hasCompleted);
	if (completed === undefined && phase !== 'finished') return;
	const states = [transaction.status, transaction.detailed_status];
	const ended = (['expired', 'declined'] as const).find((state) => states.includes(state));
	const because =
		ended ?? (completed === undefined ? 'completed' : { signer: signerName(completed) });
	throw new ServiceFailure({ code: 'signersAreFinal', because }, { final: true });
}

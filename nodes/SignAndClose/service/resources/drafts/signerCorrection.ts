import type { IDataObject } from 'n8n-workflow';

import type { TransactionAnswer } from '../../answers';
import type { ServiceClient } from '../../client';
import type { Platform } from '../../endpoints';
import { asError, findFailure, ServiceFailure, type CorrectionStep } from '../../errors/failure';
import { unexpectedAnswer } from '../../errors/refusal';
import { done, notDone, UNKNOWN, type Seen, type StepMemory } from '../../goals';
import { isEmpty, signerToRequest } from '../../requestFields';
import { asObject, asObjects, asText } from '../../values/json';
import { hasSignerLike } from './changes';
import { updateDraft } from './draftUpdate';
import { findSigner, hasCompleted, signerName } from '../signers';
import { phaseOf } from '../transactionState';
import { recall, retrieveTransaction, sendDraft } from '../transactions';

/*
 * Corrects a signer of a transaction that may have been sent already: recall, change, send again.
 * Signers change only with a draft (docs/service/signers.md#change-signers-of-a-draft).
 */

/** What to correct, and how. */
export interface Correction {
	transactionId: string;
	platform: Platform;
	/** ID, e-mail address or external ID of the signer. */
	signer: string;
	/** Request fields of the signer that change. */
	changes: IDataObject;
	/** Request fields of the transaction that no answer shows, to be sent along. */
	unanswered?: IDataObject;
	/** Reason for the recall, which the service keeps. */
	reason?: string;
	/** Options of Send, which the service doesn't keep from the first time. */
	sendOptions?: IDataObject;
	/** Whether a transaction that had been sent is sent again. */
	sendAgain: boolean;
}

/** The outcome of a correction. */
interface Corrected {
	transaction: TransactionAnswer;
	/** The steps that were done, in order. */
	steps: CorrectionStep[];
}

/** Noted before the recall: afterwards, no answer may tell that the transaction had been sent. */
const WAS_SENT = 'wasSent';
const STEPS = new Set<string>(['recalled', 'corrected', 'sent'] satisfies CorrectionStep[]);

/**
 * Corrects a signer. Each step first checks whether it is still needed, so that a run that was
 * interrupted continues where it stopped and nothing is done twice.
 * @param memory what earlier tries of the same run have done
 * @throws ServiceFailure with the code `signersAreFinal` when the transaction is finished or
 *   somebody has completed, `signerNotInTransaction`, `externalIdInUse`, or `correctionInterrupted`
 *   with the steps that were done
 */
export async function correctSigner(
	service: ServiceClient,
	correction: Correction,
	memory: StepMemory,
): Promise<Corrected> {
	const { transactionId, platform, reason, sendAgain } = correction;
	const retrieve = async () => {
		try {
			return await retrieveTransaction(service, transactionId, platform);
		} catch (thrown) {
			throw halfWay(thrown, stepsDone(memory));
		}
	};
	const step = async <T>(name: CorrectionStep, work: () => Promise<T>): Promise<T> => {
		try {
			const outcome = await work();
			memory.add(name);
			return outcome;
		} catch (thrown) {
			throw halfWay(thrown, stepsDone(memory));
		}
	};
	let transaction = await retrieve();
	checkAllowed(transaction, correction);
	const sent = phaseOf(transaction) === 'sent';
	const toBeSent = sendAgain && wasSent(transaction, memory);
	if (isCorrected(transaction, correction) && sent)
		return { transaction, steps: stepsDone(memory) };
	if (sent) {
		memory.add(WAS_SENT);
		await step('recalled', async () => await recall(service, transactionId, platform, reason));
		const before = transaction;
		// What the recall answered may be short, and is written back as a whole.
		transaction = await retrieve();
		requireSameSigners(before, transaction, memory);
	}
	if (!isCorrected(transaction, correction)) {
		const current = transaction;
		transaction = await step(
			'corrected',
			async () =>
				await updateDraft(service, platform, current, {
					...correction.unanswered,
					signers: changedSigners(current, correction, service.settings.assuranceField),
				}),
		);
	}
	if (toBeSent) {
		transaction = await step(
			'sent',
			async () => await sendDraft(service, transactionId, platform, correction.sendOptions),
		);
	}
	return { transaction, steps: stepsDone(memory) };
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
	const toBeSent = sendAgain && wasSent(transaction, memory);
	if (isCorrected(transaction, correction) && (phase !== 'draft' || !toBeSent))
		return done({ transaction, steps: stepsDone(memory) });
	// Every step looks before it acts, so the correction can go on.
	if (phase !== 'draft') return notDone({ still: 'sent' });
	return notDone({ still: 'draft' }, stepsShown(transaction, correction, memory));
}

/** The steps of a draft's correction: those that were done, and those that no answer confirmed. */
function stepsShown(
	transaction: TransactionAnswer,
	correction: Correction,
	memory: StepMemory,
): CorrectionStep[] {
	if (!memory.all().includes(WAS_SENT)) return stepsDone(memory);
	return isCorrected(transaction, correction) ? ['recalled', 'corrected'] : ['recalled'];
}

/** The steps of a correction that were done, in order. */
function stepsDone(memory: StepMemory): CorrectionStep[] {
	return memory.all().filter((step): step is CorrectionStep => STEPS.has(step));
}

/** Whether the transaction is sent, or was sent before it was recalled. */
function wasSent(transaction: TransactionAnswer, memory: StepMemory): boolean {
	return (
		phaseOf(transaction) === 'sent' ||
		transaction.detailed_status === 'recalled' ||
		memory.all().includes(WAS_SENT)
	);
}

/**
 * Whether the transaction has the signer as wanted. The signer is searched by the changed fields,
 * too, because a new e-mail address may be a new signer to the service.
 */
function isCorrected(transaction: TransactionAnswer, { signer, changes }: Correction): boolean {
	const same = findSigner(transaction, signer);
	const signers = same === undefined ? transaction.signers : [same];
	return hasSignerLike({ ...transaction, signers }, changes);
}

/**
 * Checks that an answer shows every signer that an earlier one has shown. All signers are written
 * back, and a missing one would be removed.
 * @throws ServiceFailure `correctionInterrupted` because of `incompletelyRead`
 */
function requireSameSigners(
	before: TransactionAnswer,
	after: TransactionAnswer,
	memory: StepMemory,
): void {
	const shown = asObjects(after.signers);
	const isShown = (signer: IDataObject) =>
		shown.some((other) =>
			['id', 'email', 'external_id'].some(
				(name) => !isEmpty(signer[name]) && signer[name] === other[name],
			),
		);
	if (asObjects(before.signers).every(isShown)) return;
	const missing = { code: 'incompletelyRead' as const, missing: ['signers'], toWriteBack: true };
	throw halfWay(new ServiceFailure(missing, { final: true }), stepsDone(memory));
}

function changedSigners(
	transaction: TransactionAnswer,
	{ signer, changes }: Correction,
	assuranceField: string,
): IDataObject[] {
	const wrong = findSigner(transaction, signer);
	return (transaction.signers ?? []).map((entry) => {
		const request = signerToRequest(entry, assuranceField);
		return entry === wrong ? corrected(request, changes) : request;
	});
}

/** The address is merged by its parts. A number without a country code keeps the one it had. */
function corrected(signer: IDataObject, changes: IDataObject): IDataObject {
	const address =
		changes.address === undefined
			? {}
			: { address: { ...asObject(signer.address), ...asObject(changes.address) } };
	const phone =
		changes.phone_number !== undefined && changes.phone === undefined && signer.phone !== undefined
			? { phone: { ...asObject(signer.phone), number: changes.phone_number } }
			: {};
	return { ...signer, ...changes, ...address, ...phone };
}

function checkAllowed(transaction: TransactionAnswer, correction: Correction): void {
	const phase = phaseOf(transaction);
	if (phase === undefined) throw unexpectedAnswer(200);
	const completed = asObjects(transaction.signers).find(hasCompleted);
	if (completed !== undefined || phase === 'finished') {
		const because =
			transaction.status === 'expired'
				? 'expired'
				: completed === undefined
					? 'completed'
					: { signer: signerName(completed) };
		throw new ServiceFailure({ code: 'signersAreFinal', because }, { final: true });
	}
	if (isCorrected(transaction, correction)) return;
	const signer = findSigner(transaction, correction.signer);
	if (signer === undefined) {
		const present = asObjects(transaction.signers).map(signerName);
		throw new ServiceFailure(
			{ code: 'signerNotInTransaction', signer: correction.signer, present },
			{ final: true },
		);
	}
	checkExternalId(transaction, asText(signer.external_id), correction);
}

/**
 * Checks that no designation would lose its signer, because designations refer to the external ID
 * (docs/service/documents.md#signer-identifier). An answer may leave out to whom one belongs; then
 * it counts as the signer's.
 */
function checkExternalId(
	transaction: TransactionAnswer,
	externalId: string | undefined,
	{ changes }: Correction,
): void {
	if (
		externalId === undefined ||
		changes.external_id === undefined ||
		changes.external_id === externalId
	)
		return;
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

/** Adds the steps that were done, so that nobody takes a recalled transaction for a sent one. */
function halfWay(thrown: unknown, steps: CorrectionStep[]): Error {
	const failure = findFailure(thrown);
	if (failure === undefined) return asError(thrown);
	if (steps.length === 0) return failure;
	const reason = { code: 'correctionInterrupted' as const, steps: [...steps], cause: failure };
	return new ServiceFailure(reason, failure.flags);
}

import type { IDataObject } from 'n8n-workflow';

import type { ServiceClient } from '../client';
import type { Platform } from '../endpoints';
import { asError, findFailure, ServiceFailure, type CorrectionStep } from '../errors/failure';
import { asObject, asObjects, asText } from '../values/json';
import { toWritableSigner, updateDraft } from './closings';
import { findSigner, hasCompleted, signerName } from './signers';
import { isDraft } from './transactionState';
import { recall, retrieveTransaction, sendDraft, shows } from './transactions';

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
	/** Reason for the recall, which the service keeps. */
	reason?: string;
	/** Options of Send, which the service doesn't keep from the first time. */
	sendOptions?: IDataObject;
	/** Whether a transaction that had been sent is sent again. */
	sendAgain: boolean;
}

/** The outcome of a correction. */
export interface Corrected {
	transaction: IDataObject;
	/** The steps that were done, in order. */
	steps: CorrectionStep[];
}

const FINISHED = new Set(['completed', 'completed_with_rejections', 'expired']);

/**
 * Corrects a signer. Each step first checks whether it is still needed, so that a run that was
 * interrupted continues where it stopped and nothing is done twice.
 * @throws ServiceFailure with the code `signersAreFinal` when the transaction is finished or
 *   somebody has completed, `signerNotInTransaction`, or `correctionInterrupted` with the steps
 *   that were done
 */
export async function correctSigner(
	service: ServiceClient,
	correction: Correction,
): Promise<Corrected> {
	const { transactionId, platform, reason, sendAgain } = correction;
	const retrieve = async () => await retrieveTransaction(service, transactionId, platform);
	const steps: CorrectionStep[] = [];
	let transaction = await retrieve();
	checkAllowed(transaction, correction);
	const sent = !isDraft(transaction);
	const wasSent = sent || transaction.detailed_status === 'recalled';
	if (isCorrected(transaction, correction) && sent) return { transaction, steps };
	if (sent) {
		transaction = await step(
			'recalled',
			async () => await recall(service, transactionId, platform, reason),
			{ retrieve, done: isDraft, steps },
		);
	}
	if (!isCorrected(transaction, correction)) {
		const change = async () =>
			await updateDraft(service, platform, transaction, {
				signers: changedSigners(transaction, correction),
			});
		transaction = await step('corrected', change, {
			retrieve,
			done: (now) => isCorrected(now, correction),
			steps,
		});
	}
	if (wasSent && sendAgain) {
		transaction = await step(
			'sent',
			async () => await sendDraft(service, transactionId, platform, correction.sendOptions),
			{ retrieve, done: (now) => !isDraft(now), steps },
		);
	}
	return { transaction, steps };
}

/**
 * Whether the transaction has the signer as wanted. The signer is searched by the changed fields,
 * too, because a new e-mail address may be a new signer to the service.
 */
export function isCorrected(transaction: IDataObject, { signer, changes }: Correction): boolean {
	const same = findSigner(transaction, signer);
	if (same !== undefined) return shows(same, changes);
	// The service may give the corrected signer another ID. The changed fields then find the signer.
	return asObjects(transaction.signers).some((entry) => shows(entry, changes));
}

function changedSigners(transaction: IDataObject, { signer, changes }: Correction): IDataObject[] {
	const wrong = findSigner(transaction, signer);
	return asObjects(transaction.signers).map((entry) =>
		toWritableSigner(entry === wrong ? corrected(entry, changes) : entry),
	);
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

function checkAllowed(transaction: IDataObject, correction: Correction): void {
	const completed = asObjects(transaction.signers).find(hasCompleted);
	const state = asText(transaction.status) ?? '';
	if (completed !== undefined || FINISHED.has(state)) {
		const because =
			state === 'expired'
				? 'expired'
				: completed === undefined
					? 'completed'
					: { signer: signerName(completed) };
		throw new ServiceFailure({ code: 'signersAreFinal', because }, { final: true });
	}
	if (
		findSigner(transaction, correction.signer) === undefined &&
		!isCorrected(transaction, correction)
	) {
		const present = asObjects(transaction.signers).map(signerName);
		throw new ServiceFailure(
			{ code: 'signerNotInTransaction', signer: correction.signer, present },
			{ final: true },
		);
	}
}

interface StepContext {
	retrieve: () => Promise<IDataObject>;
	/** Whether the step was done after all, when its answer was lost. */
	done: (now: IDataObject) => boolean;
	steps: CorrectionStep[];
}

async function step(
	name: CorrectionStep,
	work: () => Promise<IDataObject>,
	{ retrieve, done, steps }: StepContext,
): Promise<IDataObject> {
	let transaction: IDataObject;
	try {
		transaction = await work();
	} catch (thrown) {
		const found =
			findFailure(thrown)?.flags.inDoubt === true
				? await retrieve().catch(() => undefined)
				: undefined;
		if (found === undefined || !done(found)) throw halfWay(thrown, steps);
		transaction = found;
	}
	steps.push(name);
	return transaction;
}

/** Adds the steps that were done, so that nobody takes a recalled transaction for a sent one. */
function halfWay(thrown: unknown, steps: CorrectionStep[]): Error {
	const failure = findFailure(thrown);
	if (failure === undefined) return asError(thrown);
	if (steps.length === 0) return failure;
	const reason = { code: 'correctionInterrupted' as const, steps: [...steps], cause: failure };
	return new ServiceFailure(reason, failure.flags);
}

import type { IDataObject } from 'n8n-workflow';

import {
	UNCERTAIN,
	reportDone,
	reportNotDone,
	type Goal,
	type StepMemory,
} from '../../../run/goals';
import { write } from '../../../run/write/write';
import type { TransactionAnswer } from '../../../transport/answers/shapes';
import { retrieveTransaction } from '../../../transport/answers/transaction';
import { CANCELED, derivePhase } from '../../../transport/answers/transactionState';
import type { ServiceClient } from '../../../transport/client';
import {
	ServiceFailure,
	asError,
	findFailure,
	type CorrectionStep,
} from '../../../transport/failure/failure';
import { buildUnexpectedAnswer } from '../../../transport/failure/refusal';
import { asObjects, asText } from '../../../values/json';
import { describeTransactionCheck } from '../../../form/lostAnswers';
import { requireSigner, findSigners, hasCompleted, formatSignerName } from '../../signer/api';
import { isSameAddress } from '../../signer/people';
import { move, buildRecallRequest, buildSendRequest, type TransactionTarget } from '../api';
import { compareSigner } from '../../draft/fieldComparison';
import {
	planDraftUpdate,
	sendDraftUpdate,
	buildDraftUpdateGoal,
	type ChangedTransaction,
	type HiddenSettings,
} from '../../draft/draftUpdate';
import { toSignerRequest } from '../../draft/requestFields';
import { mergeSigner } from '../../draft/signerRequests';
import {
	hasBegun,
	isToBeSent,
	listDoneSteps,
	noteShownSteps,
	readStands,
	takeStep,
} from './correctionSteps';

/*
 * Corrects a signer of a transaction that may have been sent already: recall, change, send again.
 * Signers change only with a draft (docs/service/signers.md#change-signers-of-a-draft). Whatever can
 * fail without the service is done before the recall.
 */

/** The detailed status of what was taken back from its signers. */
const RECALLED = 'recalled';

/** What to correct, and how. */
export interface SignerCorrection extends TransactionTarget {
	service: ServiceClient;
	/** What earlier tries of the same execution have done. */
	memory: StepMemory;
	/** ID, e-mail address or external ID of the signer. */
	signer: string;
	/** Request fields of the signer that change. */
	changes: IDataObject;
	/** What is sent back of the settings that no answer shows. */
	notShown: HiddenSettings;
	/** Reason for the recall, which the service keeps. */
	reason?: string;
	/** Options of Send, which the service doesn't keep from the first time. */
	sendOptions?: IDataObject;
	/** Whether a transaction that had been sent is sent again. */
	sendAgain: boolean;
}

/** The outcome of a correction. */
export interface CorrectionResult extends ChangedTransaction {
	/** The steps that were done, in order. */
	steps: CorrectionStep[];
}

/**
 * Corrects a signer. Each step first checks whether it is still needed, so that a try after one that
 * was interrupted continues where that stopped and nothing is done twice.
 * @throws ServiceFailure before the recall: `signersAreFinal` when the transaction is finished or
 *   somebody has completed, `signerNotInTransaction`, `signerCorrectedAlready`, `signerAmbiguous`,
 *   `externalIdInUse`, and those of planDraftUpdate(). Afterwards: `correctionInterrupted`, which says where
 *   the transaction stands
 */
export async function runCorrection(correction: SignerCorrection): Promise<CorrectionResult> {
	try {
		return { ...(await takeCorrectionSteps(correction)), steps: listDoneSteps(correction.memory) };
	} catch (thrown) {
		throw withStands(thrown, correction.memory);
	}
}

/** Adds where the transaction stands, so that nobody takes a recalled one for a sent one. */
function withStands(thrown: unknown, memory: StepMemory): Error {
	const failure = findFailure(thrown);
	const progress = readStands(memory);
	if (failure === undefined || progress === undefined) return failure ?? asError(thrown);
	const reason = { code: 'correctionInterrupted', progress, cause: failure } as const;
	return new ServiceFailure(reason, failure.flags);
}

async function takeCorrectionSteps(correction: SignerCorrection): Promise<ChangedTransaction> {
	const { service, memory, signer, sendOptions } = correction;
	const progress = await retrieveProgress(correction);
	const { transaction, differing, isDone, isCorrected, toBeSent } = progress;
	let result: ChangedTransaction = { transaction, differing };
	if (isDone) return result;
	requireChangeable(progress);
	// Somebody may have recalled it on purpose since it was corrected.
	if (isCorrected && !hasBegun(memory)) throw buildAlreadyCorrected(transaction, signer);
	if (!isCorrected) result = await changeSigner(correction, progress);
	if (!toBeSent) return result;
	const body = buildSendRequest(sendOptions);
	const send = async () => await move(service, 'sendTransaction', correction, body);
	return { ...result, transaction: await takeStep(memory, 'sent', send) };
}

/** Recalls a transaction that is sent, and changes its signer. */
async function changeSigner(
	correction: SignerCorrection,
	{ transaction, phase }: Progress,
): Promise<ChangedTransaction> {
	const { service, memory, platform, signer, changes, notShown, reason } = correction;
	const update = planDraftUpdate(service.settings, transaction, platform, {
		fields: {},
		signerChanges: new Map([[requireSigner(transaction, signer), changes]]),
		notShown,
	});
	const query = buildRecallRequest(reason);
	const recall = async () => await move(service, 'recallTransaction', correction, query);
	if (phase === 'sent') await takeStep(memory, 'recalled', recall);
	const send = async () => await sendDraftUpdate(service, update);
	const goal = buildDraftUpdateGoal(service, update);
	return await takeStep(memory, 'corrected', async () => await write(service, send, goal));
}

/** The goal of a correction, by which one whose outcome is unknown is looked up. */
export const buildCorrectionGoal = (correction: SignerCorrection): Goal<CorrectionResult> => ({
	fromAnswer: () => UNCERTAIN,
	async look() {
		const { memory } = correction;
		const { transaction, phase, differing, isDone } = await retrieveProgress(correction);
		if (isDone) return reportDone({ transaction, steps: listDoneSteps(memory), differing });
		if (phase === 'finished') return UNCERTAIN;
		// Each step is taken only if it's still needed, so the correction can go on.
		return reportNotDone({ still: phase }, readStands(memory));
	},
	toCheck: describeTransactionCheck(
		correction.transactionId,
		'whether the signer is corrected, and whether the transaction is sent',
	),
});

type Progress = Awaited<ReturnType<typeof retrieveProgress>>;

/** Retrieves the transaction, and notes what it shows of steps whose outcome wasn't known. */
async function retrieveProgress(correction: SignerCorrection) {
	const { service, memory, transactionId, platform, sendAgain } = correction;
	const transaction = await retrieveTransaction(service, transactionId, platform);
	const phase = derivePhase(transaction);
	if (phase === undefined) throw buildUnexpectedAnswer();
	const match = findCorrected(transaction, correction);
	const isCorrected = match?.isShown === true || memory.all().includes('corrected');
	noteShownSteps(memory, phase, isCorrected);
	const toBeSent =
		sendAgain &&
		(phase === 'sent' || transaction.detailed_status === RECALLED || isToBeSent(memory));
	// Somebody may have signed since it was sent again.
	const isSent =
		phase === 'sent' || (phase === 'finished' && listDoneSteps(memory).includes('sent'));
	return {
		transaction,
		phase,
		differing: match?.differing ?? [],
		toBeSent,
		/** Whether the service shows the correction, or has taken it. */
		isCorrected,
		isDone: isCorrected && (isSent || (phase === 'draft' && !toBeSent)),
	};
}

/**
 * Compares the chosen signer with what is wanted. A signer who was chosen by a wrong e-mail address or
 * external ID is found by the correct one once this run has begun to correct it. Before, somebody who
 * has it may as well be in another transaction of the same person.
 * @returns undefined when no signer, or more than one, is the one that was chosen
 * @throws ServiceFailure `signerCorrectedAlready`
 */
function findCorrected(
	transaction: TransactionAnswer,
	{ service, memory, signer, changes }: SignerCorrection,
): ReturnType<typeof compareSigner> | undefined {
	const { assuranceField } = service.settings;
	const chosenSigners = findSigners(transaction, signer);
	const renamedSigners = chosenSigners.length > 0 ? [] : findRenamedSigners(transaction, changes);
	if (renamedSigners.length > 0 && !hasBegun(memory))
		throw buildAlreadyCorrected(transaction, signer, renamedSigners.map(formatSignerName));
	const matches = [...chosenSigners, ...renamedSigners];
	if (matches.length !== 1) return undefined;
	const expected = mergeSigner(toSignerRequest(matches[0], assuranceField), changes);
	return compareSigner(matches[0], expected, assuranceField);
}

/** Creates the failure for a correction that is shown without having been begun. */
function buildAlreadyCorrected(
	transaction: TransactionAnswer,
	signer: string,
	present: string[] = [],
): ServiceFailure {
	const isRecalled = transaction.detailed_status === RECALLED;
	const reason = { code: 'signerCorrectedAlready', signer, present, isRecalled } as const;
	return new ServiceFailure(reason, { final: true });
}

/** The signers who have the e-mail address or the external ID that somebody is to get. */
const findRenamedSigners = (
	transaction: TransactionAnswer,
	{ email, external_id: id }: IDataObject,
) =>
	asObjects(transaction.signers).filter(
		(signer) =>
			isSameAddress(signer.email, email) || (asText(id) !== undefined && signer.external_id === id),
	);

/** @throws ServiceFailure `signersAreFinal` */
function requireChangeable({ transaction, phase }: Progress): void {
	const completed = asObjects(transaction.signers).find(hasCompleted);
	if (completed === undefined && phase !== 'finished') return;
	const states = [transaction.status, transaction.detailed_status];
	const ended = (['expired', 'declined', CANCELED] as const).find((state) =>
		states.includes(state),
	);
	const because =
		ended ?? (completed === undefined ? 'completed' : { signer: formatSignerName(completed) });
	throw new ServiceFailure({ code: 'signersAreFinal', because }, { final: true });
}

import type { IDataObject } from 'n8n-workflow';

import { UNKNOWN, done, notDone, type Goal, type StepMemory } from '../../../run/outcome/goals';
import { write } from '../../../run/outcome/write';
import type { TransactionAnswer } from '../../../transport/answers/answers';
import { retrieveTransaction } from '../../../transport/answers/retrieveTransaction';
import { CANCELED, phaseOf, type Phase } from '../../../transport/answers/transactionState';
import type { ServiceClient } from '../../../transport/client';
import {
	ServiceFailure,
	asError,
	findFailure,
	type CorrectionStands,
	type CorrectionStep,
} from '../../../transport/failure/failure';
import { unexpectedAnswer } from '../../../transport/failure/refusal';
import { asObjects, asText } from '../../../values/json';
import { inTransaction } from '../../shared/toCheck';
import { chosenSigner, findSigners, hasCompleted, signerName } from '../../signer/api';
import { sameAddress } from '../../signer/people';
import { move, recallQuery, sendBody, type Target } from '../api';
import { compareSigner } from '../../drafts/changes';
import {
	planUpdate,
	requestUpdate,
	updatedGoal,
	type Changed,
	type NotShown,
} from '../../drafts/draftUpdate';
import { signerToRequest } from '../../drafts/requestFields';
import { correctedSigner } from '../../drafts/signers';

/*
 * Corrects a signer of a transaction that may have been sent already: recall, change, send again.
 * Signers change only with a draft (docs/service/signers.md#change-signers-of-a-draft). Whatever can
 * fail without the service is done before the recall.
 */

/** The detailed status of what was taken back from its signers. */
const RECALLED = 'recalled';

/** What to correct, and how. */
export interface Correction extends Target {
	service: ServiceClient;
	/** What earlier tries of the same execution have done. */
	memory: StepMemory;
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
export interface Corrected extends Changed {
	/** The steps that were done, in order. */
	steps: CorrectionStep[];
}

/**
 * Corrects a signer. Each step first checks whether it is still needed, so that a try after one that
 * was interrupted continues where that stopped and nothing is done twice.
 * @throws ServiceFailure before the recall: `signersAreFinal` when the transaction is finished or
 *   somebody has completed, `signerNotInTransaction`, `signerCorrectedAlready`, `signerAmbiguous`,
 *   `externalIdInUse`, and those of planUpdate(). Afterwards: `correctionInterrupted`, which says where
 *   the transaction stands
 */
export async function correctSigner(correction: Correction): Promise<Corrected> {
	try {
		return { ...(await takeSteps(correction)), steps: stepsOf(correction.memory) };
	} catch (thrown) {
		throw withStands(thrown, correction.memory);
	}
}

/** Adds where the transaction stands, so that nobody takes a recalled one for a sent one. */
function withStands(thrown: unknown, memory: StepMemory): Error {
	const failure = findFailure(thrown);
	const stands = standsOf(memory);
	if (failure === undefined || stands === undefined) return failure ?? asError(thrown);
	const reason = { code: 'correctionInterrupted', stands, cause: failure } as const;
	return new ServiceFailure(reason, failure.flags);
}

async function takeSteps(correction: Correction): Promise<Changed> {
	const { service, memory, signer, sendOptions } = correction;
	const progress = await retrieveProgress(correction);
	const { transaction, differing, isDone, isCorrected, toBeSent } = progress;
	let changed: Changed = { transaction, differing };
	if (isDone) return changed;
	requireChangeable(progress);
	// Somebody may have recalled it on purpose since it was corrected.
	if (isCorrected && !hasBegun(memory)) throw correctedAlready(transaction, signer);
	if (!isCorrected) changed = await change(correction, progress);
	if (!toBeSent) return changed;
	const body = sendBody(sendOptions);
	const send = async () => await move(service, 'sendTransaction', correction, body);
	return { ...changed, transaction: await takeStep(memory, 'sent', send) };
}

/** Recalls a transaction that is sent, and changes its signer. */
async function change(correction: Correction, { transaction, phase }: Progress): Promise<Changed> {
	const { service, memory, platform, signer, changes, notShown, reason } = correction;
	const update = planUpdate(service.settings, transaction, platform, {
		fields: {},
		signerChanges: new Map([[chosenSigner(transaction, signer), changes]]),
		notShown,
	});
	const query = recallQuery(reason);
	const recall = async () => await move(service, 'recallTransaction', correction, query);
	if (phase === 'sent') await takeStep(memory, 'recalled', recall);
	const send = async () => await requestUpdate(service, update);
	const goal = updatedGoal(service, update);
	return await takeStep(memory, 'corrected', async () => await write(service, send, goal));
}

/** The goal of a correction, by which one whose outcome is unknown is looked up. */
export const correctedGoal = (correction: Correction): Goal<Corrected> => ({
	fromAnswer: () => UNKNOWN,
	async look() {
		const { memory } = correction;
		const { transaction, phase, differing, isDone } = await retrieveProgress(correction);
		if (isDone) return done({ transaction, steps: stepsOf(memory), differing });
		if (phase === 'finished') return UNKNOWN;
		// Each step is taken only if it's still needed, so the correction can go on.
		return notDone({ still: phase }, standsOf(memory));
	},
	toCheck: inTransaction(
		correction.transactionId,
		'whether the signer is corrected, and whether the transaction is sent',
	),
});

type Progress = Awaited<ReturnType<typeof retrieveProgress>>;

/** Retrieves the transaction, and notes what it shows of steps whose outcome wasn't known. */
async function retrieveProgress(correction: Correction) {
	const { service, memory, transactionId, platform, sendAgain } = correction;
	const transaction = await retrieveTransaction(service, transactionId, platform);
	const phase = phaseOf(transaction);
	if (phase === undefined) throw unexpectedAnswer();
	const found = findCorrected(transaction, correction);
	const isCorrected = found?.isShown === true || memory.all().includes('corrected');
	noteShown(memory, phase, isCorrected);
	const toBeSent =
		sendAgain &&
		(phase === 'sent' || transaction.detailed_status === RECALLED || wasToBeSent(memory));
	// Somebody may have signed since it was sent again.
	const isSent = phase === 'sent' || (phase === 'finished' && stepsOf(memory).includes('sent'));
	return {
		transaction,
		phase,
		differing: found?.differing ?? [],
		toBeSent,
		/** Whether the service shows the correction, or has taken it. */
		isCorrected,
		isDone: isCorrected && (isSent || (phase === 'draft' && !toBeSent)),
	};
}

/*
 * How far a correction has come over the tries of one run. A step is noted before it's begun, because
 * its answer may never come, so the last note says where the transaction stands.
 */

/** The steps in order, and what is noted before each of them. */
const BEGUN = { recalled: 'recalling', corrected: 'correcting', sent: 'sending' } as const;
const STEPS: CorrectionStep[] = ['recalled', 'corrected', 'sent'];
/** Noted where the transaction is as it was before the correction. */
const UNTOUCHED = 'untouched';

/** The steps that were done, in order. */
const stepsOf = (memory: StepMemory) => STEPS.filter((step) => memory.all().includes(step));

/** Whether this execution has begun the correction. */
const hasBegun = (memory: StepMemory) => memory.all().length > 0;

/** Whether the transaction was sent before the correction, or has been about to be sent. */
const wasToBeSent = (memory: StepMemory) =>
	memory.all().some((note) => note === 'recalling' || note === 'sending');

/** Where the transaction stands; undefined where it's as it was before the correction. */
function standsOf(memory: StepMemory): CorrectionStands | undefined {
	const last = memory.all().at(-1) as CorrectionStands | 'sent' | typeof UNTOUCHED | undefined;
	return last === UNTOUCHED || last === 'sent' || !wasToBeSent(memory) ? undefined : last;
}

/** Does a step. If it certainly wasn't done, its note is taken back. */
async function takeStep<T>(
	memory: StepMemory,
	step: CorrectionStep,
	work: () => Promise<T>,
): Promise<T> {
	const before = memory.all().at(-1) ?? UNTOUCHED;
	memory.add(BEGUN[step]);
	try {
		const outcome = await work();
		memory.add(step);
		return outcome;
	} catch (thrown) {
		// Nothing is known of a step that was canceled.
		const failure = findFailure(thrown);
		if (failure !== undefined && failure.flags.unknownOutcome !== true) memory.add(before);
		throw asError(thrown);
	}
}

/** Notes what the service shows of the steps of earlier tries. */
function noteShown(memory: StepMemory, phase: Phase, isCorrected: boolean): void {
	const last = memory.all().at(-1);
	// What has ended may have expired, which doesn't say whether it was sent.
	if (last === undefined || (phase === 'finished' && last !== 'sending')) return;
	if (!isCorrected) {
		const isRecalled = phase === 'draft' && memory.all().includes('recalling');
		memory.add(isRecalled ? 'recalled' : UNTOUCHED);
		return;
	}
	memory.add('corrected');
	if (phase !== 'draft' && wasToBeSent(memory)) memory.add('sent');
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
	{ service, memory, signer, changes }: Correction,
): ReturnType<typeof compareSigner> | undefined {
	const { assuranceField } = service.settings;
	const chosen = findSigners(transaction, signer);
	const namedAnew = chosen.length > 0 ? [] : findNamedAnew(transaction, changes);
	if (namedAnew.length > 0 && !hasBegun(memory))
		throw correctedAlready(transaction, signer, namedAnew.map(signerName));
	const found = [...chosen, ...namedAnew];
	if (found.length !== 1) return undefined;
	const wanted = correctedSigner(signerToRequest(found[0], assuranceField), changes);
	return compareSigner(found[0], wanted, assuranceField);
}

/** Creates the failure for a correction that is shown without having been begun. */
function correctedAlready(
	transaction: TransactionAnswer,
	signer: string,
	present: string[] = [],
): ServiceFailure {
	const isRecalled = transaction.detailed_status === RECALLED;
	const reason = { code: 'signerCorrectedAlready', signer, present, isRecalled } as const;
	return new ServiceFailure(reason, { final: true });
}

/** The signers who have the e-mail address or the external ID that somebody is to get. */
const findNamedAnew = (transaction: TransactionAnswer, { email, external_id: id }: IDataObject) =>
	asObjects(transaction.signers).filter(
		(shown) =>
			sameAddress(shown.email, email) || (asText(id) !== undefined && shown.external_id === id),
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
		ended ?? (completed === undefined ? 'completed' : { signer: signerName(completed) });
	throw new ServiceFailure({ code: 'signersAreFinal', because }, { final: true });
}

import type { StepMemory } from '../../../run/goals';
import type { Phase } from '../../../transport/answers/transactionState';
import {
	asError,
	findFailure,
	type CorrectionProgress,
	type CorrectionStep,
} from '../../../transport/failure/failure';

/*
 * How far a correction has come over the tries of one run. A step is noted before it's begun, because
 * its answer may never come, so the last note says where the transaction stands.
 */

/** The steps in order, and what is noted before each of them. */
const BEGUN_NOTES = { recalled: 'recalling', corrected: 'correcting', sent: 'sending' } as const;
const STEPS: CorrectionStep[] = ['recalled', 'corrected', 'sent'];
/** Noted where the transaction is as it was before the correction. */
const UNTOUCHED = 'untouched';

/** The steps that were done, in order. */
export const listDoneSteps = (memory: StepMemory) =>
	STEPS.filter((step) => memory.all().includes(step));

/** Whether this execution has begun the correction. */
export const hasBegun = (memory: StepMemory) => memory.all().length > 0;

/** Whether the transaction was sent before the correction, or has been about to be sent. */
export const isToBeSent = (memory: StepMemory) =>
	memory.all().some((note) => note === 'recalling' || note === 'sending');

/** Where the transaction stands; undefined where it's as it was before the correction. */
export function readStands(memory: StepMemory): CorrectionProgress | undefined {
	const last = memory.all().at(-1) as CorrectionProgress | 'sent' | typeof UNTOUCHED | undefined;
	return last === UNTOUCHED || last === 'sent' || !isToBeSent(memory) ? undefined : last;
}

/** Does a step. If it certainly wasn't done, its note is taken back. */
export async function takeStep<T>(
	memory: StepMemory,
	step: CorrectionStep,
	work: () => Promise<T>,
): Promise<T> {
	const before = memory.all().at(-1) ?? UNTOUCHED;
	memory.add(BEGUN_NOTES[step]);
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
export function noteShownSteps(memory: StepMemory, phase: Phase, isCorrected: boolean): void {
	const last = memory.all().at(-1);
	// What has ended may have expired, which doesn't say whether it was sent.
	if (last === undefined || (phase === 'finished' && last !== 'sending')) return;
	if (!isCorrected) {
		const isRecalled = phase === 'draft' && memory.all().includes('recalling');
		memory.add(isRecalled ? 'recalled' : UNTOUCHED);
		return;
	}
	memory.add('corrected');
	if (phase !== 'draft' && isToBeSent(memory)) memory.add('sent');
}

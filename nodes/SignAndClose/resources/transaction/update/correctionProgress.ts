import type { StepMemory } from '../../../run/outcome/goals';
import type { Phase } from '../../../transport/answers/transactionState';
import {
	asError,
	findFailure,
	ServiceFailure,
	type CorrectionStands,
	type CorrectionStep,
} from '../../../transport/failure/failure';

/* Notes how far the correction of a signer has come (signerCorrection.ts). */

/** Whether it's certain that a step wasn't done. Nothing is known of one that was canceled. */
export function isCertain(thrown: unknown): boolean {
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

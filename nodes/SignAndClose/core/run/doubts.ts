import type { IExecuteFunctions } from 'n8n-workflow';

import { asError, Failure, findFailure, ServiceFailure } from '../../service/errors/failure';
import { missedFailure, UNKNOWN, type Seen } from '../../service/goals';
import { ExplainedFailure } from '../explainedFailure';
import { explain } from '../explanations';
import type { Operation, OperationCall, OperationResult } from '../operation';
import { onlyRetry } from './onlyRetry';
import type { InDoubt, Told, WriteMemory } from './writeMemory';

/**
 * Writes whose outcome nobody knows. They're looked up, and never repeated unless the service shows
 * that they weren't done (docs/behaviour.md#when-an-answer-is-lost).
 */
export class Doubts {
	private mayWrite?: Promise<boolean>;

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly memory: WriteMemory,
	) {}

	/**
	 * Does the work of an item, or goes on with one that an earlier try, or the execution that is
	 * retried, left in doubt.
	 * @throws ExplainedFailure when another retry of the same execution may have done it
	 */
	async do(operation: Operation, call: OperationCall): Promise<OperationResult[]> {
		if (operation.kind === 'read') return await resultsOf(operation, call);
		const left = this.leftInDoubt(call);
		if (left !== undefined) {
			const seen = await this.lookUp(operation, { ...call, lostAt: left.lostAt });
			if (seen.state === 'done') return [seen.shown];
			if (seen.state === 'unknown') {
				this.memory.noteOutcome(call.itemIndex, left);
				throw new ExplainedFailure(left.told.message, left.told.remedy, { inDoubt: true });
			}
		}
		await this.requireOnlyRetry();
		this.memory.forgetOutcome(call.itemIndex);
		try {
			return await resultsOf(operation, call);
		} catch (thrown) {
			return await this.settle(operation, call, thrown);
		}
	}

	/** What an earlier try left in doubt, or began and didn't end. */
	private leftInDoubt(call: OperationCall): InDoubt | undefined {
		const outcome = this.memory.outcomeOf(call.itemIndex);
		if (outcome !== undefined) return outcome.state === 'inDoubt' ? outcome : undefined;
		const sent = call.sending.get();
		// A request that nobody waited for any more was given up in this time.
		const lostAt = sent && sent.at + call.service.limits.writeMs;
		return lostAt === undefined ? undefined : { state: 'inDoubt', lostAt, told: CUT_OFF };
	}

	private async requireOnlyRetry(): Promise<void> {
		const { retried } = this.memory;
		if (retried === undefined) return;
		this.mayWrite ??= onlyRetry.use(this.context, retried);
		if (!(await this.mayWrite))
			throw new ExplainedFailure(
				`Another retry of execution ${retried} has gone on already, and nobody knows here how far`,
				"Nothing was sent. In the list of executions, retry the newest of its retries: only that one knows what was done. If it's gone, run the workflow again for the items that are missing",
				{ final: true },
			);
		this.memory.noteRetried();
	}

	/** Looks up a write whose answer was lost, and remembers what became of one that failed. */
	private async settle(
		operation: Operation,
		call: OperationCall,
		thrown: unknown,
	): Promise<OperationResult[]> {
		const { itemIndex, service } = call;
		const failure = findFailure(thrown);
		// Nobody knows what was done before a fault of this program. The next try looks.
		if (failure === undefined) throw asError(thrown);
		if (failure.flags.inDoubt !== true) {
			this.memory.forget(itemIndex);
			if (isHalfDone(failure))
				this.memory.noteOutcome(itemIndex, { state: 'halfDone', told: toldOf(failure, service) });
			throw asError(thrown);
		}
		const { lostAt = Date.now() } = failure.flags;
		const unknown = this.unknown(operation, call, failure);
		this.memory.noteOutcome(itemIndex, {
			state: 'inDoubt',
			lostAt,
			told: toldOf(unknown, service),
		});
		const seen = failure.flags.lookedUp === true ? UNKNOWN : await this.lookUp(operation, call);
		if (seen.state === 'done') return [seen.shown];
		if (seen.state === 'unknown') throw unknown;
		this.memory.forget(itemIndex);
		throw missedFailure(seen);
	}

	private async lookUp(operation: Operation, call: OperationCall): Promise<Seen<OperationResult>> {
		try {
			return (await operation.lookUp?.(call)) ?? UNKNOWN;
		} catch {
			// If the look-up fails, the write stays in doubt.
			return UNKNOWN;
		}
	}

	/** Says of a write in doubt what may have happened, where to look and what to press. */
	private unknown(operation: Operation, call: OperationCall, doubt: Failure): Failure {
		const { message, remedy } = explain(doubt);
		const check = operation.toCheck?.(call) ?? 'Check at the service whether it was done';
		const canLookAgain = operation.lookUp !== undefined && this.memory.canBeRetried;
		// An execution that goes on after a failed item can't be retried.
		const retry =
			canLookAgain && !this.context.continueOnFail()
				? 'Or retry this execution in two minutes: the node looks again first, and sends it only if the service shows that it was not done'
				: undefined;
		const again = "If it wasn't done, run the workflow again for this item alone";
		const next = [remedy, check, again, retry].filter(Boolean).join('. ');
		return new ExplainedFailure(message, next, doubt.flags);
	}
}

async function resultsOf(operation: Operation, call: OperationCall): Promise<OperationResult[]> {
	const results = await operation.execute(call);
	return Array.isArray(results) ? results : [results];
}

const isHalfDone = (failure: Failure) =>
	failure instanceof ServiceFailure && failure.reason.code === 'correctionInterrupted';

/** What a person reads of a failure, without secrets: n8n stores it. */
function toldOf(failure: Failure, service: OperationCall['service']): Told {
	const { message, remedy } = explain(failure);
	return { message: service.redact(message), remedy: service.redact(remedy) };
}

const CUT_OFF: Told = {
	message: 'An earlier try ended while its request was under way, so the outcome is unknown',
	remedy:
		"Check at the service whether it was done. If it wasn't, run the workflow again for this item alone",
};

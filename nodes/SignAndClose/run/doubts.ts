import type { IExecuteFunctions } from 'n8n-workflow';

import { ExplainedFailure, sentences } from '../messages/explainedFailure';
import { explain } from '../messages/explanations';
import { asError, Failure, findFailure, ServiceFailure } from '../transport/failure/failure';
import { onlyRetry } from './onlyRetry';
import type { Operation, OperationCall, OperationResult } from './operation';
import { missedFailure, UNKNOWN, type Seen } from './outcome/goals';
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
		const left = this.leftInDoubt(operation, call);
		const target = targetOf(operation, call);
		if (left !== undefined) {
			// What another account or transaction shows tells nothing of the one that was written to.
			const isSame = this.memory.targetOf(call.itemIndex) === target;
			const seen = isSame
				? await this.lookUp(operation, { ...call, lostAt: left.lostAt })
				: UNKNOWN;
			if (seen.state === 'done') return [seen.shown];
			if (seen.state === 'unknown') {
				this.memory.noteOutcome(call.itemIndex, left);
				throw new ExplainedFailure(left.told.message, left.told.remedy, { inDoubt: true });
			}
		}
		await this.requireOnlyRetry();
		this.memory.begin(call.itemIndex, target);
		try {
			return await resultsOf(operation, call);
		} catch (thrown) {
			return await this.settle(operation, call, thrown);
		}
	}

	/** What an earlier try left in doubt, or began and didn't end. */
	private leftInDoubt(operation: Operation, call: OperationCall): InDoubt | undefined {
		const outcome = this.memory.outcomeOf(call.itemIndex);
		if (outcome !== undefined) return outcome.state === 'inDoubt' ? outcome : undefined;
		const sent = call.sending.get();
		// A request that nobody waited for any more was given up in this time.
		const lostAt = sent && sent.at + call.service.limits.writeMs;
		return lostAt === undefined ? undefined : this.doubt(operation, call, CUT_OFF, lostAt);
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
		const doubt = this.doubt(operation, call, failure, failure.flags.lostAt ?? Date.now());
		this.memory.noteOutcome(itemIndex, doubt);
		const seen = failure.flags.lookedUp === true ? UNKNOWN : await this.lookUp(operation, call);
		if (seen.state === 'done') return [seen.shown];
		if (seen.state === 'unknown')
			throw new ExplainedFailure(doubt.told.message, doubt.told.remedy, failure.flags);
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
	private doubt(
		operation: Operation,
		call: OperationCall,
		failure: Failure,
		lostAt: number,
	): InDoubt {
		const { message, remedy } = toldOf(failure, call.service);
		const check = operation.toCheck?.(call) ?? 'Check at the service whether it was done';
		const again = this.memory.isOfExecution
			? "If it wasn't done, run the workflow again for this item alone"
			: "Repeat it only if it wasn't done";
		const told = sentences(remedy, check, again, this.retryOf(operation, call));
		return { state: 'inDoubt', lostAt, check, told: { message, remedy: told } };
	}

	/** What to press where a retry may find out. */
	private retryOf(operation: Operation, call: OperationCall): string | undefined {
		const canTell = operation.canTell?.(call) ?? operation.lookUp !== undefined;
		// An execution that goes on after a failed item can't be retried.
		if (!canTell || !this.memory.isOfExecution || this.context.continueOnFail()) return undefined;
		// The one that calls a sub-workflow begins it anew.
		const which =
			this.context.getMode() === 'integrated'
				? "the sub-workflow's execution, not the one that called it"
				: 'this one';
		return `Or wait two minutes, and retry ${which} in the list of executions: the node looks first, and sends the item only if it sees that it wasn't done`;
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

/** What an item writes to. */
function targetOf({ resource, value }: Operation, { params, service }: OperationCall): string {
	const transactionId = params.locator('transactionId');
	return [service.settings.account, resource, value, params.choice('platform'), transactionId].join(
		' ',
	);
}

const CUT_OFF = new ExplainedFailure(
	'An earlier try ended while its request was under way, so the outcome is unknown',
	'It may have been done',
	{ inDoubt: true },
);

import type { IExecuteFunctions } from 'n8n-workflow';

import { asError, Failure } from '../../service/errors/failure';
import { missedFailure, UNKNOWN, type Seen } from '../../service/goals';
import { LOOK_IT_UP } from '../connectionExplanations';
import { ExplainedFailure, InputFailure } from '../explainedFailure';
import { explain } from '../explanations';
import type { Operation, OperationCall, OperationResult } from '../operation';
import { decisionOn, usedUp, type Decision, type ItemName } from './unknownOutcomes';
import type { InDoubt, WriteMemory } from './writeMemory';

/**
 * Writes whose outcome nobody knows. They're looked up, and never repeated without knowing what
 * became of them: either the service shows it, or a person has looked
 * (docs/behaviour.md#in-doubt-a-person-decides).
 */
export class Doubts {
	private mayWrite?: Promise<boolean>;

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly memory: WriteMemory,
	) {}

	/**
	 * Does the work of an item that no try has begun.
	 * @throws ExplainedFailure when another retry of the same execution may have done it
	 */
	async begin(operation: Operation, call: OperationCall): Promise<OperationResult[]> {
		const { retried } = this.memory;
		if (retried !== undefined && operation.kind === 'write') {
			this.mayWrite ??= usedUp.retry(this.context, retried);
			if (!(await this.mayWrite))
				throw new ExplainedFailure(
					`Another retry of execution ${retried} has gone on already, and nobody knows here how far`,
					"Nothing was sent. In the list of executions, retry the newest of its retries: only that one knows what was done. If it's gone, run the workflow again for the items that are missing",
					{ final: true },
				);
			this.memory.noteRetried();
		}
		return await this.execute(operation, call);
	}

	/** Does the work of an item. If its outcome is in doubt, it's looked up. */
	private async execute(operation: Operation, call: OperationCall): Promise<OperationResult[]> {
		try {
			const results = await operation.execute(call);
			return Array.isArray(results) ? results : [results];
		} catch (thrown) {
			if (thrown instanceof Failure && thrown.flags.inDoubt && operation.kind === 'write') {
				return await this.settle(operation, call, thrown, this.memory.nameOf(call.itemIndex));
			}
			throw asError(thrown);
		}
	}

	/** Goes on with an item that an earlier try, or the execution that is retried, left in doubt. */
	async goOn(operation: Operation, call: OperationCall, left: InDoubt): Promise<OperationResult[]> {
		const { name } = left;
		const earlier = { ...call, startedAt: left.startedAt };
		const decision = decisionOn(this.context, name);
		if (name === undefined || decision === undefined)
			return await this.settle(operation, earlier, stillInDoubt(left), name);
		if (decision.outcome === 'done') return [await this.asDone(operation, earlier, decision, name)];
		const seen = await this.lookUpAnew(operation, earlier, name);
		if (seen.state === 'done') return [seen.shown];
		if (seen.state === 'unknown' && !(await usedUp.decision(this.context, name)))
			throw this.usedBefore(operation, earlier, left, name);
		this.memory.forget(call.itemIndex);
		return await this.execute(operation, call);
	}

	/** Looks up a write in doubt. */
	private async settle(
		operation: Operation,
		call: OperationCall,
		doubt: Failure,
		name: ItemName | undefined,
	): Promise<OperationResult[]> {
		const { message, remedy } = explain(doubt);
		// n8n stores it.
		const told = { message: call.service.redact(message), remedy: call.service.redact(remedy) };
		const { startedAt } = call;
		this.memory.set(call.itemIndex, { state: 'inDoubt', startedAt, told, ...(name && { name }) });
		const seen = doubt.flags.lookedUp === true ? UNKNOWN : await this.lookUp(operation, call);
		if (seen.state === 'done') return [seen.shown];
		if (seen.state === 'unknown') throw this.undecided(operation, doubt, name);
		this.memory.forget(call.itemIndex);
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

	/**
	 * Looks up a write about which a person has decided.
	 * @returns unknown, too, if the service refuses to show it, because then only a person can know
	 * @throws ExplainedFailure when the service can't be asked at present
	 */
	private async lookUpAnew(
		operation: Operation,
		call: OperationCall,
		{ item }: ItemName,
	): Promise<Seen<OperationResult>> {
		try {
			return (await operation.lookUp?.(call)) ?? UNKNOWN;
		} catch (thrown) {
			if (!(thrown instanceof Failure) || thrown instanceof InputFailure) throw asError(thrown);
			const { httpStatus = 0 } = thrown.flags;
			if (httpStatus >= 400 && httpStatus < 500 && httpStatus !== 429) return UNKNOWN;
			throw notAskable(thrown, item);
		}
	}

	/** What comes out of an item that was done, as a person says. */
	private async asDone(
		operation: Operation,
		call: OperationCall,
		{ id }: Decision,
		name: ItemName,
	): Promise<OperationResult> {
		if (id === undefined) {
			const seen = await this.lookUpAnew(operation, call, name);
			if (seen.state === 'done') return seen.shown;
			if (seen.state === 'notDone')
				throw new ExplainedFailure(
					`'Unknown Outcomes' says that ${name.item} was done, but the service shows that it wasn't`,
					"Choose 'It Wasn't Done' to send it again",
				);
		}
		if (operation.showDone !== undefined) return await operation.showDone(call, id);
		const transactionId = call.params.locator('transactionId');
		return { json: transactionId === undefined ? {} : { transaction_id: transactionId } };
	}

	/** The doubt gets a new name, so that a person can decide again. */
	private usedBefore(
		operation: Operation,
		{ startedAt, itemIndex }: OperationCall,
		{ told }: InDoubt,
		name: ItemName,
	): Failure {
		const renamed = this.memory.nameOf(itemIndex);
		this.memory.set(itemIndex, { state: 'inDoubt', startedAt, told, name: renamed });
		return this.undecided(
			operation,
			new ExplainedFailure(
				`An earlier retry has sent ${name.item} again, so the outcome is unknown`,
				`Retry that one instead: it knows what was done. ${LOOK_IT_UP}`,
				{ inDoubt: true },
			),
			renamed,
		);
	}

	/** The same doubt, with what a person can do about it. */
	private undecided(operation: Operation, doubt: Failure, name: ItemName | undefined): Failure {
		if (name === undefined) return doubt;
		const { message, remedy } = explain(doubt);
		const check = `Check ${operation.toCheck ?? 'whether the service has done it'}`;
		// An execution that goes on after a failed item can't be retried.
		const next = this.context.continueOnFail()
			? "If it wasn't done, run the workflow again for this item alone"
			: `Then enter the outcome of ${name.item} under 'Unknown Outcomes' in the settings of this node, save the workflow, and choose 'Retry with currently saved workflow' for this execution`;
		return new ExplainedFailure(message, `${remedy}. ${check}. ${next}`, doubt.flags);
	}
}

/** What was told of a write in doubt holds for the next try, too, unless a look-up shows more. */
function stillInDoubt({ told }: InDoubt): ExplainedFailure {
	return new ExplainedFailure(told.message, told.remedy, { inDoubt: true });
}

/** Says that the service can't be asked at present what became of an item. */
function notAskable(failure: Failure, item: string): ExplainedFailure {
	const { message, remedy } = explain(failure.withFlags({}));
	return new ExplainedFailure(
		`${message}, so nobody can look up ${item} at present`,
		`Nothing was sent. ${remedy}`,
		{ httpStatus: failure.flags.httpStatus },
	);
}

import type { IExecuteFunctions } from 'n8n-workflow';

import { LOOK_IT_UP, STOPPED, UNKNOWN_OUTCOME } from '../../messages/connectionTexts';
import { ExplainedFailure } from '../../messages/failures';
import { explain } from '../../messages/explanations';
import type { ServiceClient } from '../../transport/client';
import {
	asError,
	findFailure,
	ServiceFailure,
	type Failure,
} from '../../transport/failure/failure';
import { joinSentences } from '../../values/words';
import type { Writer, Operation, OperationCall, OperationResult } from '../operation';
import { createMissedFailure, UNCERTAIN, type Goal } from '../goals';
import { hideInResults } from '../tool/agentTool';
import { deriveWriter } from './runner';
import { lookUp } from './write';
import type { UnknownOutcome, WriteMemory } from './memory';

/**
 * Does writes. One whose outcome is unknown is looked up, and never repeated unless the service shows
 * that it wasn't done (docs/unknown-outcome.md#how-the-node-finds-out).
 */
export class UnknownOutcomes {
	private isOnlyRetry?: Promise<boolean>;

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly memory: WriteMemory,
	) {}

	/**
	 * Does a write that no earlier try has done.
	 * @throws ExplainedFailure when its outcome is still unknown, or another retry of the same
	 *   execution may have done it
	 */
	async write(operation: Operation, call: OperationCall): Promise<OperationResult[]> {
		const writer = operation.write ? deriveWriter(operation.write) : operation.writer!;
		const earlier = await this.resolveEarlier(operation, writer, call);
		return earlier ?? (await this.begin(operation, writer, call));
	}

	/**
	 * Looks up a write whose outcome an earlier try, or the execution that is retried, didn't know, or
	 * that showed no effect in time.
	 * @returns undefined when it has to be done: there is no such outcome, or it shows as not done
	 * @throws ExplainedFailure when its outcome is still unknown
	 */
	async resolveEarlier(
		operation: Operation,
		writer: Writer,
		call: OperationCall,
	): Promise<OperationResult[] | undefined> {
		const { writeId, service } = call;
		const { outcome, missedAt, target } = this.memory.get(writeId);
		const isUnknown = outcome?.state === 'unknown';
		const sent = (outcome ?? missedAt) === undefined ? call.sending.get() : undefined;
		if (!isUnknown && sent === undefined && missedAt === undefined) return undefined;
		// Its parameters may be such that they can't be read any more.
		const goal = await writer.buildGoal(call).catch(() => undefined);
		// A request that nobody waited for any more was given up in this time.
		const cutOff = sent && this.describe(goal, service, CUT_OFF, sent.at + service.limits.writeMs);
		const earlier = isUnknown ? outcome : cutOff;
		// What another account or transaction shows says nothing of the one that was written to.
		const isSame = target === buildTarget(operation, call);
		const lostAt = earlier?.lostAt ?? missedAt!;
		const verdict = isSame ? await find(service, goal, lostAt) : UNCERTAIN;
		if (verdict.state === 'done') {
			const hint = joinSentences(verdict.value.hint, FOUND_LATER);
			return this.remember(call, [{ ...verdict.value, hint }]);
		}
		if (verdict.state === 'ended') {
			this.memory.forget(writeId);
			throw verdict.failure;
		}
		if (verdict.state === 'notDone' || earlier === undefined) return undefined;
		this.memory.noteOutcome(writeId, earlier);
		throw new ExplainedFailure(earlier.message, earlier.remedy, { unknownOutcome: true });
	}

	/**
	 * Does a write that isn't done.
	 * @throws ExplainedFailure when another retry of the same execution may have done it
	 */
	async begin(
		operation: Operation,
		writer: Writer,
		call: OperationCall,
	): Promise<OperationResult[]> {
		await this.requireOnlyRetry();
		this.memory.begin(call.writeId, buildTarget(operation, call));
		const made = await writer
			.execute(call)
			.catch(async (thrown: unknown) => await this.resolveFailure(writer, call, thrown));
		return this.remember(call, [made].flat());
	}

	/** Remembers what is done. What was only found is looked for again by a later try. */
	private remember(call: OperationCall, made: OperationResult[]): OperationResult[] {
		const results = hideInResults(call.context, call.service, made);
		if (results.some(({ isFound }) => isFound)) this.memory.forget(call.writeId);
		else this.memory.noteOutcome(call.writeId, { state: 'done', results });
		return results;
	}

	/** Lets one retry of an execution write: another one begins with the same knowledge. */
	private async requireOnlyRetry(): Promise<void> {
		const { retried } = this.memory;
		if (retried === undefined) return;
		this.isOnlyRetry ??= isFirstRetry(this.context, retried);
		if (!(await this.isOnlyRetry))
			throw new ExplainedFailure(
				"Another retry of the same execution already started, and it's unknown how far it got",
				"Nothing was sent. In the list of executions, retry the newest of its retries. If it's gone, run the workflow again for the items that are missing",
				{ final: true },
			);
		this.memory.noteRetried();
	}

	/** Remembers what became of a write that failed, and looks it up if nobody has yet. */
	private async resolveFailure(
		writer: Writer,
		call: OperationCall,
		thrown: unknown,
	): Promise<OperationResult[]> {
		const { writeId, service } = call;
		const failure = findFailure(thrown) ?? (isStopped(this.context) ? CUT_SHORT : undefined);
		// It's unknown what was done before a fault of this program. The next try looks it up.
		if (failure === undefined) throw asError(thrown);
		const { unknownOutcome, lookedUp, lostAt } = failure.flags;
		if (unknownOutcome !== true) {
			this.memory.forget(writeId, lostAt);
			if (failure instanceof ServiceFailure && failure.reason.code === 'correctionInterrupted')
				this.memory.noteOutcome(writeId, {
					state: 'halfDone',
					...describeFailure(failure, service),
				});
			throw asError(thrown);
		}
		const goal = await writer.buildGoal(call).catch(() => undefined);
		const outcome = this.describe(goal, service, failure, lostAt ?? Date.now());
		this.memory.noteOutcome(writeId, outcome);
		const verdict = lookedUp === true ? UNCERTAIN : await find(service, goal, outcome.lostAt);
		if (verdict.state === 'done') return [verdict.value];
		if (verdict.state === 'unknown')
			throw new ExplainedFailure(outcome.message, outcome.remedy, failure.flags);
		this.memory.forget(writeId, outcome.lostAt);
		throw verdict.state === 'ended' ? verdict.failure : createMissedFailure(verdict);
	}

	/** Says of an unknown outcome what may have happened, where to check and what to press. */
	private describe(
		goal: Goal<OperationResult> | undefined,
		service: ServiceClient,
		failure: Failure,
		lostAt: number,
	): UnknownOutcome {
		const { message, remedy } = describeFailure(failure, service);
		const check = goal?.toCheck ?? 'Check at the service whether it was done';
		const isOfExecution = this.memory.execution !== undefined;
		// An execution that goes on after a failed item, or is stopped, can't be retried.
		const isFinal = this.context.continueOnFail() || isStopped(this.context);
		const canRetry = (goal?.canTell ?? goal?.look) && isOfExecution && !isFinal;
		// The execution that calls a sub-workflow begins it anew.
		const which =
			this.context.getMode() === 'integrated'
				? "the sub-workflow's execution, not the one that started it"
				: 'this one';
		const isUnderWay = Date.now() < lostAt + service.limits.absentAfterMs;
		const all = joinSentences(
			remedy,
			isUnderWay && 'Wait two minutes first: the service may still be at work',
			check,
			isOfExecution
				? "If it wasn't done, run the workflow again for this item alone"
				: "Repeat it only if it wasn't done",
			canRetry &&
				`Or wait two minutes, and retry ${which} in the list of executions: the node checks first, and sends the item only if the service shows that it wasn't done`,
		);
		return { state: 'unknown', lostAt, check, message, remedy: all };
	}
}

/** If the look-up fails, the outcome stays unknown. */
const find = async <T>(service: ServiceClient, goal: Goal<T> | undefined, lostAt: number) =>
	await lookUp(service, goal ?? {}, { isAnswered: false, lostAt }).catch(() => UNCERTAIN);

const FOUND_LATER =
	'The answer of an earlier try was lost. The service shows that it was done, so nothing was sent again';

/** What a person reads of a failure, without secrets: n8n stores it. */
function describeFailure(failure: Failure, service: ServiceClient) {
	const { message, remedy } = explain(failure);
	return { message: service.redact(message), remedy: service.redact(remedy) };
}

/** What an item writes to. */
function buildTarget({ resource, value }: Operation, { params, service }: OperationCall): string {
	const transactionId = params.getLocator('transactionId');
	return [
		service.settings.account,
		resource,
		value,
		params.getChoice('platform'),
		transactionId,
	].join(' ');
}

const CUT_OFF = new ExplainedFailure(
	'An earlier try ended while its request was under way, so the outcome is unknown',
	'It may have been done',
	{ unknownOutcome: true },
);

const CUT_SHORT = new ExplainedFailure(
	`${STOPPED[0]} while the item was written${UNKNOWN_OUTCOME}`,
	LOOK_IT_UP,
	{ unknownOutcome: true, lookedUp: true },
);

/** Whether somebody has stopped the execution. */
export const isStopped = (context: IExecuteFunctions) =>
	context.getExecutionCancelSignal()?.aborted === true;

/** How many keys n8n's store keeps of a node; the oldest are dropped first. */
const MAX_KEYS = 1_000;

/**
 * n8n's store of processed keys reads and then writes without a lock, so one visit follows the other.
 * State of this process; docs/architecture.md lists all of it.
 */
let lastVisit: Promise<unknown> = Promise.resolve();

/**
 * Notes that a retry of an execution is about to write.
 * @returns whether none has written before
 * @throws ExplainedFailure when n8n can't store that; nothing was sent
 */
export async function isFirstRetry(
	{ helpers }: Pick<IExecuteFunctions, 'helpers'>,
	execution: string,
): Promise<boolean> {
	const options = { mode: 'entries' as const, maxEntries: MAX_KEYS };
	const visit = lastVisit
		.then(
			async () => await helpers.checkProcessedAndRecord([`retried: ${execution}`], 'node', options),
		)
		.catch(() => undefined);
	lastVisit = visit;
	const noted = await visit;
	if (noted === undefined)
		throw new ExplainedFailure(
			"n8n couldn't store what this retry is about to send, so nothing was sent",
			'Retry the execution in a minute. If this continues, check the database of n8n',
		);
	return noted.new.length === 1;
}

import type { IExecuteFunctions } from 'n8n-workflow';

import { ExplainedFailure, sentences } from '../messages/explainedFailure';
import { explain } from '../messages/explanations';
import { asError, Failure, findFailure, ServiceFailure } from '../transport/failure/failure';
import type { Operation, OperationCall, OperationResult } from './operation';
import { missedFailure, UNKNOWN, type Seen } from './outcome/goals';
import { shownResults } from './shownResults';
import type { UnknownOutcome, WriteMemory } from './writeMemory';

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
		return (await this.settled(operation, call)) ?? (await this.begin(operation, call));
	}

	/**
	 * Looks up a write whose outcome an earlier try, or the execution that is retried, didn't know.
	 * @returns undefined when it has to be done: there is no such outcome, or it shows as not done
	 * @throws ExplainedFailure when its outcome is still unknown
	 */
	async settled(operation: Operation, call: OperationCall): Promise<OperationResult[] | undefined> {
		const { writeId } = call;
		const earlier = this.earlierOutcome(operation, call);
		if (earlier === undefined) return undefined;
		// What another account or transaction shows says nothing of the one that was written to.
		const isSame = this.memory.of(writeId).target === targetOf(operation, call);
		const found = isSame ? await lookUp(operation, { ...call, lostAt: earlier.lostAt }) : UNKNOWN;
		if (found.state === 'done') return this.remember(call, [found.shown]);
		if (found.state === 'notDone') return undefined;
		this.memory.noteOutcome(writeId, earlier);
		throw new ExplainedFailure(earlier.message, earlier.remedy, { unknownOutcome: true });
	}

	/**
	 * Does a write that isn't done.
	 * @throws ExplainedFailure when another retry of the same execution may have done it
	 */
	async begin(operation: Operation, call: OperationCall): Promise<OperationResult[]> {
		await this.requireOnlyRetry();
		this.memory.begin(call.writeId, targetOf(operation, call));
		const made = await operation.execute!(call).catch(
			async (thrown: unknown) => await this.settle(operation, call, thrown),
		);
		return this.remember(call, [made].flat());
	}

	/** Remembers what is done. What was only found is looked for again by a later try. */
	private remember(call: OperationCall, made: OperationResult[]): OperationResult[] {
		const results = shownResults(call, made);
		if (results.some(({ isFound }) => isFound)) this.memory.forget(call.writeId);
		else this.memory.noteOutcome(call.writeId, { state: 'done', results });
		return results;
	}

	/** The outcome that an earlier try didn't know, or didn't come to know. */
	private earlierOutcome(operation: Operation, call: OperationCall): UnknownOutcome | undefined {
		const { outcome } = this.memory.of(call.writeId);
		if (outcome !== undefined) return outcome.state === 'unknown' ? outcome : undefined;
		const sent = call.sending.get();
		// A request that nobody waited for any more was given up in this time.
		return sent && this.unknown(operation, call, CUT_OFF, sent.at + call.service.limits.writeMs);
	}

	/** Lets one retry of an execution write: another one begins with the same knowledge. */
	private async requireOnlyRetry(): Promise<void> {
		const { retried } = this.memory;
		if (retried === undefined) return;
		this.isOnlyRetry ??= isFirstRetry(this.context, retried);
		if (!(await this.isOnlyRetry))
			throw new ExplainedFailure(
				`Another retry of execution ${retried} already started, and it's unknown how far it got`,
				"Nothing was sent. In the list of executions, retry the newest of its retries. If it's gone, run the workflow again for the items that are missing",
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
		const { writeId, service } = call;
		const failure = findFailure(thrown);
		// It's unknown what was done before a fault of this program. The next try looks it up.
		if (failure === undefined) throw asError(thrown);
		if (failure.flags.unknownOutcome !== true) {
			this.memory.forget(writeId);
			if (failure instanceof ServiceFailure && failure.reason.code === 'correctionInterrupted')
				this.memory.noteOutcome(writeId, { state: 'halfDone', ...wordsOf(failure, service) });
			throw asError(thrown);
		}
		const outcome = this.unknown(operation, call, failure, failure.flags.lostAt ?? Date.now());
		this.memory.noteOutcome(writeId, outcome);
		const found = failure.flags.lookedUp === true ? UNKNOWN : await lookUp(operation, call);
		if (found.state === 'done') return [found.shown];
		if (found.state === 'unknown')
			throw new ExplainedFailure(outcome.message, outcome.remedy, failure.flags);
		this.memory.forget(writeId);
		throw missedFailure(found);
	}

	/** Says of an unknown outcome what may have happened, where to check and what to press. */
	private unknown(
		operation: Operation,
		call: OperationCall,
		failure: Failure,
		lostAt: number,
	): UnknownOutcome {
		const { message, remedy } = wordsOf(failure, call.service);
		const check = operation.toCheck?.(call) ?? 'Check at the service whether it was done';
		const isOfExecution = this.memory.execution !== undefined;
		const canTell = operation.canTell?.(call) ?? operation.lookUp !== undefined;
		// An execution that goes on after a failed item can't be retried.
		const canRetry = canTell && isOfExecution && !this.context.continueOnFail();
		// The execution that calls a sub-workflow begins it anew.
		const which =
			this.context.getMode() === 'integrated'
				? "the sub-workflow's execution, not the one that started it"
				: 'this one';
		const all = sentences(
			remedy,
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
async function lookUp(operation: Operation, call: OperationCall): Promise<Seen<OperationResult>> {
	try {
		return (await operation.lookUp?.(call)) ?? UNKNOWN;
	} catch {
		return UNKNOWN;
	}
}

/** What a person reads of a failure, without secrets: n8n stores it. */
function wordsOf(failure: Failure, service: OperationCall['service']) {
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
	{ unknownOutcome: true },
);

/** How many keys n8n's store keeps of a node; the oldest are dropped first. */
const KEPT = 1_000;

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
	const options = { mode: 'entries' as const, maxEntries: KEPT };
	const visit = lastVisit.then(
		async () => await helpers.checkProcessedAndRecord([`retried: ${execution}`], 'node', options),
	);
	lastVisit = visit.catch(() => undefined);
	try {
		return (await visit).new.length === 1;
	} catch {
		throw notStored();
	}
}

const notStored = () =>
	new ExplainedFailure(
		"n8n couldn't store what this retry is about to send, so nothing was sent",
		'Retry the execution in a minute. If this continues, check the database of n8n',
	);

import { sleep, type IExecuteFunctions, type INodeExecutionData } from 'n8n-workflow';

import { STOPPED } from '../messages/connectionTexts';
import { ExplainedFailure } from '../messages/failures';
import { formatAsText, toNodeError } from '../messages/nodeError';
import { createService, type ServiceClient } from '../transport/client';
import { findFailure, ServiceFailure } from '../transport/failure/failure';
import { LIMITS, type Limits } from '../transport/service/limits';
import { joinSentences } from '../values/words';
import { findWriteLane, takeTurn } from './itemOrder';
import { ItemQueue, type QueuedRun } from './itemQueue';
import {
	findOperation,
	type Operation,
	type OperationCall,
	type OperationResult,
} from './operation';
import { Outputs } from './outputs';
import { ParameterValues, tryToRead } from './parameters/values';
import { Params } from './parameters/params';
import { PartsFailure, writeParts } from './write/parts';
import { listRowNumbers } from './rowNumbers';
import { SharedLists } from './sharedLists';
import { hideInResults } from './tool/agentTool';
import { isStopped, UnknownOutcomes } from './write/unknownOutcomes';
import { describeOutcomes } from './write/outcomes';
import { WriteMemory } from './write/memory';

/** How long a run may keep n8n from everything else, in milliseconds. */
const LONGEST_AT_A_STRETCH_MS = 20;
type ItemError = ReturnType<typeof toNodeError>;

/**
 * Runs the node: input order, paired items, the node's "On Error" setting, cancellation, and writes
 * that "Retry On Fail" must not repeat. All operations share it.
 *
 * @throws NodeApiError, NodeOperationError of the first item that fails, unless "On Error"
 *   continues
 */
export async function runItems(
	context: IExecuteFunctions,
	operations: readonly Operation[],
	limits: Limits = LIMITS,
): Promise<INodeExecutionData[][]> {
	const count = context.getInputData().length;
	if (count === 0) return [[]];
	return [(await new ItemLoop(context, operations, limits, count).run()).flat()];
}

/** The items of one run. */
class ItemLoop implements QueuedRun {
	private readonly memory: WriteMemory;

	private readonly unknownOutcomes: UnknownOutcomes;

	private readonly values: ParameterValues;

	private readonly lists: SharedLists;

	/** The numbers of the items' rows, where they're those of a sheet. */
	private readonly rows: number[] | undefined;

	private readonly queue = new ItemQueue(this);

	private service: Promise<ServiceClient> | undefined;

	private connected: ServiceClient | undefined;

	private readonly outputs: Outputs;

	private readonly errors = new Map<number, ItemError>();

	/** Whether any item writes. */
	private writes = false;

	/** Whether an item has failed that ends the run: from then on, none begins. */
	private stopped = false;

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly operations: readonly Operation[],
		private readonly limits: Limits,
		readonly count: number,
	) {
		this.memory = new WriteMemory(context);
		this.unknownOutcomes = new UnknownOutcomes(context, this.memory);
		this.values = new ParameterValues(context);
		this.outputs = new Outputs(context);
		this.lists = new SharedLists(count);
		this.rows = listRowNumbers(context);
	}

	/** Runs all items and gives what comes out for each of them. */
	async run(): Promise<INodeExecutionData[][]> {
		let since = Date.now();
		for (;;) {
			// Items that send nothing would keep n8n from requests of others, and from being stopped.
			if (Date.now() - since >= LONGEST_AT_A_STRETCH_MS) {
				await sleep(0);
				since = Date.now();
			}
			const index = await this.queue.takeNext();
			if (index === undefined) break;
			const sends = this.begin(index);
			// An item whose input can't be used stops the run before the next one writes anything.
			if (this.writes) await sends;
		}
		if (this.stopped) throw this.getFirstError();
		if (this.errors.size === 0) this.memory.forgetRun();
		this.outputs.showHints(this.connected?.pausedMs ?? 0);
		return this.outputs.items;
	}

	/**
	 * Begins an item.
	 * @returns when it sends its first request, or has ended without one
	 */
	private async begin(index: number): Promise<void> {
		await new Promise<void>((resolve) => {
			void this.process(index, () => {
				resolve();
				this.queue.notifyChange();
			}).then(resolve);
		});
	}

	private async process(index: number, onSend: () => void): Promise<void> {
		let operation: Operation | undefined;
		try {
			this.context.getExecutionCancelSignal()?.throwIfAborted();
			const values = this.values.getItemValues(index);
			operation = findOperation(this.operations, this.context.getNode(), values);
			const params = new Params(values, operation.properties);
			this.outputs.give(index, operation, await this.getResults(operation, params, index, onSend));
		} catch (thrown) {
			// Once a run is cancelled, all others would fail, too.
			this.stopped ||= isStopped(this.context) || !this.context.continueOnFail();
			const error = this.toError(index, thrown, operation);
			this.errors.set(index, error);
			const { outcome } = this.memory.get(index);
			const details = outcome && 'details' in outcome ? outcome.details : undefined;
			this.outputs.giveFailure(index, operation, formatAsText(error), details);
		} finally {
			this.values.forget(index);
			this.queue.end(index);
		}
	}

	private async getResults(
		operation: Operation,
		params: Params,
		itemIndex: number,
		onSend: () => void,
	): Promise<OperationResult[]> {
		const isWrite = operation.kind === 'write';
		const outcome = isWrite ? this.memory.get(itemIndex).outcome : undefined;
		if (outcome?.state === 'done') return outcome.results;
		this.connected = await (this.service ??= this.connect());
		const service = this.connected.createForItem(onSend);
		operation.check?.(params);
		const call = this.buildCall(service, params, itemIndex);
		if (!isWrite)
			return hideInResults(this.context, service, [await operation.execute!(call)].flat());
		const write = async () => await this.write(operation, call);
		if (operation.isExclusive !== true) return await write();
		const lane = `${service.settings.account}/${findWriteLane(operation, params)}`;
		return await takeTurn(lane, this.context.getExecutionCancelSignal(), write);
	}

	private async write(operation: Operation, call: OperationCall): Promise<OperationResult[]> {
		const parts = await operation.divide?.(call);
		return parts === undefined
			? await this.unknownOutcomes.write(operation, call)
			: await writeParts(operation, call, parts, this.memory, this.unknownOutcomes);
	}

	private buildCall(service: ServiceClient, params: Params, itemIndex: number): OperationCall {
		return {
			context: this.context,
			service,
			params,
			itemIndex,
			writeId: itemIndex,
			before: [],
			lists: this.lists,
			...this.memory.getItem(itemIndex),
			withItem: (index) => this.buildCall(service, params.withItem(index), index),
		};
	}

	/** Whoever calls the node as a tool waits for it, so absence never counts there. */
	private async connect(): Promise<ServiceClient> {
		const isCall = this.memory.execution === undefined;
		const limits = isCall ? { ...this.limits, absentAfterMs: Infinity } : this.limits;
		return await createService(this.context, limits);
	}

	private toError(index: number, thrown: unknown, operation: Operation | undefined): ItemError {
		const failure = findFailure(thrown);
		const ofPart = thrown instanceof PartsFailure ? thrown : undefined;
		const isStop = failure === undefined && isStopped(this.context);
		const error = toNodeError(
			this.context.getNode(),
			isStop ? new ExplainedFailure(...STOPPED) : (ofPart?.cause ?? thrown),
			{ index, count: this.count, part: ofPart?.part, row: this.rows?.[index] },
			this.connected?.settings.secrets ?? [],
			operation && {
				operation: `${operation.resource}/${operation.value}`,
				properties: operation.properties,
				platform: tryToRead(() => this.values.getItemValues(index).get('platform')),
				saysHowToGoOn: Boolean(ofPart?.summary),
			},
		);
		const tellsItself =
			failure?.flags.unknownOutcome === true ||
			(failure instanceof ServiceFailure && failure.reason.code === 'correctionInterrupted');
		// What an earlier try has done, or doesn't know, stays so, whatever stops this one.
		const summary = tellsItself
			? ''
			: describeOutcomes(this.memory.listOutcomes([index]), this.rows);
		error.description = joinSentences(error.description, ofPart?.summary ?? summary);
		return error;
	}

	/** The error of the first item that failed. It says what became of the others, in any try. */
	private getFirstError(): ItemError {
		const first = Math.min(...this.errors.keys());
		const error = this.errors.get(first)!;
		const otherIndexes = [...Array(this.count).keys()].filter((index) => index !== first);
		const summary = describeOutcomes(this.memory.listOutcomes(otherIndexes), this.rows);
		error.description = joinSentences(error.description, summary);
		return error;
	}

	/**
	 * How many items may run side by side at present: as many as requests may be open at once, and up
	 * to as many again that rest.
	 */
	countPlaces(): number {
		if (this.stopped) return 0;
		const { atOnce = this.limits.pace.firstAtOnce, resting = 0 } = this.connected ?? {};
		return atOnce + Math.min(atOnce, resting);
	}

	/** What an item's place in order depends on; undefined where it has none. */
	findOrderKey(index: number): string | undefined {
		return tryToRead(() => {
			const values = this.values.getItemValues(index);
			const operation = findOperation(this.operations, this.context.getNode(), values);
			if (operation.kind === 'read') return undefined;
			this.writes = true;
			return findWriteLane(operation, new Params(values, operation.properties));
		});
	}
}

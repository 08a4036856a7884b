import {
	NodeOperationError,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
} from 'n8n-workflow';

import { sentences } from '../messages/explanations';
import { toNodeError } from '../messages/nodeError';
import { createService, type ServiceClient } from '../transport/client';
import { findFailure } from '../transport/failure/failure';
import { plainText } from '../transport/failure/plainText';
import { LIMITS, type Limits } from '../transport/service/limits';
import { plainId } from '../values/ids';
import { shownValue } from '../values/shown';
import { Doubts } from './doubts';
import type { Operation, OperationCall, OperationResult } from './operation';
import { describeOthers, itemInDoubt } from './otherItems';
import { toItems, type ItemError, type ItemOutcome } from './outputItems';
import type { ItemValues } from './parameters/parameterValues';
import { Params } from './parameters/params';
import { RunParameters } from './parameters/runParameters';
import { Progress } from './progress';
import { Schedule } from './schedule';
import { SharedWalks } from './sharedWalks';
import { situationOf } from './situations';
import { isAgentTool } from './tool/agentTool';
import { forModel } from './tool/output';
import { WriteMemory } from './writeMemory';

/* The item loop of the action node. All operations share it. */

/**
 * Runs the node: input order, paired items, the node's "On Error" setting, cancellation, and writes
 * that "Retry On Fail" must not repeat.
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
	const loop = new ItemLoop(context, operations, limits, count);
	return [(await loop.run()).flat()];
}

/** What is done for an item, once it's known. */
interface Doing {
	operation?: Operation;
	call?: OperationCall;
}

class ItemLoop {
	private readonly memory: WriteMemory;

	private readonly doubts: Doubts;

	private service: Promise<ServiceClient> | undefined;

	private connected: ServiceClient | undefined;

	private readonly hints = new Set<string>();

	private readonly parameters: RunParameters;

	private readonly schedule: Schedule;

	private readonly progress: Progress;

	/** Ends the pause of the loop. */
	private wake = () => {};

	private readonly walks = new SharedWalks(() => this.wake());

	/** Whether any item writes. */
	private writes = false;

	/** Whether an item has failed that ends the run: from then on, none begins. */
	private stopped = false;

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly operations: readonly Operation[],
		private readonly limits: Limits,
		private readonly count: number,
	) {
		this.memory = new WriteMemory(context);
		this.doubts = new Doubts(context, this.memory);
		this.parameters = new RunParameters(context, count);
		this.schedule = new Schedule(count, (index) => this.laneOf(index));
		this.progress = new Progress(context, count);
	}

	/** Runs all items and gives what comes out for each of them. */
	async run(): Promise<INodeExecutionData[][]> {
		const outputs = new Array<INodeExecutionData[]>(this.count);
		const errors = new Map<number, ItemError>();
		const process = async (index: number, onSend: () => void) => {
			const outcome = await this.item(index, onSend);
			// Each at once: all of them in the end would hold up n8n.
			outputs[index] = toItems(outcome, index);
			if ('error' in outcome) errors.set(index, outcome.error);
			this.progress.ended();
			this.parameters.forget(index);
			this.schedule.end(index);
			onSend();
		};
		for (;;) {
			await this.progress.letOthersRun();
			const mayBegin = !this.stopped && this.schedule.underWay < this.atOnce() + this.walks.idle;
			const index = mayBegin ? this.schedule.begin() : undefined;
			if (index !== undefined) {
				const sends = new Promise<void>((tell) => {
					void process(index, () => {
						tell();
						this.wake();
					});
				});
				// An item whose input can't be used stops the run before the next one writes anything.
				if (this.writes) await sends;
			} else if (this.schedule.underWay === 0) break;
			else if (!this.stopped && this.parameters.evaluateAhead(this.schedule.next, this.atOnce()))
				await this.progress.letAnswersIn();
			else {
				const wakes = new Promise<void>((ends) => (this.wake = ends));
				if (this.stopped) this.walks.end();
				else this.walks.begin(this.schedule.underWay);
				await wakes;
			}
		}
		if (this.stopped) throw this.stoppedBy(errors);
		if (errors.size === 0) this.memory.forgetRun();
		const waits = this.connected && this.progress.waits(this.connected);
		if (waits !== undefined) this.hints.add(waits);
		if (this.hints.size > 0)
			this.context.addExecutionHints(
				...[...this.hints].map((message) => ({ message, location: 'outputPane' as const })),
			);
		return outputs;
	}

	/** Whether the run ends when an item fails. Once it's cancelled, all others would fail, too. */
	private endsWithFailure(): boolean {
		const cancelled = this.context.getExecutionCancelSignal()?.aborted === true;
		return cancelled || !this.context.continueOnFail();
	}

	/** The error of the first item that failed. It says what became of the others all the same. */
	private stoppedBy(errors: ReadonlyMap<number, ItemError>): ItemError {
		const first = [...errors.keys()].reduce((a, b) => Math.min(a, b));
		const error = errors.get(first)!;
		if (!this.writes) return error;
		// In this try or in an earlier one.
		const others = [...Array(this.count).keys()]
			.filter((index) => index !== first)
			.map((index) => ({ index, outcome: this.memory.outcomeOf(index) }));
		const described = describeOthers({
			done: others.filter(({ outcome }) => outcome?.state === 'done').map(({ index }) => index),
			unknown: others.flatMap(({ index, outcome }) =>
				outcome?.state === 'inDoubt' ? [itemInDoubt(index, outcome)] : [],
			),
			halfDone: others.flatMap(({ index, outcome }) =>
				outcome?.state === 'halfDone' ? [{ index, ...outcome.told }] : [],
			),
		});
		error.description = sentences(error.description, described);
		return error;
	}

	/**
	 * How many items may run side by side at present: as many as requests may be open at once, and up
	 * to as many again that rest.
	 */
	private atOnce(): number {
		const { atOnce = this.limits.pace.firstAtOnce, resting = 0 } = this.connected ?? {};
		return atOnce + Math.min(atOnce, resting);
	}

	/**
	 * What an item's place in order depends on. Writes to one transaction come in input order, so that
	 * documents keep theirs. Whatever has no transaction yet has no order, and reads have none: n8n
	 * takes no expression for the operation, so that all items of a run read, or all write.
	 */
	private laneOf(index: number): string | undefined {
		const values = this.parameters.of(index);
		try {
			const operation = this.operationFor(values, index);
			if (operation.kind === 'read') return undefined;
			this.writes = true;
			if (operation.resource === 'webhook') return operation.resource;
			const transactionId = new Params(values, operation.properties).locator('transactionId');
			return transactionId && plainId(transactionId);
		} catch {
			// Its faults are told when it runs.
			return undefined;
		}
	}

	private async item(index: number, onSend: () => void): Promise<ItemOutcome> {
		const doing: Doing = {};
		try {
			this.context.getExecutionCancelSignal()?.throwIfAborted();
			return { results: await this.results(index, onSend, doing) };
		} catch (thrown) {
			// Before the state of the transaction is looked at.
			this.stopped ||= this.endsWithFailure();
			const { operation, call } = doing;
			const error = toNodeError(
				this.context.getNode(),
				thrown,
				{ index, count: this.count },
				this.connected?.settings.secrets ?? [],
				operation && call && (await situationOf(thrown, operation, call)),
			);
			const outcome = this.memory.outcomeOf(index);
			// What an earlier try left in doubt stays so, whatever stops this one.
			if (outcome?.state === 'inDoubt' && findFailure(thrown)?.flags.inDoubt !== true)
				error.description = sentences(
					error.description,
					describeOthers({ done: [], unknown: [itemInDoubt(index, outcome)], halfDone: [] }),
				);
			return { error };
		}
	}

	/** @param doing gets what is done for the item, as far as it comes */
	private async results(
		index: number,
		onSend: () => void,
		doing: Doing,
	): Promise<OperationResult[]> {
		const values = this.parameters.of(index);
		const operation = this.operationFor(values, index);
		if (operation.kind === 'write') {
			this.memory.noteExecution();
			const outcome = this.memory.outcomeOf(index);
			if (outcome?.state === 'done') {
				this.noteHints(outcome.results);
				return outcome.results;
			}
		}
		const service = (await this.connect()).forItem(onSend);
		const call: OperationCall = {
			context: this.context,
			service,
			params: new Params(values, operation.properties),
			itemIndex: index,
			sending: this.memory.sendingOf(index),
			steps: this.memory.stepsOf(index),
			walks: this.walks,
		};
		Object.assign(doing, { operation, call });
		operation.check?.(call.params);
		const made = await this.doubts.do(operation, call);
		// Before they are remembered: n8n stores what is.
		const shown = isAgentTool(this.context.getNode()) ? forModel : (json: IDataObject) => json;
		const results = made.map((result) => ({ ...result, json: shown(service.hide(result.json)) }));
		this.noteHints(results);
		if (operation.kind === 'write') this.memory.noteOutcome(index, { state: 'done', results });
		return results;
	}

	private noteHints(results: OperationResult[]): void {
		for (const { hint } of results) if (hint !== undefined) this.hints.add(plainText(hint));
	}

	private operationFor(values: ItemValues, index: number): Operation {
		const [resource, value] = [values.get('resource'), values.get('operation')];
		const operation = this.operations.find(
			(entry) => entry.resource === resource && entry.value === value,
		);
		if (operation === undefined) {
			throw new NodeOperationError(
				this.context.getNode(),
				`'Operation' ${shownValue(resource)}: ${shownValue(value)} doesn't exist`,
				{
					itemIndex: index,
					description:
						"Choose a 'Resource' and an 'Operation' from the lists. The workflow may come from a newer version of this node",
				},
			);
		}
		return operation;
	}

	private async connect(): Promise<ServiceClient> {
		this.service ??= createService(this.context, this.limits);
		const service = await this.service;
		this.connected = service;
		return service;
	}
}

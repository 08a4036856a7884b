import { sleep, type IDataObject, type IRun, type ITriggerFunctions } from 'n8n-workflow';

/* Starts the executions of emitted events, a few at a time. */

/** How many executions run at once. */
const AT_ONCE = 5;
/**
 * How long the next execution waits for one that doesn't end, in milliseconds: a workflow may wait
 * for days.
 */
const PATIENCE_MS = 30_000;

type Done = NonNullable<Parameters<ITriggerFunctions['emit']>[2]>;

/**
 * The executions that one check of the event records, or one look at the transactions, starts. After
 * an outage there can be hundreds of events, and an execution for each of them at the same moment
 * would take the machine.
 */
export class RunsAtOnce {
	private readonly open = new Set<Promise<unknown>>();

	/** Waits until another execution may start. */
	async turn(): Promise<void> {
		while (this.open.size >= AT_ONCE) await Promise.race(this.open);
	}

	/**
	 * Starts an execution. n8n stores only one for the key of an event, and the node's static data with
	 * it.
	 * @param onRefused called when n8n couldn't store it
	 */
	start(context: ITriggerFunctions, json: IDataObject, key: string, onRefused: () => void): void {
		context.emit(
			[[{ json }]],
			undefined,
			this.begin(onRefused),
			`signAndClose:${context.getWorkflow().id}:${context.getNode().id}:${key}`,
		);
	}

	/** Counts an execution, and returns what n8n settles when it has ended. */
	private begin(onRefused: () => void): Done {
		let settle: Pick<Done, 'reject' | 'resolve'>;
		const promise = new Promise<IRun>((resolve, reject) => (settle = { resolve, reject }));
		const ended: Promise<unknown> = Promise.race([
			promise.catch(onRefused),
			sleep(PATIENCE_MS),
		]).then(() => this.open.delete(ended));
		this.open.add(ended);
		return { promise, ...settle! };
	}
}

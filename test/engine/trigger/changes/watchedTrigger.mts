import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { readTriggerParameters } from '../../../../nodes/SignAndClose/trigger/parameters.ts';
import { hookContext, triggerContext } from '../../../support/engine.mts';
import { credential } from '../../../support/useSandbox.mts';

/** A published trigger whose event source is "Transaction Changes", with what n8n keeps of it. */

/** An execution that n8n has stored. */
export interface Execution {
	key: string;
	json: IDataObject;
}

let count = 0;

/**
 * What outlives n8n's process: static data, which n8n saves after hooks and with each emit, and
 * executions, of which it stores one for a deduplication key.
 */
export class KeptByN8n {
	readonly id = `watched-${(count += 1)}`;

	executions: Execution[] = [];

	private staticData: IDataObject = {};

	/** @param parameters may be changed before it is published again */
	constructor(public parameters: IDataObject) {}

	private options() {
		return {
			type: 'signAndCloseTrigger' as const,
			credential: credential(),
			parameters: this.parameters,
			node: { id: this.id },
		};
	}

	/** Runs n8n's hooks as publishing does, and saves what they note. */
	async publish(): Promise<void> {
		await this.hook(async ({ methods, context }) => {
			if (!(await methods.checkExists.call(context))) await methods.create.call(context);
		});
	}

	/** Runs n8n's hook as unpublishing does. */
	async unpublish(): Promise<void> {
		await this.hook(async ({ methods, context }) => await methods.delete.call(context));
	}

	/** Gives the node another name, under which n8n has stored nothing. */
	rename(): void {
		this.staticData = {};
	}

	private async hook(work: (hook: ReturnType<typeof hookContext>) => Promise<unknown>) {
		const hook = hookContext({ ...this.options(), staticData: this.saved() }, this.id);
		await work(hook);
		this.save(hook.workflow.getStaticData('node', hook.workflow.getNode('Tested')!));
	}

	/** What n8n gives a process that starts the workflow's trigger. */
	start() {
		const context = triggerContext({ ...this.options(), staticData: this.saved() });
		context.emit = (
			[[{ json }]]: INodeExecutionData[][],
			_response: unknown,
			done: { resolve(run: unknown): void },
			key: string,
		) => {
			this.save(context.getWorkflowStaticData('node'));
			if (!this.executions.some((execution) => execution.key === key))
				this.executions.push({ key, json: structuredClone(json) });
			done.resolve(undefined);
		};
		return { context, settings: readTriggerParameters(context) };
	}

	private save(data: IDataObject): void {
		this.staticData = JSON.parse(JSON.stringify(data)) as IDataObject;
	}

	private saved(): IDataObject {
		return { 'node:Tested': structuredClone(this.staticData) };
	}
}

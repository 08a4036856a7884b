import { parse as parseFlatted } from 'flatted';

import { waitUntil } from '../../run/patience.mts';
import type { Session } from './session.mts';
import type { Execution, ExecutionData, ExecutionSummary } from './types.mts';
import type { Workflows } from './workflows.mts';

const FINAL_STATUSES = new Set(['success', 'error', 'crashed', 'canceled']);

/** Whether an execution has ended. n8n 1.x may say that it succeeded before it has stored its data. */
const isFinished = ({ status, data }: Execution): boolean =>
	FINAL_STATUSES.has(status) && (status !== 'success' || data?.resultData !== undefined);

interface ExecutionPage {
	results: ExecutionSummary[];
	nextCursor?: string | null;
}

/** Executions: starting them by hand, listing them, waiting for their end. */
export class Executions {
	readonly #session: Session;
	readonly #workflows: Workflows;

	constructor(session: Session, workflows: Workflows) {
		this.#session = session;
		this.#workflows = workflows;
	}

	/**
	 * Starts a workflow as the button "Execute workflow" does.
	 * @returns the execution's ID, or undefined when n8n now listens for a test event
	 */
	async run(workflowId: string): Promise<string | undefined> {
		const workflowData = await this.#workflows.get(workflowId);
		const trigger = workflowData.nodes.find(({ type }) => /trigger/i.test(type))?.name;
		const { executionId } = await this.#session.send<{ executionId?: string }>(
			'POST',
			`/rest/workflows/${workflowId}/run`,
			{
				// n8n 1.x wants the workflow in the body, 2.x reads the saved one.
				workflowData,
				...(trigger === undefined ? {} : { triggerToStartFrom: { name: trigger } }),
			},
		);
		return executionId;
	}

	/** Runs a workflow and waits for the end of its execution, whatever its status is. */
	async runToEnd(workflowId: string, limitMs?: number, pauseMs?: number): Promise<Execution> {
		const executionId = await this.run(workflowId);
		if (executionId === undefined)
			throw new Error(`Workflow ${workflowId} waits for a test event instead of running`);
		return await this.waitForEnd(executionId, { limitMs, pauseMs });
	}

	/**
	 * Retries a failed execution as the button in the list of executions does, and waits for its end.
	 * @param workflow the one that is saved now, or the one that the execution had
	 */
	async retry(executionId: string, workflow: 'saved' | 'original' = 'saved'): Promise<Execution> {
		const { id } = await this.#session.send<{ id: string }>(
			'POST',
			`/rest/executions/${executionId}/retry`,
			{ loadWorkflow: workflow === 'saved' },
		);
		return await this.waitForEnd(id);
	}

	/** Waits for the end of an execution, whatever its status is. */
	async waitForEnd(
		executionId: string,
		limits?: { limitMs?: number; pauseMs?: number },
	): Promise<Execution> {
		let execution: Execution;
		return await waitUntil(
			async () => {
				execution = await this.get(executionId);
				return isFinished(execution) && execution;
			},
			() => `Execution ${executionId} is still ${execution.status}, or without its data`,
			limits,
		);
	}

	/** Stops an execution as the button "Stop execution" does. */
	async stop(id: string): Promise<void> {
		await this.#session.send('POST', `/rest/executions/${id}/stop`);
	}

	/** The newest hundred executions, newest first. */
	async list(workflowId?: string, status?: string[]): Promise<ExecutionSummary[]> {
		return (await this.#page({ workflowId, status })).results;
	}

	/** All executions of a workflow. Needs n8n 2.x, which gives a cursor for the next page. */
	async listAll(workflowId: string): Promise<ExecutionSummary[]> {
		// n8n orders pages by start and cuts them by id, so in queue mode, where executions don't start
		// in the order of their ids, one at the cut can be on both pages or on neither.
		const byId = new Map<string, ExecutionSummary>();
		for (let cursor: string | undefined; ;) {
			const { results, nextCursor } = await this.#page({ workflowId }, cursor);
			for (const execution of results) byId.set(execution.id, execution);
			if (typeof nextCursor !== 'string') break;
			cursor = nextCursor;
		}
		const all = [...byId.values()];
		return [...all, ...(await this.#skipped(workflowId, all))];
	}

	/** Executions between two pages. */
	async #skipped(workflowId: string, listed: ExecutionSummary[]): Promise<ExecutionSummary[]> {
		const ids = new Set(listed.map(({ id }) => Number(id)));
		const found: ExecutionSummary[] = [];
		for (let id = Math.min(...ids) + 1; id < Math.max(...ids); id++) {
			if (ids.has(id)) continue;
			// Another workflow's execution, or none.
			const execution = await this.get(String(id)).catch(() => undefined);
			if (execution?.workflowId === workflowId) found.push(execution);
		}
		return found;
	}

	async #page(filter: object, cursor?: string): Promise<ExecutionPage> {
		const position = cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`;
		return await this.#session.send(
			'GET',
			`/rest/executions?limit=100${position}&filter=${encodeURIComponent(JSON.stringify(filter))}`,
		);
	}

	/** One execution with its data. */
	async get(id: string): Promise<Execution> {
		const { data, ...rest } = await this.#session.send<
			Omit<Execution, 'data'> & { data: string | ExecutionData }
		>('GET', `/rest/executions/${id}`);
		return {
			...rest,
			data: typeof data === 'string' ? (parseFlatted(data) as ExecutionData) : data,
		};
	}

	/**
	 * Waits until a workflow has `count` finished executions that `except` doesn't contain.
	 * @returns all of them, oldest first
	 */
	async waitForFinished(
		workflowId: string,
		count = 1,
		{ except }: { except?: ReadonlySet<string> } = {},
	): Promise<Execution[]> {
		let finished: ExecutionSummary[] = [];
		await waitUntil(
			async () => {
				finished = (await this.list(workflowId)).filter(
					({ id, status }) => FINAL_STATUSES.has(status) && except?.has(id) !== true,
				);
				return finished.length >= count;
			},
			() => `Workflow ${workflowId} has ${finished.length} finished executions, not ${count},`,
		);
		return await Promise.all(finished.reverse().map(async ({ id }) => await this.get(id)));
	}
}

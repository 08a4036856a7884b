import { parse as unflatten } from 'flatted';
import { N8nRefusal, OWNER, Session, type Owner } from './n8nSession.mts';

export { N8nRefusal, OWNER, type Owner };

/**
 * What the editor does, as calls: credentials, workflows, publishing, runs, executions, dynamic
 * options.
 */

export const PACKAGE = 'n8n-nodes-sign-and-close';
export const CREDENTIAL_TYPE = 'signAndCloseApi';

export interface WorkflowNode {
	id: string;
	name: string;
	type: string;
	typeVersion: number;
	position: [number, number];
	parameters: Record<string, unknown>;
	credentials?: Record<string, { id?: string | null; name: string }>;
	webhookId?: string;
	[other: string]: unknown;
}

export interface WorkflowJson {
	name: string;
	nodes: WorkflowNode[];
	connections: Record<string, unknown>;
	settings?: Record<string, unknown>;
	pinData?: Record<string, unknown>;
}

export interface StoredWorkflow extends WorkflowJson {
	id: string;
	versionId: string;
	active: boolean;
	activeVersionId?: string | null;
}

export interface ExecutionSummary {
	id: string;
	status: 'new' | 'running' | 'success' | 'error' | 'crashed' | 'canceled' | 'waiting' | 'unknown';
	mode: string;
	workflowId: string;
	startedAt?: string;
	stoppedAt?: string;
}

export interface Item {
	json: Record<string, unknown>;
	binary?: Record<
		string,
		{
			id?: string;
			data: string;
			fileName?: string;
			mimeType: string;
			fileSize?: string;
			bytes?: number;
		}
	>;
	pairedItem?: unknown;
	error?: unknown;
}

/** One run of one node. */
export interface NodeRun {
	executionStatus?: string;
	executionTime?: number;
	startTime?: number;
	error?: { message: string; description?: string; httpCode?: string; [other: string]: unknown };
	data?: Record<string, Array<Item[] | null>>;
	[other: string]: unknown;
}

export interface RunData {
	resultData: {
		runData: Record<string, NodeRun[]>;
		error?: { message: string; description?: string; node?: { name: string } };
		lastNodeExecuted?: string;
	};
	waitTill?: string;
	[other: string]: unknown;
}

export interface Execution extends ExecutionSummary {
	finished: boolean;
	data: RunData;
	waitTill?: string | null;
}

export interface InstalledPackage {
	packageName: string;
	installedVersion: string;
	installedNodes: Array<{ name: string; type: string; latestVersion: number }>;
	failedLoading?: boolean;
	updateAvailable?: string;
}

export interface DynamicRequest {
	/** With or without the package's prefix. */
	node: string;
	version?: number;
	method: string;
	path: string;
	parameters?: Record<string, unknown>;
	credentials?: Record<string, { id: string; name: string }>;
	filter?: string;
	paginationToken?: string;
}

const FINISHED = new Set(['success', 'error', 'crashed', 'canceled']);
const POLL_MS = 150;
const DEFAULT_WAIT_MS = 60_000;
const pause = async (ms: number) => await new Promise((wake) => setTimeout(wake, ms));

export class N8nApi {
	readonly session: Session;

	constructor(url: string) {
		this.session = new Session(url);
	}

	/** Signs in; on a fresh n8n sets the owner up. */
	async signIn(owner: Owner = OWNER): Promise<void> {
		await this.session.signIn(owner);
	}

	// Packages

	/** Packages as Settings > Community nodes lists them. */
	async packages(): Promise<InstalledPackage[]> {
		return await this.session.send('GET', '/rest/community-packages');
	}

	/** Installs by name, as the Install button does. */
	async installPackage(name: string, version?: string): Promise<InstalledPackage> {
		return await this.session.send('POST', '/rest/community-packages', {
			name,
			...(version === undefined ? {} : { version }),
		});
	}

	/** Updates by name, as the Update button does. */
	async updatePackage(name: string, version: string): Promise<InstalledPackage> {
		return await this.session.send('PATCH', '/rest/community-packages', { name, version });
	}

	async uninstallPackage(name: string): Promise<void> {
		await this.session.send('DELETE', `/rest/community-packages?name=${encodeURIComponent(name)}`);
	}

	/**
	 * Descriptions of all node types, as the editor loads them; only those whose name starts with
	 * `prefix` when given.
	 */
	async nodeTypes(prefix = ''): Promise<Array<Record<string, unknown> & { name: string }>> {
		const types = await this.session.send<Array<Record<string, unknown> & { name: string }>>(
			'GET',
			'/types/nodes.json',
		);
		return types.filter(({ name }) => name.startsWith(prefix));
	}

	/** Descriptions of all credential types whose name starts with `prefix`. */
	async credentialTypes(prefix = ''): Promise<Array<Record<string, unknown> & { name: string }>> {
		const types = await this.session.send<Array<Record<string, unknown> & { name: string }>>(
			'GET',
			'/types/credentials.json',
		);
		return types.filter(({ name }) => name.startsWith(prefix));
	}

	// Credentials

	/** Creates a credential, or replaces the one with this name. */
	async saveCredential(
		name: string,
		type: string,
		data: Record<string, unknown>,
	): Promise<{ id: string; name: string }> {
		const all = await this.session.send<Array<{ id: string; name: string; type: string }>>(
			'GET',
			'/rest/credentials',
		);
		const known = all.find((credential) => credential.name === name && credential.type === type);
		const body = { name, type, data };
		const saved =
			known === undefined
				? await this.session.send<{ id: string }>('POST', '/rest/credentials', body)
				: await this.session.send<{ id: string }>('PATCH', `/rest/credentials/${known.id}`, body);
		return { id: saved.id, name };
	}

	/** Presses "Retry" of a credential's test. */
	async testCredential(
		id: string,
		name: string,
		type: string,
		data: Record<string, unknown>,
	): Promise<{ status: 'OK' | 'Error'; message: string }> {
		return await this.session.send('POST', '/rest/credentials/test', {
			credentials: { id, name, type, data },
		});
	}

	async deleteCredential(id: string): Promise<void> {
		await this.session.send('DELETE', `/rest/credentials/${id}`);
	}

	// Workflows

	async workflows(): Promise<StoredWorkflow[]> {
		return await this.session.send('GET', '/rest/workflows?take=250');
	}

	async workflow(id: string): Promise<StoredWorkflow> {
		return await this.session.send('GET', `/rest/workflows/${id}`);
	}

	/** Creates a workflow, or replaces the one with this name (its executions and address stay). */
	async saveWorkflow(workflow: WorkflowJson): Promise<StoredWorkflow> {
		const { name, nodes, connections, settings, pinData } = workflow;
		const body = {
			name,
			nodes,
			connections,
			settings: settings ?? {},
			...(pinData === undefined ? {} : { pinData }),
		};
		const known = (await this.workflows()).find((candidate) => candidate.name === name);
		// 1.x wants to be told that it is not active; 2.x pays no heed.
		if (known === undefined)
			return await this.session.send('POST', '/rest/workflows', { ...body, active: false });
		if (known.active) await this.unpublish(known.id);
		return await this.session.send('PATCH', `/rest/workflows/${known.id}`, {
			...body,
			versionId: known.versionId,
		});
	}

	/** Unpublishes, archives and deletes, the order n8n demands. */
	async deleteWorkflow(id: string): Promise<void> {
		const { active } = await this.workflow(id);
		if (active) await this.unpublish(id);
		await this.session.send('POST', `/rest/workflows/${id}/archive`, {});
		await this.session.send('DELETE', `/rest/workflows/${id}`);
	}

	/**
	 * Publishes the saved version and waits until its triggers run: n8n answers before they do.
	 * @throws when a trigger could not be started, in n8n's words
	 */
	async publish(id: string, waitMs = DEFAULT_WAIT_MS): Promise<void> {
		const { versionId } = await this.workflow(id);
		await this.#setActive(id, true, versionId);
		const end = Date.now() + waitMs;
		for (;;) {
			const status = await this.publication(id);
			if (status.status === 'published') return;
			if (status.status === 'failed' || status.status === 'partial') {
				const told = status.triggers.flatMap(({ errorMessage }) => errorMessage ?? []);
				throw new Error(
					`Workflow ${id} could not be published: ${told.join('; ') || status.status}`,
				);
			}
			if (Date.now() > end)
				throw new Error(
					`Workflow ${id} was not published within ${waitMs / 1000} s (${status.status})`,
				);
			await pause(POLL_MS);
		}
	}

	/** Unpublishes and waits until the triggers have been torn down. */
	async unpublish(id: string, waitMs = DEFAULT_WAIT_MS): Promise<void> {
		const { versionId } = await this.workflow(id);
		await this.#setActive(id, false, versionId);
		const end = Date.now() + waitMs;
		for (;;) {
			const { status } = await this.publication(id);
			if (status === 'not_published') return;
			if (Date.now() > end)
				throw new Error(`Workflow ${id} was not unpublished within ${waitMs / 1000} s (${status})`);
			await pause(POLL_MS);
		}
	}

	/** 2.x has a call for each; on 1.x, being active is a property of the workflow. */
	async #setActive(id: string, active: boolean, versionId: string): Promise<void> {
		try {
			await this.session.send(
				'POST',
				`/rest/workflows/${id}/${active ? 'activate' : 'deactivate'}`,
				active ? { versionId } : {},
			);
		} catch (thrown) {
			if (!(thrown instanceof N8nRefusal) || thrown.status !== 404) throw thrown;
			await this.session.send('PATCH', `/rest/workflows/${id}`, { active, versionId });
		}
	}

	/** How far publishing is: not_published, in_progress, published, partial or failed. */
	async publication(id: string): Promise<{
		status: string;
		triggers: Array<{ nodeId: string; status: string; errorMessage?: string | null }>;
	}> {
		try {
			return await this.session.send('GET', `/rest/workflows/${id}/publication-status`);
		} catch (thrown) {
			if (!(thrown instanceof N8nRefusal) || thrown.status !== 404) throw thrown;
			// n8n without its publication service (and 1.x): done when the call has returned.
			const { active } = await this.workflow(id);
			return { status: active ? 'published' : 'not_published', triggers: [] };
		}
	}

	// Runs

	/**
	 * Presses "Execute workflow" (or, with `to`, "Execute step").
	 * @returns the execution's id, or undefined when n8n now listens for a test event
	 */
	async run(
		id: string,
		options: { trigger?: string; to?: string; pushRef?: string } = {},
	): Promise<string | undefined> {
		const workflowData = await this.workflow(id);
		const trigger =
			options.trigger ?? workflowData.nodes.find(({ type }) => /trigger/i.test(type))?.name;
		const body = {
			// 1.x wants the workflow in the body, 2.x reads the saved one.
			workflowData,
			...(trigger === undefined ? {} : { triggerToStartFrom: { name: trigger } }),
			...(options.to === undefined
				? {}
				: { destinationNode: { nodeName: options.to, mode: 'inclusive' } }),
		};
		const { executionId } = await this.session.send<{ executionId?: string }>(
			'POST',
			`/rest/workflows/${id}/run`,
			body,
			options.pushRef === undefined ? {} : { 'push-ref': options.pushRef },
		);
		return executionId;
	}

	/** Runs a workflow and waits for the end of its execution, whatever it is. */
	async runToEnd(
		id: string,
		options: { trigger?: string; to?: string; waitMs?: number } = {},
	): Promise<Execution> {
		const executionId = await this.run(id, options);
		if (executionId === undefined)
			throw new Error(`Workflow ${id} waits for a test event instead of running`);
		return await this.finished(executionId, options.waitMs);
	}

	/** Executions, newest first: the newest hundred. */
	async executions(workflowId?: string, status?: string[]): Promise<ExecutionSummary[]> {
		return (await this.#executionPage({ workflowId, status })).results;
	}

	/**
	 * All executions of a workflow, however many there are (2.x, which gives a cursor for the next
	 * page).
	 */
	async allExecutions(workflowId: string): Promise<ExecutionSummary[]> {
		const found: ExecutionSummary[] = [];
		for (let cursor: string | undefined; ;) {
			const { results, nextCursor } = await this.#executionPage({ workflowId }, cursor);
			found.push(...results);
			if (typeof nextCursor !== 'string') return found;
			cursor = nextCursor;
		}
	}

	async #executionPage(
		filter: object,
		cursor?: string,
	): Promise<{ results: ExecutionSummary[]; nextCursor?: string | null }> {
		const at = cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`;
		return await this.session.send(
			'GET',
			`/rest/executions?limit=100${at}&filter=${encodeURIComponent(JSON.stringify(filter))}`,
		);
	}

	/** One execution with its data unfolded. */
	async execution(id: string): Promise<Execution> {
		const { data, ...rest } = await this.session.send<
			Omit<Execution, 'data'> & { data: string | RunData }
		>('GET', `/rest/executions/${id}`);
		return { ...rest, data: typeof data === 'string' ? (unflatten(data) as RunData) : data };
	}

	/** Waits until an execution has ended; with `until: 'waiting'` also until it sleeps. */
	async finished(id: string, waitMs = DEFAULT_WAIT_MS, until?: 'waiting'): Promise<Execution> {
		const end = Date.now() + waitMs;
		for (;;) {
			const execution = await this.execution(id);
			if (FINISHED.has(execution.status) || execution.status === until) return execution;
			if (Date.now() > end)
				throw new Error(`Execution ${id} is still ${execution.status} after ${waitMs / 1000} s`);
			await pause(POLL_MS);
		}
	}

	/**
	 * Waits until a workflow has `count` ended executions that are not among `except`; oldest first.
	 */
	async waitForExecutions(
		workflowId: string,
		count = 1,
		options: { except?: ReadonlySet<string>; waitMs?: number } = {},
	): Promise<Execution[]> {
		const waitMs = options.waitMs ?? DEFAULT_WAIT_MS;
		const end = Date.now() + waitMs;
		for (;;) {
			const ended = (await this.executions(workflowId)).filter(
				({ id, status }) => FINISHED.has(status) && options.except?.has(id) !== true,
			);
			if (ended.length >= count)
				return await Promise.all(ended.reverse().map(async ({ id }) => await this.execution(id)));
			if (Date.now() > end)
				throw new Error(
					`Workflow ${workflowId} has ${ended.length} ended executions after ${waitMs / 1000} s, not ${count}`,
				);
			await pause(POLL_MS);
		}
	}

	async deleteExecutions(ids: string[]): Promise<void> {
		await this.session.send('POST', '/rest/executions/delete', { ids });
	}

	/** Bytes of a binary value of an execution. */
	async binary(id: string): Promise<Buffer> {
		const response = await fetch(
			`${this.session.url}/rest/binary-data?id=${encodeURIComponent(id)}&action=download`,
			{
				headers: { cookie: this.session.cookie, 'browser-id': this.session.browserId },
			},
		);
		if (!response.ok)
			throw new N8nRefusal('GET /rest/binary-data', response.status, await response.text());
		return Buffer.from(await response.arrayBuffer());
	}

	// Dynamic parameters

	/** Choices of a dropdown that a loadOptions method fills. */
	async options(
		request: DynamicRequest,
	): Promise<Array<{ name: string; value: unknown; description?: string }>> {
		return await this.session.send(
			'POST',
			'/rest/dynamic-node-parameters/options',
			dynamicBody(request),
		);
	}

	/** Results of a resource locator's "From List". */
	async locator(request: DynamicRequest): Promise<{
		results: Array<{ name: string; value: unknown; url?: string }>;
		paginationToken?: string;
	}> {
		return await this.session.send(
			'POST',
			'/rest/dynamic-node-parameters/resource-locator-results',
			{
				...dynamicBody(request),
				...(request.filter === undefined ? {} : { filter: request.filter }),
				...(request.paginationToken === undefined
					? {}
					: { paginationToken: request.paginationToken }),
			},
		);
	}

	/** Fields of a resource mapper. */
	async mapperFields(request: DynamicRequest): Promise<{ fields: Array<Record<string, unknown>> }> {
		return await this.session.send(
			'POST',
			'/rest/dynamic-node-parameters/resource-mapper-fields',
			dynamicBody(request),
		);
	}
}

function dynamicBody(request: DynamicRequest): Record<string, unknown> {
	return {
		path: request.path.startsWith('parameters.') ? request.path : `parameters.${request.path}`,
		nodeTypeAndVersion: {
			name: request.node.includes('.') ? request.node : `${PACKAGE}.${request.node}`,
			version: request.version ?? 1,
		},
		currentNodeParameters: request.parameters ?? {},
		methodName: request.method,
		credentials: request.credentials,
	};
}

/** JSON of what a node put out in its last run, on one output. */
export function outputOf(
	execution: Execution,
	node: string,
	output = 0,
): Array<Record<string, unknown>> {
	return itemsOf(execution, node, output).map(({ json }) => json);
}

/** Items of what a node put out in its last run, on one output. */
export function itemsOf(execution: Execution, node: string, output = 0): Item[] {
	return execution.data.resultData.runData[node]?.at(-1)?.data?.main?.[output] ?? [];
}

/** What went wrong in an execution, in one line; empty when nothing did. */
export function whyFailed(execution: Execution): string {
	const { error, lastNodeExecuted, runData } = execution.data?.resultData ?? { runData: {} };
	const told =
		error ??
		(lastNodeExecuted === undefined ? undefined : runData[lastNodeExecuted]?.at(-1)?.error);
	if (told === undefined) return execution.status === 'success' ? '' : execution.status;
	const node = (told as { node?: { name: string } }).node?.name ?? lastNodeExecuted;
	return [node === undefined ? undefined : `${node}:`, told.message, told.description]
		.filter(Boolean)
		.join(' ');
}

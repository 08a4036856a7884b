import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';

import { outputJson } from '../../../../host/clients/n8n/executionData.mts';
import type { N8nClient } from '../../../../host/clients/n8n/client.mts';
import { CREDENTIAL_TYPE } from '../../../../host/clients/n8n/names.mts';
import { builtInNode, triggerNode } from '../../../../host/clients/n8n/nodes.mts';
import type {
	CredentialReference,
	StoredWorkflow,
	WorkflowJson,
} from '../../../../host/clients/n8n/types.mts';
import { createDraftClosing, sandboxCredential } from '../../../../host/clients/sandboxApi.mts';
import { startN8n, type RunningN8n } from '../../../../host/run/n8n.mts';
import type { N8nOptions } from '../../../../host/run/n8nEnvironment.mts';
import { freePort } from '../../../../host/run/ports.mts';
import { startSandbox, type Sandbox } from '../../../../sandbox/index.mts';
import type { Webhook } from '../../../../sandbox/world/world.mts';
import { TARBALL } from '../../../support/tarball.mts';
import { until } from '../../../support/until.mts';

export const COMPLETED = ['transaction.completed', 'transaction.completed_with_rejections'];
/** Somebody else's webhook. It is registered all the time and must never be touched. */
const FOREIGN_URL = 'https://other.example.com/hook';
const SECRET_LENGTH = 43;
/** n8n looks every few seconds for workflows that are published and don't run in its process. */
const ONLY_ASKED = {
	N8N_WORKFLOW_PUBLICATION_RECONCILE_INTERVAL_SECONDS: '3600',
	N8N_WORKFLOW_PUBLICATION_OUTBOX_POLL_INTERVAL_MS: '3600000',
};

/** What matters about a webhook at the service. */
interface WebhookSummary {
	/** Origin and first folder: `webhook` in production, `webhook-test` while testing. */
	at: string;
	subscriptions: string[];
	enabled: boolean;
	secretLength: number | undefined;
}

/** One step of a test in a fresh state. */
export type Situation = [name: string, run: (host: TriggerHost) => Promise<void>];

/** n8n and a sandbox for tests of the trigger's webhooks. n8n can be restarted. */
export class TriggerHost {
	n8n!: RunningN8n;
	credential!: CredentialReference;
	readonly #port: number;
	readonly sandbox: Sandbox;
	readonly #userFolder = mkdtempSync(join(tmpdir(), 'sign-and-close-'));
	#nameCount = 0;

	private constructor(sandbox: Sandbox, port: number) {
		this.sandbox = sandbox;
		this.#port = port;
	}

	static async start(): Promise<TriggerHost> {
		const host = new TriggerHost(await startSandbox(), await freePort());
		await host.startN8n();
		return host;
	}

	async startN8n(): Promise<void> {
		this.n8n = await this.#startN8n(this.#userFolder, this.#port);
	}

	/** Runs a copy of this n8n, which must be stopped, with its encryption key at another port. */
	async besideClone(work: (clone: RunningN8n) => Promise<void>): Promise<void> {
		const folder = mkdtempSync(join(tmpdir(), 'sign-and-close-'));
		cpSync(this.#userFolder, folder, { recursive: true });
		const clone = await this.#startN8n(folder, await freePort());
		try {
			await work(clone);
		} finally {
			await clone.stop();
			rmSync(folder, { recursive: true, force: true });
		}
	}

	/**
	 * Runs n8n as two processes on one database, with the second one's URL as the public address of
	 * both. Each takes itself for the only main process, because n8n needs a licence for several. So
	 * neither looks by itself for what the other one has published: it publishes and unpublishes only
	 * what it's asked for, and keeps what it has begun.
	 */
	async withSecondProcess(work: (second: RunningN8n) => Promise<void>): Promise<void> {
		await this.n8n.stop();
		const folder = mkdtempSync(join(tmpdir(), 'sign-and-close-'));
		cpSync(this.#userFolder, folder, { recursive: true });
		const port = await freePort();
		const webhookUrl = `http://127.0.0.1:${port}/`;
		const database = join(this.#userFolder, '.n8n', 'database.sqlite');
		this.n8n = await this.#startN8n(this.#userFolder, this.#port, { webhookUrl, env: ONLY_ASKED });
		const env = { ...ONLY_ASKED, DB_SQLITE_DATABASE: database };
		const second = await this.#startN8n(folder, port, { webhookUrl, env });
		try {
			await work(second);
		} finally {
			await second.stop();
			rmSync(folder, { recursive: true, force: true });
			await this.restart();
		}
	}

	async #startN8n(
		userFolder: string,
		port: number,
		{ webhookUrl, env }: Pick<N8nOptions, 'env' | 'webhookUrl'> = {},
	): Promise<RunningN8n> {
		return await startN8n({
			userFolder,
			tarball: TARBALL,
			port,
			webhookUrl,
			env: { SIGN_AND_CLOSE_OUTSIDE: 'closed', ...env },
		});
	}

	/** Stops or kills n8n and starts it again. `meanwhile` runs in between. */
	async restart({
		kill = false,
		meanwhile = () => undefined,
	}: { kill?: boolean; meanwhile?: () => void } = {}): Promise<void> {
		await (kill ? this.n8n.kill() : this.n8n.stop());
		meanwhile();
		await this.startN8n();
	}

	/** Sends a request to n8n's public API. */
	async callPublicApi<T>(method: string, path: string, body?: object): Promise<T> {
		const { rawApiKey } = await this.api.session.send<{ rawApiKey: string }>(
			'POST',
			'/rest/api-keys',
			{
				label: this.newName(),
				expiresAt: null,
				scopes: [
					'workflow:activate',
					'workflow:create',
					'workflow:deactivate',
					'workflow:read',
					'workflow:update',
				],
			},
		);
		const answer = await fetch(`${this.n8n.url}/api/v1${path}`, {
			method,
			headers: { 'x-n8n-api-key': rawApiKey, 'content-type': 'application/json' },
			...(body && { body: JSON.stringify(body) }),
		});
		const said = await answer.text();
		expect([answer.status, said]).toEqual([200, expect.anything()]);
		return JSON.parse(said) as T;
	}

	/** The events that executions of a workflow have passed on, once there are as many executions. */
	async eventsOf(workflowId: string, count: number): Promise<Array<Record<string, unknown>>> {
		const executions = await this.api.executions.waitForFinished(workflowId, count);
		return executions.flatMap((execution) => outputJson(execution, 'Events'));
	}

	/**
	 * Waits until as many executions have passed on events, and then until a further event has gone
	 * through: what else starts an execution has done so before.
	 * @param makeFurther makes the further event, of a new transaction, whose ID it returns
	 * @returns the events of all other executions
	 */
	async allEventsOf(
		workflowId: string,
		count: number,
		makeFurther = async () => await createDraftClosing(this.sandbox),
	): Promise<Array<Record<string, unknown>>> {
		await this.eventsOf(workflowId, count);
		const further = await makeFurther();
		const isFurther = (event: Record<string, unknown>) => event.transaction_id === further;
		let events: Array<Record<string, unknown>> = [];
		await until(async () => {
			events = await this.eventsOf(workflowId, count + 1);
			return events.some(isFurther);
		}, 100);
		return events.filter((event) => !isFurther(event));
	}

	async stop(): Promise<void> {
		await this.n8n.stop();
		await this.sandbox.close();
		rmSync(this.#userFolder, { recursive: true, force: true });
	}

	/** Deletes all workflows, transactions and webhooks, and registers the foreign webhook. */
	async reset(): Promise<void> {
		// A situation that has failed may have left n8n stopped.
		const isRunning = await fetch(`${this.n8n.url}/healthz`).then(
			({ ok }) => ok,
			() => false,
		);
		if (!isRunning) await this.startN8n();
		const { sandbox, api } = this;
		sandbox.faults.clear();
		sandbox.world.settings.profile = 'full';
		type Listed = StoredWorkflow & { isArchived?: boolean };
		for (const { id, isArchived } of (await api.workflows.list()) as Listed[])
			if (isArchived !== true) await api.workflows.delete(id);
		sandbox.world.webhooks.clear();
		sandbox.world.transactions.clear();
		await fetch(`${sandbox.url}/v2/webhooks/`, {
			method: 'POST',
			headers: { ApiKey: sandbox.keys.full, 'content-type': 'application/json' },
			body: JSON.stringify({ url: FOREIGN_URL, subscriptions: ['*'] }),
		});
		this.credential = await api.credentials.save(
			'Lifecycle',
			CREDENTIAL_TYPE,
			sandboxCredential(sandbox),
		);
	}

	get api(): N8nClient {
		return this.n8n.api;
	}

	/** All webhooks at the service but the foreign one. */
	ownWebhooks(): Webhook[] {
		return [...this.sandbox.world.webhooks.values()].filter(({ url }) => url !== FOREIGN_URL);
	}

	/** The summaries of `ownWebhooks`. */
	summaries(): WebhookSummary[] {
		return this.ownWebhooks().map(({ url, subscriptions, enabled }) => {
			const { origin, pathname, searchParams } = new URL(url);
			return {
				at: origin + pathname.split('/').slice(0, 2).join('/'),
				subscriptions: [...subscriptions].sort(),
				enabled,
				secretLength: searchParams.get('key')?.length,
			};
		});
	}

	/** The summary that a webhook of this n8n, or of another one, should have. */
	summary(subscriptions = COMPLETED, folder = 'webhook', { url } = this.n8n): WebhookSummary {
		return {
			at: `${url}/${folder}`,
			subscriptions,
			enabled: true,
			secretLength: SECRET_LENGTH,
		};
	}

	/**
	 * Waits until the service has exactly these webhooks besides the foreign one, because some are
	 * repaired only by the first check after a start. They must then stay as they are, until n8n has
	 * published and unpublished something else.
	 */
	async expectWebhooks(expected: WebhookSummary[], { api } = this.n8n): Promise<void> {
		const current = () => sortedTexts(this.summaries());
		const wanted = sortedTexts(expected);
		// Whatever is missing in the end, the comparison says it.
		await until(() => isDeepStrictEqual(current(), wanted), 100).catch(() => undefined);
		expect(current()).toEqual(wanted);
		const { nodes, ...other } = this.triggerWorkflow(this.newName());
		const { id } = await api.workflows.save({ ...other, nodes: nodes.slice(1) });
		await api.workflows.publish(id);
		await api.workflows.unpublish(id);
		expect(current()).toEqual(wanted);
	}

	/** The lines of the log of this n8n, or of another one, in which the trigger warns about something. */
	warningsAbout(what: string | RegExp, { log } = this.n8n): string[] {
		return log()
			.split('\n')
			.filter((line) => line.includes('Sign and Close Trigger') && line.search(what) >= 0);
	}

	expectForeignWebhookUntouched(): void {
		expect(
			[...this.sandbox.world.webhooks.values()].filter(({ url }) => url === FOREIGN_URL),
		).toMatchObject([{ subscriptions: ['*'], enabled: true }]);
	}

	/** A name that no other workflow has. */
	newName(): string {
		return `Workflow ${++this.#nameCount}`;
	}

	/** A workflow with the trigger, named Events, and a schedule trigger. */
	triggerWorkflow(name: string, events = COMPLETED, parameters: object = {}): WorkflowJson {
		return {
			name,
			nodes: [
				triggerNode(
					{ credentials: { [CREDENTIAL_TYPE]: this.credential } },
					{ events, ...parameters },
				),
				builtInNode('Other', 'scheduleTrigger', 1.2, {
					rule: { interval: [{ field: 'days' }] },
				}),
			],
			connections: {},
			settings: { executionOrder: 'v1' },
		};
	}

	/** Saves and publishes such a workflow. Returns its ID. */
	async publish(events?: string[], parameters?: object): Promise<string> {
		const { id } = await this.api.workflows.save(
			this.triggerWorkflow(this.newName(), events, parameters),
		);
		await this.api.workflows.publish(id);
		return id;
	}

	/** Changes a published workflow and publishes the change. */
	async changeAndPublish(
		id: string,
		change: (trigger: any, workflow: StoredWorkflow) => void,
	): Promise<void> {
		const workflow = await this.api.workflows.get(id);
		change(workflow.nodes[0], workflow);
		await this.api.session.send('PATCH', `/rest/workflows/${id}`, {
			name: workflow.name,
			nodes: workflow.nodes,
			connections: workflow.connections,
			settings: workflow.settings,
			versionId: workflow.versionId,
		});
		await this.api.workflows.publish(id);
	}
}

/** n8n sets up the triggers of a workflow in parallel, so the order of webhooks is random. */
function sortedTexts(list: unknown[]): string[] {
	return list.map((entry) => JSON.stringify(entry)).sort();
}

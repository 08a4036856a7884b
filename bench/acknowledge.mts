import { createHmac } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { CREDENTIAL_TYPE, PACKAGE, type N8nApi } from '../host/clients/n8nApi.mts';
import { makeClosing, sandboxCredential } from '../host/demo/setUp.mts';
import { startN8n } from '../host/run/n8n.mts';
import { RUN_DIR } from '../scripts/runtime.mjs';
import { startSandbox, type Sandbox } from '../sandbox/index.mts';

/**
 * How long a delivery waits for its answer, beside n8n's own Webhook node on the same host under
 * the same load: in turns, so that whatever the machine does meanwhile hits all alike. Run: node
 * bench/acknowledge.mts [--rounds 12] [--calls 25] [--engine vm], after npm start has installed
 * everything.
 *
 * n8n 2 makes a sandbox for expressions (an isolate) for each call, and spares only its own Webhook
 * node with nothing but fixed values in it. So three more are beside it: the Webhook node with one
 * expression, a trigger that does nothing at all, and with --engine legacy everything without
 * isolates.
 */

const { values } = parseArgs({
	options: {
		rounds: { type: 'string', default: '12' },
		calls: { type: 'string', default: '25' },
		engine: { type: 'string', default: 'vm' },
	},
});
const TOGETHER = 2;
const WARM_UP = 20;

interface Contender {
	name: string;
	call: (count: number) => Promise<number>;
	waits: number[];
}

async function timed(url: string, body: string, headers: Record<string, string>): Promise<number> {
	const began = performance.now();
	const answer = await fetch(url, {
		method: 'POST',
		headers: { 'content-type': 'application/json', ...headers },
		body,
	});
	await answer.arrayBuffer();
	if (answer.status !== 200) throw new Error(`answered ${answer.status}`);
	return performance.now() - began;
}

const DONE = {
	id: 'b',
	name: 'Done',
	type: 'n8n-nodes-base.noOp',
	typeVersion: 1,
	position: [200, 0] as [number, number],
	parameters: {},
};

async function publish(api: N8nApi, name: string, trigger: object): Promise<void> {
	const connections = {
		[(trigger as { name: string }).name]: { main: [[{ node: 'Done', type: 'main', index: 0 }]] },
	};
	const { id } = await api.saveWorkflow({
		name,
		nodes: [trigger as never, DONE],
		connections,
		settings: { executionOrder: 'v1' },
	});
	await api.publish(id);
}

const payload = (transactionId: string, count: number) =>
	JSON.stringify({
		event: 'transaction.updated',
		data: {
			transaction_id: transactionId,
			date_occurred: new Date(1_767_225_600_000 + count).toISOString(),
		},
	});

async function trigger(
	api: N8nApi,
	sandbox: Sandbox,
	transactionId: string,
	confirm: boolean,
	credential: { id: string; name: string },
): Promise<Contender> {
	const name = confirm ? 'Trigger, Confirm on' : 'Trigger, Confirm off';
	const before = new Set(sandbox.world.webhooks.keys());
	const node = {
		id: 'a',
		name: 'Events',
		type: `${PACKAGE}.signAndCloseTrigger`,
		typeVersion: 1,
		position: [0, 0],
		webhookId: `7f3c0d0e-0000-4000-8000-00000000000${confirm ? 1 : 2}`,
		parameters: { events: ['transaction.updated'], confirm, retrieveTransaction: false },
		credentials: { [CREDENTIAL_TYPE]: credential },
	};
	await publish(api, name, node);
	const { url, signingKey } = [...sandbox.world.webhooks.values()].find(
		({ id }) => !before.has(id),
	)!;
	return {
		name,
		waits: [],
		call: async (count) => {
			const body = payload(transactionId, count);
			return await timed(url, body, {
				'x-signature': createHmac('sha256', signingKey!).update(body).digest('hex'),
			});
		},
	};
}

async function webhook(
	api: N8nApi,
	base: string,
	name: string,
	id: number,
	expression: boolean,
): Promise<Contender> {
	const path = `plain-webhook-${id}`;
	const options = expression ? { responseData: "={{ 'ok' }}" } : {};
	await publish(api, name, {
		id: 'a',
		name: 'Webhook',
		type: 'n8n-nodes-base.webhook',
		typeVersion: 2,
		position: [0, 0],
		webhookId: `7f3c0d0e-0000-4000-8000-00000000000${id}`,
		parameters: { httpMethod: 'POST', path, responseMode: 'onReceived', options },
	});
	return {
		name,
		waits: [],
		call: async (count) => await timed(`${base}/webhook/${path}`, payload('ot_1', count), {}),
	};
}

/**
 * The least that a trigger of a package can do: it hands on the body, and checks nothing. What is
 * above it is ours, what is below it is n8n's.
 */
const BARE_NODE = `exports.BareTrigger = class {
	description = { displayName: 'Bare Trigger', name: 'bareTrigger', group: ['trigger'], version: 1, description: '', defaults: { name: 'Bare' }, inputs: [], outputs: ['main'],
		webhooks: [{ name: 'default', httpMethod: 'POST', responseMode: 'onReceived', path: 'bare' }], properties: [] };
	webhookMethods = { default: { checkExists: async () => true, create: async () => true, delete: async () => true } };
	async webhook() { return { workflowData: [[{ json: this.getBodyData() }]] }; }
};`;

async function bare(api: N8nApi, base: string): Promise<Contender> {
	const webhookId = '7f3c0d0e-0000-4000-8000-000000000005';
	await publish(api, 'Bare trigger', {
		id: 'a',
		name: 'Bare',
		type: 'CUSTOM.bareTrigger',
		typeVersion: 1,
		position: [0, 0],
		webhookId,
		parameters: {},
	});
	return {
		name: 'A trigger that does nothing',
		waits: [],
		call: async (count) =>
			await timed(`${base}/webhook/${webhookId}/bare`, payload('ot_1', count), {}),
	};
}

const median = (numbers: number[]) =>
	[...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];

const place = mkdtempSync(join(tmpdir(), 'sign-and-close-'));
const sandbox = await startSandbox();
const custom = join(place, 'custom');
mkdirSync(custom);
writeFileSync(join(custom, 'BareTrigger.node.js'), BARE_NODE);
const n8n = await startN8n({
	userFolder: place,
	tarball: join(RUN_DIR, 'package.tgz'),
	env: {
		N8N_LOG_LEVEL: 'warn',
		N8N_CUSTOM_EXTENSIONS: custom,
		N8N_EXPRESSION_ENGINE: values.engine,
	},
});
try {
	const credential = await n8n.api.saveCredential(
		'Sandbox',
		CREDENTIAL_TYPE,
		sandboxCredential(sandbox),
	);
	const id = await makeClosing(sandbox);
	const question = async () => {
		const began = performance.now();
		await (
			await fetch(`${sandbox.url}/mortgage/v1/transactions/${id}`, {
				headers: { ApiKey: sandbox.keys.full },
			})
		).arrayBuffer();
		return performance.now() - began;
	};
	const contenders = [
		await webhook(n8n.api, n8n.url, "n8n's Webhook node", 3, false),
		await webhook(n8n.api, n8n.url, 'The same with an expression', 4, true),
		await bare(n8n.api, n8n.url),
		await trigger(n8n.api, sandbox, id, false, credential),
		await trigger(n8n.api, sandbox, id, true, credential),
	];
	let count = 0;
	for (const { call } of contenders) for (let warm = 0; warm < WARM_UP; warm++) await call(count++);
	for (let round = 0; round < Number(values.rounds); round++) {
		for (const { call, waits } of contenders) {
			for (let done = 0; done < Number(values.calls); done += TOGETHER)
				waits.push(
					...(await Promise.all(Array.from({ length: TOGETHER }, async () => await call(count++)))),
				);
			// The runs of these calls end before the next one's turn.
			for (;;) {
				if ((await n8n.api.executions(undefined, ['running', 'new'])).length === 0) break;
				await new Promise((wake) => setTimeout(wake, 100));
			}
		}
	}
	const questions: number[] = [];
	for (let asked = 0; asked < 50; asked++) questions.push(await question());
	process.stdout.write(
		`One question to the service, asked directly: median ${median(questions).toFixed(1)} ms\n`,
	);
	const plain = median(contenders[0].waits);
	for (const { name, waits } of contenders)
		process.stdout.write(
			`${name}: median ${median(waits).toFixed(1)} ms of ${waits.length} calls, ${(median(waits) / plain).toFixed(2)} times the Webhook node\n`,
		);
} finally {
	await n8n.stop();
	await sandbox.close();
	rmSync(place, { recursive: true, force: true });
}

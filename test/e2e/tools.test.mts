import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import { failureReason, outputJson } from '../../host/clients/n8n/executionData.mts';
import { PACKAGE_NAME } from '../../host/clients/n8n/names.mts';
import { builtInNode } from '../../host/clients/n8n/nodes.mts';
import type { WorkflowJson, WorkflowNode } from '../../host/clients/n8n/types.mts';
import { startChatModel } from './support/chatModel.mts';
import { startHost, type Host } from './support/host.mts';
import { langchain } from './support/langchainNode.mts';

/**
 * The node as a tool in a real n8n: of an AI Agent, which runs it itself or lets n8n's engine do it,
 * with a model that follows a script; and of an MCP server, called by n8n's own MCP client.
 */

let host: Host;
let model: Awaited<ReturnType<typeof startChatModel>>;
let openAi: WorkflowNode['credentials'];
beforeAll(async () => {
	host = await startHost();
	model = await startChatModel();
	const credential = await host.api.credentials.save('Model', 'openAiApi', {
		apiKey: 'none',
		url: model.url,
	});
	openAi = { openAiApi: credential };
}, 300_000);
afterAll(async () => {
	await host?.stop();
	await model?.close();
}, 60_000);

/** Our node as a tool, which creates a draft under the name that the model gives. */
function createTool(more: Partial<WorkflowNode> = {}): WorkflowNode {
	return {
		...builtInNode('Create', '', 1, {
			resource: 'transaction',
			operation: 'create',
			signers: { row: [{ email: 'jane@example.com', first_name: 'Jane', last_name: 'Doe' }] },
			documents: {},
			transactionName: "={{ $fromAI('name', 'Name', 'string') }}",
			additionalFields: {},
		}),
		type: `${PACKAGE_NAME}.signAndCloseTool`,
		credentials: host.credentials,
		...more,
	};
}

const to = (node: string, type = 'main') => ({ [type]: [[{ node, type, index: 0 }]] });

/** The names of the transactions that the service has. */
const names = () =>
	[...host.sandbox.world.transactions.values()].map(({ fields }) => fields.transaction_name);

const creates = (from: number) =>
	host.sandbox.requests
		.slice(from)
		.filter(({ method, path }) => method === 'POST' && path.endsWith('/transactions'));

describe.each([
	['runs tools itself', 2.2],
	['lets the engine run tools', 3.1],
])('an AI Agent that %s', (_how, version) => {
	const workflow = (tool: WorkflowNode): WorkflowJson => ({
		name: `Agent ${version}`,
		nodes: [
			builtInNode('Start', 'manualTrigger', 1),
			langchain('Agent', 'agent', version, { promptType: 'define', text: 'Go', options: {} }),
			{
				...langchain('Model', 'lmChatOpenAi', 1.2, {
					model: { __rl: true, mode: 'id', value: 'scripted' },
					options: {},
				}),
				credentials: openAi,
			},
			tool,
		],
		connections: {
			Start: to('Agent'),
			Model: to('Agent', 'ai_languageModel'),
			Create: to('Agent', 'ai_tool'),
		},
		settings: { executionOrder: 'v1' },
	});
	async function run(tool: WorkflowNode, calls: string[]) {
		const from = host.sandbox.requests.length;
		model.follow([calls.map((name) => ({ tool: 'Create', args: { name } }))]);
		const { id } = await host.api.workflows.save(workflow(tool));
		const execution = await host.api.executions.runToEnd(id);
		return { execution, posted: creates(from) };
	}

	test('creates what the model asks for, once for each call', async () => {
		const asked = [`One ${version}`, `Two ${version}`];
		const { execution, posted } = await run(createTool(), asked);
		expect(failureReason(execution)).toBe('');
		expect(outputJson(execution, 'Agent')).toEqual([{ output: 'Done.' }]);
		expect(posted).toHaveLength(2);
		expect(names()).toEqual(expect.arrayContaining(asked));
		expect(model.told).toHaveLength(2);
		for (const text of model.told) expect(text).toMatch(/"transaction_id":\s*"ot_/);
	});
	test('does nothing twice when an answer is lost and Retry On Fail tries again', async () => {
		const name = `Lost ${version}`;
		host.sandbox.faults.add({ method: 'POST', path: '/transactions', kind: 'cutAfter' });
		// Without the list, the node can't see what became of it.
		host.sandbox.faults.add({ method: 'GET', path: '/transactions', status: 403, times: 50 });
		const { posted } = await run(
			createTool({ retryOnFail: true, maxTries: 3, waitBetweenTries: 10 }),
			[name],
		);
		host.sandbox.faults.clear();
		expect(posted).toHaveLength(1);
		expect(names().filter((other) => other === name)).toHaveLength(1);
	});
});

test("an MCP server offers the tool to n8n's MCP client, once for each call", async () => {
	const { id } = await host.api.workflows.save({
		name: 'MCP server',
		nodes: [
			{
				...langchain('Server', 'mcpTrigger', 2, { path: 'closings', authentication: 'none' }),
				webhookId: 'closings',
			},
			createTool({ retryOnFail: true, maxTries: 3, waitBetweenTries: 10 }),
		],
		connections: { Create: to('Server', 'ai_tool') },
		settings: { executionOrder: 'v1' },
	});
	await host.api.workflows.publish(id);
	const client: WorkflowJson = {
		name: 'MCP client',
		nodes: [
			builtInNode('Start', 'manualTrigger', 1),
			langchain('Client', 'mcpClient', 1.1, {
				serverTransport: 'httpStreamable',
				endpointUrl: `${host.n8n.url}/mcp/closings`,
				authentication: 'none',
				tool: { __rl: true, mode: 'id', value: 'Create' },
				inputMode: 'json',
				jsonInput: '{ "name": "By MCP" }',
				options: {},
			}),
		],
		connections: { Start: to('Client') },
		settings: { executionOrder: 'v1' },
	};
	const { id: clientId } = await host.api.workflows.save(client);
	const from = host.sandbox.requests.length;
	const execution = await host.api.executions.runToEnd(clientId);
	expect(failureReason(execution)).toBe('');
	expect(JSON.stringify(outputJson(execution, 'Client'))).toMatch(/transaction_id[^]{1,10}ot_/);
	expect(creates(from)).toHaveLength(1);
	expect(names().filter((name) => name === 'By MCP')).toHaveLength(1);
});

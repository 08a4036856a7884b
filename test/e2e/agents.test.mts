import { failureReason, outputJson } from '../../host/clients/n8n/executionData.mts';
import { PACKAGE_NAME } from '../../host/clients/n8n/names.mts';
import { builtInNode } from '../../host/clients/n8n/nodes.mts';
import type { WorkflowJson, WorkflowNode } from '../../host/clients/n8n/types.mts';
import { forEachCase } from '../support/forEachCase.mts';
import { startChatModel } from './support/chatModel.mts';
import { startHost, type Host } from './support/host.mts';
import { connectToN8nMcp, type N8nMcp } from './support/n8nMcp.mts';
import { QUESTIONS, TOOLS } from './support/office.mts';
import { fillPortfolio, type Portfolio } from './support/portfolio.mts';

/**
 * The node as a tool in a real n8n: of an AI Agent, which runs it itself or lets n8n's engine do it,
 * with a model that follows a script; of an MCP server, called by n8n's own MCP client. And a
 * workflow that an assistant builds with n8n's own MCP server.
 */

let host: Host;
let model: Awaited<ReturnType<typeof startChatModel>>;
let openAi: WorkflowNode['credentials'];
let portfolio: Portfolio;
beforeAll(async () => {
	host = await startHost({ sandbox: { processingMs: 0 } });
	model = await startChatModel();
	openAi = {
		openAiApi: await host.api.credentials.save('Model', 'openAiApi', {
			apiKey: 'none',
			url: model.url,
		}),
	};
	portfolio = await fillPortfolio(host.sandbox);
});
afterAll(async () => {
	await host?.stop();
	await model?.close();
});

const to = (node: string, type = 'main') => ({ [type]: [[{ node, type, index: 0 }]] });

/** A node of n8n's package for AI, such as an agent or a model. */
const langchain = (
	name: string,
	type: string,
	typeVersion: number,
	parameters: WorkflowNode['parameters'],
): WorkflowNode => ({
	...builtInNode(name, type, typeVersion, parameters),
	type: `@n8n/n8n-nodes-langchain.${type}`,
});

/** Our node as a tool. */
const toolNode = (name: string, parameters: WorkflowNode['parameters']): WorkflowNode => ({
	...builtInNode(name, '', 1, parameters),
	type: `${PACKAGE_NAME}.signAndCloseTool`,
	credentials: host.credentials,
});

/** The version of n8n's agent that lets the engine run tools; the one before runs them itself. */
const [NEW, BEFORE] = [3.1, 2.2];

const agentWorkflow = (version: number, text: string, tools: WorkflowNode[]): WorkflowJson => ({
	name: `Agent ${version}`,
	nodes: [
		builtInNode('Start', 'manualTrigger', 1),
		langchain('Agent', 'agent', version, { promptType: 'define', text, options: {} }),
		{
			...langchain('Model', 'lmChatOpenAi', 1.2, {
				model: { __rl: true, mode: 'id', value: 'scripted' },
				options: {},
			}),
			credentials: openAi,
		},
		...tools,
	],
	connections: {
		Start: to('Agent'),
		Model: to('Agent', 'ai_languageModel'),
		...Object.fromEntries(tools.map(({ name }) => [name, to('Agent', 'ai_tool')])),
	},
	settings: { executionOrder: 'v1' },
});

async function runAgent(version: number, text: string, tools: WorkflowNode[]) {
	const { id } = await host.api.workflows.save(agentWorkflow(version, text, tools));
	return await host.api.executions.runToEnd(id);
}
const officeTools = () =>
	Object.entries(TOOLS).map(([name, parameters]) => toolNode(name, parameters));

describe('an agent of the office', () => {
	test.each(QUESTIONS)('$question', async ({ question, script, answer, expected, write }) => {
		const from = host.sandbox.requests.length;
		model.follow(script, answer);
		const execution = await runAgent(NEW, question, officeTools());
		expect(failureReason(execution)).toBe('');
		const [{ output }] = outputJson(execution, 'Agent');
		expect(output).toEqual(
			typeof expected === 'string' ? expected : expect.stringMatching(expected),
		);
		expect(model.told).toHaveLength(script.length);
		forEachCase(model.told, (text) => expect(text).not.toMatch(/https?:|_token/));
		const writes = host.sandbox.requests
			.slice(from)
			.filter(({ method }) => method !== 'GET')
			.map(({ method, path: asked }) => `${method} ${asked}`);
		if (write === undefined) expect(writes).toEqual([]);
		else expect(writes).toContain(write(portfolio));
	});

	test('knows of each tool what it does, and which calls have to be approved', async () => {
		model.follow([]);
		expect(failureReason(await runAgent(BEFORE, 'Hello', officeTools()))).toBe('');
		const offered = Object.fromEntries(model.offered.map((tool) => [tool.name, tool]));
		expect(Object.keys(offered).sort()).toEqual(Object.keys(TOOLS).sort());
		expect(offered.Send.description).toMatch(
			/Invites the signers by email.*wait for their approval/,
		);
		expect(offered.Find_closings.description).toMatch(/^List transactions .*Changes nothing\.$/);
		expect(Object.keys(offered.Find_closings.parameters.properties ?? {}).sort()).toEqual([
			'loan_number',
			'name',
			'signer_email',
		]);
	});
});

/** A tool that creates a draft under the name that the model gives. */
const createTool = (): WorkflowNode => ({
	...toolNode('Create', {
		resource: 'transaction',
		operation: 'create',
		signers: { row: [{ email: 'jane@example.com', first_name: 'Jane', last_name: 'Doe' }] },
		documents: {},
		transactionName: "={{ $fromAI('name', 'Name', 'string') }}",
		additionalFields: {},
	}),
	retryOnFail: true,
	maxTries: 3,
	waitBetweenTries: 10,
});

/** The names of the transactions that the service has. */
const transactionNames = () =>
	[...host.sandbox.world.transactions.values()].map(({ fields }) => fields.transaction_name);

const createsSince = (from: number) =>
	host.sandbox.requests
		.slice(from)
		.filter(({ method, path }) => method === 'POST' && path.endsWith('/transactions'));

describe.each([
	['runs tools itself', BEFORE],
	['lets the engine run tools', NEW],
])('an AI Agent that %s', (_how, version) => {
	async function run(calls: string[]) {
		const from = host.sandbox.requests.length;
		model.follow([calls.map((name) => ({ tool: 'Create', args: { name } }))]);
		const execution = await runAgent(version, 'Go', [createTool()]);
		return { execution, posted: createsSince(from) };
	}

	test('creates what the model asks for, once for each call', async () => {
		const asked = [`One ${version}`, `Two ${version}`];
		const { execution, posted } = await run(asked);
		expect(failureReason(execution)).toBe('');
		expect(outputJson(execution, 'Agent')).toEqual([{ output: 'Done.' }]);
		expect(posted).toHaveLength(2);
		expect(transactionNames()).toEqual(expect.arrayContaining(asked));
		expect(model.told).toHaveLength(2);
		forEachCase(model.told, (text) => expect(text).toMatch(/"transaction_id":\s*"ot_/));
	});
	test('does nothing twice when an answer is lost and Retry On Fail tries again', async () => {
		const name = `Lost ${version}`;
		host.sandbox.faults.add({ method: 'POST', path: '/transactions', kind: 'cutAfter' });
		// Without the list, the node can't see what became of it.
		host.sandbox.faults.add({ method: 'GET', path: '/transactions', status: 403, times: 50 });
		const { posted } = await run([name]);
		host.sandbox.faults.clear();
		expect(posted).toHaveLength(1);
		expect(transactionNames().filter((other) => other === name)).toHaveLength(1);
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
			createTool(),
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
	expect(createsSince(from)).toHaveLength(1);
	expect(transactionNames().filter((name) => name === 'By MCP')).toHaveLength(1);
});

describe("an assistant that builds workflows with n8n's own MCP server", () => {
	let mcp: N8nMcp;
	beforeAll(async () => {
		mcp = await connectToN8nMcp(host.api.session);
	});

	const ACTION = `${PACKAGE_NAME}.signAndClose`;

	test('finds the nodes, with what belongs to them', async () => {
		const { results } = await mcp.call<{ results: string }>('search_nodes', {
			queries: ['loan closing', 'e-signature'],
		});
		expect(results).toContain(ACTION);
		expect(results).toContain('Transaction: Create Closing');
		const agentTools = await mcp.call<{ results: string }>('search_nodes', {
			queries: ['sign document'],
			usage: 'agentTool',
		});
		expect(agentTools.results).toContain(`${ACTION}Tool`);
	});
	test('reads the parameters of an operation, with hints', async () => {
		const { definitions } = await mcp.call<{ definitions: string }>('get_node_types', {
			nodeIds: [{ nodeId: ACTION, resource: 'transaction', operation: 'get' }],
		});
		expect(definitions).toContain('transactionId');
		expect(definitions).toMatch(/@builderHint .*realEstate/);
	});
	test('builds a workflow that runs', async () => {
		const code = `
			import { workflow, node, trigger, newCredential, expr } from '@n8n/workflow-sdk';
			const start = trigger({
				type: 'n8n-nodes-base.manualTrigger',
				version: 1,
				config: { name: 'Start', position: [0, 0] },
				output: [{}],
			});
			const find = node({
				type: '${ACTION}',
				version: 1,
				config: {
					name: 'Find closing',
					parameters: {
						resource: 'transaction',
						operation: 'getAll',
						platform: 'realEstate',
						filters: { loan_number: '7001234' },
					},
					credentials: { signAndCloseApi: newCredential('Sign and Close') },
					position: [200, 0],
				},
				output: [{ transaction_id: 'ot_1' }],
			});
			const signers = node({
				type: '${ACTION}',
				version: 1,
				config: {
					name: 'Open signers',
					parameters: {
						resource: 'signer',
						operation: 'getAll',
						platform: 'realEstate',
						transactionId: {
							__rl: true,
							mode: 'id',
							value: expr('{{ $json.transaction_id }}'),
						},
						filters: { open_only: true },
					},
					credentials: { signAndCloseApi: newCredential('Sign and Close') },
					position: [400, 0],
				},
				output: [{ name: 'Mark Miller' }],
			});
			export default workflow('built', 'Built by an assistant').add(start).to(find).to(signers);
		`;
		const checked = await mcp.call<{ valid: boolean; warnings?: unknown[] }>('validate_workflow', {
			code,
		});
		expect(checked).toMatchObject({ valid: true });
		expect(checked.warnings ?? []).toEqual([]);
		const { workflowId } = await mcp.call<{ workflowId: string }>('create_workflow_from_code', {
			code,
			name: 'Built by an assistant',
			versionName: 'First',
		});
		const { executionId } = await mcp.call<{ executionId: string }>('execute_workflow', {
			workflowId,
			executionMode: 'manual',
			triggerNodeName: 'Start',
		});
		expect(executionId).toBeTruthy();
		const [execution] = await host.api.executions.waitForFinished(workflowId);
		expect(failureReason(execution)).toBe('');
		expect(outputJson(execution, 'Open signers')).toMatchObject([{ name: 'Mark Miller' }]);
	});
});

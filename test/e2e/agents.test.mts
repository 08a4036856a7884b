import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import { failureReason, outputJson } from '../../host/clients/n8n/executionData.mts';
import { PACKAGE_NAME } from '../../host/clients/n8n/names.mts';
import { builtInNode } from '../../host/clients/n8n/nodes.mts';
import type { WorkflowJson, WorkflowNode } from '../../host/clients/n8n/types.mts';
import { startChatModel } from './support/chatModel.mts';
import { startHost, type Host } from './support/host.mts';
import { langchain } from './support/langchainNode.mts';
import { connectToN8nMcp, type N8nMcp } from './support/n8nMcp.mts';
import { last, MILLER, names, onFound, QUESTIONS, TOOLS } from './support/office.mts';
import { fillPortfolio, type Portfolio } from './support/portfolio.mts';

/**
 * What people ask an agent that has the node as tools, in a real n8n, with a model that follows a
 * script: the tools tell enough for an answer, and do what was asked. And a workflow that an
 * assistant builds with n8n's own MCP server.
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
}, 300_000);
afterAll(async () => {
	await host?.stop();
	await model?.close();
}, 60_000);

const to = (node: string, type = 'main') => ({ [type]: [[{ node, type, index: 0 }]] });

const toolNode = ([name, parameters]: [string, Record<string, unknown>]): WorkflowNode => ({
	...builtInNode(name, '', 1, parameters),
	type: `${PACKAGE_NAME}.signAndCloseTool`,
	credentials: host.credentials,
});

const agentWorkflow = (version: number, question: string): WorkflowJson => ({
	name: `Office ${version}`,
	nodes: [
		builtInNode('Start', 'manualTrigger', 1),
		langchain('Agent', 'agent', version, { promptType: 'define', text: question, options: {} }),
		{
			...langchain('Model', 'lmChatOpenAi', 1.2, {
				model: { __rl: true, mode: 'id', value: 'scripted' },
				options: {},
			}),
			credentials: openAi,
		},
		...Object.entries(TOOLS).map(toolNode),
	],
	connections: {
		Start: to('Agent'),
		Model: to('Agent', 'ai_languageModel'),
		...Object.fromEntries(Object.keys(TOOLS).map((name) => [name, to('Agent', 'ai_tool')])),
	},
	settings: { executionOrder: 'v1' },
});

describe('an agent of the office', () => {
	test.each(QUESTIONS)('$question', async ({ question, script, answer, expected, write }) => {
		const from = host.sandbox.requests.length;
		model.follow(script, answer);
		const { id } = await host.api.workflows.save(agentWorkflow(3.1, question));
		const execution = await host.api.executions.runToEnd(id);
		expect(failureReason(execution)).toBe('');
		const [{ output }] = outputJson(execution, 'Agent');
		expect(output).toEqual(
			typeof expected === 'string' ? expected : expect.stringMatching(expected),
		);
		expect(model.told).toHaveLength(script.length);
		for (const text of model.told) expect(text).not.toMatch(/https?:|_token/);
		const writes = host.sandbox.requests
			.slice(from)
			.filter(({ method }) => method !== 'GET')
			.map(({ method, path: asked }) => `${method} ${asked}`);
		if (write === undefined) expect(writes).toEqual([]);
		else expect(writes).toContain(write(portfolio));
	});

	test('knows of each tool what it does, and which calls have to be approved', async () => {
		model.follow([]);
		const { id } = await host.api.workflows.save(agentWorkflow(2.2, 'Hello'));
		expect(failureReason(await host.api.executions.runToEnd(id))).toBe('');
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
	test('of the version before answers, too', async () => {
		model.follow([MILLER, onFound('Open_signers')], (told) => names(last(told)));
		const { id } = await host.api.workflows.save(agentWorkflow(2.2, "Who hasn't signed?"));
		const execution = await host.api.executions.runToEnd(id);
		expect(outputJson(execution, 'Agent')).toEqual([{ output: 'Mark Miller' }]);
	});
});

describe("an assistant that builds workflows with n8n's own MCP server", () => {
	let mcp: N8nMcp;
	beforeAll(async () => {
		mcp = await connectToN8nMcp(host.api.session);
	}, 60_000);

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

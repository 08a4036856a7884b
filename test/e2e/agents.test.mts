import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import { failureReason, outputJson } from '../../host/clients/n8n/executionData.mts';
import { PACKAGE_NAME } from '../../host/clients/n8n/names.mts';
import { builtInNode } from '../../host/clients/n8n/nodes.mts';
import type { WorkflowJson, WorkflowNode } from '../../host/clients/n8n/types.mts';
import { startChatModel, type Turn } from './support/chatModel.mts';
import { startHost, type Host } from './support/host.mts';
import { connectToN8nMcp, type N8nMcp } from './support/n8nMcp.mts';
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

const langchain = (
	name: string,
	type: string,
	typeVersion: number,
	parameters: Record<string, unknown>,
): WorkflowNode => ({
	...builtInNode(name, type, typeVersion, parameters),
	type: `@n8n/n8n-nodes-langchain.${type}`,
});

const to = (node: string, type = 'main') => ({ [type]: [[{ node, type, index: 0 }]] });

/** A parameter that the model fills in, as the editor writes it. */
const byModel = (key: string, description: string, type = 'string') =>
	`={{ $fromAI('${key}', '${description}', '${type}', ${type === 'string' ? "''" : 'undefined'}) }}`;
const chosenByModel = (key: string, description: string) => ({
	__rl: true,
	mode: 'id',
	value: byModel(key, description),
});
const transactionId = chosenByModel('transaction_id', 'ID of the transaction');
const ofClosing = { platform: 'realEstate', transactionId };

/** The tools of the agent, as somebody who closes loans would set them up. */
const TOOLS: Record<string, Record<string, unknown>> = {
	Find_closings: {
		resource: 'transaction',
		operation: 'getAll',
		platform: 'realEstate',
		filters: {
			name_contains: byModel('name', 'Part of the name'),
			loan_number: byModel('loan_number', 'Loan number'),
			signer_email: byModel('signer_email', 'Email of a signer'),
		},
	},
	Open_closings: {
		resource: 'transaction',
		operation: 'getAll',
		platform: 'realEstate',
		filters: { detailed_status: ['open'] },
	},
	Find_agreements: {
		resource: 'transaction',
		operation: 'getAll',
		platform: 'business',
		filters: { name_contains: byModel('name', 'Part of the name') },
	},
	Get_closing: { resource: 'transaction', operation: 'get', ...ofClosing },
	Open_signers: {
		resource: 'signer',
		operation: 'getAll',
		...ofClosing,
		filters: { open_only: true },
	},
	Documents: { resource: 'document', operation: 'getAll', ...ofClosing },
	Record: {
		resource: 'notarizationRecord',
		operation: 'get',
		platform: 'realEstate',
		recordId: chosenByModel('record_id', 'ID of the notarization record'),
	},
	Notaries: { resource: 'notary', operation: 'getEligible', ...ofClosing },
	Check_address: {
		resource: 'address',
		operation: 'verify',
		transactionType: 'refinance',
		addressLine1: byModel('street', 'Street and number'),
		addressCity: byModel('city', 'City'),
		addressState: byModel('state', 'State, two letters'),
		addressZipCode: byModel('zip', 'Zip code'),
	},
	Check_account: { resource: 'account', operation: 'check', checkedPlatforms: 'realEstate' },
	Resend_email: { resource: 'transaction', operation: 'resendEmail', ...ofClosing },
	Resend_SMS: { resource: 'transaction', operation: 'resendSms', ...ofClosing },
	Send: { resource: 'transaction', operation: 'send', ...ofClosing },
	Recall: {
		resource: 'transaction',
		operation: 'recall',
		...ofClosing,
		recallReason: byModel('reason', 'Why'),
	},
	Correct_signer: {
		resource: 'transaction',
		operation: 'correctSigner',
		...ofClosing,
		signerId: chosenByModel('signer', 'ID or email of the signer'),
		corrections: { email: byModel('email', 'The right email') },
		additionalFields: { paper_note_consent: true },
	},
	Rename: {
		resource: 'transaction',
		operation: 'update',
		...ofClosing,
		updateFields: { transaction_name: byModel('name', 'The new name') },
	},
	Delete: { resource: 'transaction', operation: 'delete', ...ofClosing },
	Open_closing: {
		resource: 'transaction',
		operation: 'createClosing',
		transactionType: 'refinance',
		transactionName: byModel('name', 'Name of the closing'),
		signerEmail: byModel('email', 'Email of the borrower'),
		signerFirstName: byModel('first_name', 'First name of the borrower'),
		signerLastName: byModel('last_name', 'Last name of the borrower'),
		signerExternalId: 'borrower-1',
		addressLine1: byModel('street', 'Street and number'),
		addressCity: byModel('city', 'City'),
		addressState: byModel('state', 'State, two letters'),
		addressZipCode: byModel('zip', 'Zip code'),
		recordingJurisdictionId: { __rl: true, mode: 'id', value: 'rlboston' },
		titleAgencyId: { __rl: true, mode: 'id', value: 'or_agency_harbor' },
		titleUnderwriterId: { __rl: true, mode: 'id', value: 'or_underwriter_atlantic' },
	},
};

const toolNode = ([name, parameters]: [string, Record<string, unknown>]): WorkflowNode => ({
	...builtInNode(name, '', 2, parameters),
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

type Row = Record<string, any>;

/** What a tool told the model, as objects. */
const rowsIn = (told: string | undefined): Row[] => {
	const parsed = JSON.parse(told ?? 'null') as unknown;
	return (Array.isArray(parsed) ? parsed : [parsed]) as Row[];
};
const last = (told: readonly string[]) => rowsIn(told.at(-1));

/** A call without what the model doesn't know. */
const call =
	(tool: string, args: object = {}): Turn =>
	() => [{ tool, args }];
/** A call about the transaction that was found before. */
const onFound =
	(tool: string, args: object = {}): Turn =>
	(told) => [{ tool, args: { transaction_id: rowsIn(told[0])[0].transaction_id, ...args } }];
const found = (args: object) =>
	call('Find_closings', { name: '', loan_number: '', signer_email: '', ...args });
const MILLER = found({ name: 'Miller' });
const BAKER = found({ name: 'Baker' });

interface Question {
	question: string;
	script: Turn[];
	/** What the model can say from what the tools told it. */
	answer: (told: readonly string[]) => string;
	expected: string | RegExp;
	/** The write that it needs, as the service gets it; none for a question that only reads. */
	write?: (of: Portfolio) => string;
}

const names = (rows: Row[]) => rows.map(({ name }) => name as string).join(', ');
const HARBOR = { street: '100 Harbor Street', city: 'Boston', state: 'MA', zip: '02110' };
const path = (id: string, rest = '') => `/mortgage/v1/transactions/${id}${rest}`;

const QUESTIONS: Question[] = [
	{
		question: 'Where is the Miller closing?',
		script: [MILLER],
		answer: (told) => `${last(told)[0].transaction_name}: ${last(told)[0].status}`,
		expected: /^Refinance Miller: (partially_completed|received|active|sent)$/,
	},
	{
		question: "Who hasn't signed loan 7001234?",
		script: [found({ loan_number: '7001234' }), onFound('Open_signers')],
		answer: (told) => names(last(told)),
		expected: 'Mark Miller',
	},
	{
		question: 'Resend to the co-borrower of the Millers.',
		script: [MILLER, onFound('Resend_email')],
		answer: (told) => `Sent again: ${last(told)[0].transaction_name}`,
		expected: 'Sent again: Refinance Miller',
		write: ({ miller }) => `POST ${path(miller, '/send_email')}`,
	},
	{
		question: 'Text Mark Miller the link, he reads no emails.',
		script: [MILLER, onFound('Resend_SMS')],
		answer: (told) => String(last(told)[0].transaction_id).slice(0, 3),
		expected: 'ot_',
		write: ({ miller }) => `POST ${path(miller, '/send_sms')}`,
	},
	{
		question: 'Which closings are still open?',
		script: [call('Open_closings')],
		answer: (told) =>
			last(told)
				.map((row) => row.transaction_name as string)
				.sort()
				.join(', '),
		expected: /Purchase Baker, Refinance Miller, Trial run/,
	},
	{
		question: 'Until when can the Millers sign?',
		script: [MILLER, onFound('Get_closing')],
		answer: (told) => `Expiry: ${last(told)[0].expiry}`,
		expected: /^Expiry: (\d{4}-\d\d-\d\d.*|null)$/,
	},
	{
		question: 'Which documents does the Baker closing have?',
		script: [BAKER, onFound('Documents')],
		answer: (told) =>
			last(told)
				.map((row) => row.document_name as string)
				.join(', '),
		expected: /Deed of Trust/,
	},
	{
		question: 'Is everybody of loan 7002222 reachable? Who signs there?',
		script: [found({ loan_number: '7002222' })],
		answer: (told) =>
			last(told)[0]
				.signers.map((signer: Row) => signer.email)
				.join(', '),
		expected: 'ben.baker@example.com',
	},
	{
		question: 'Rename the Baker closing to "Purchase Baker, unit 4".',
		script: [BAKER, onFound('Rename', { name: 'Purchase Baker, unit 4' })],
		answer: (told) => last(told)[0].transaction_name,
		expected: 'Purchase Baker, unit 4',
		write: ({ baker }) => `PUT ${path(baker)}`,
	},
	{
		question: 'The Baker package is complete. Send it.',
		script: [BAKER, onFound('Send')],
		answer: (told) => last(told)[0].status,
		expected: /^sent/,
		write: ({ baker }) => `POST ${path(baker, '/place_order')}`,
	},
	{
		question: 'Pull the Baker closing back, the rate is wrong.',
		script: [BAKER, onFound('Recall', { reason: 'The rate is wrong' })],
		answer: (told) => last(told)[0].status,
		expected: 'started',
		write: ({ baker }) => `POST ${path(baker, '/recall')}`,
	},
	{
		question: "Ben Baker's email is ben@baker.example. Correct it.",
		script: [BAKER, onFound('Correct_signer', { signer: 'ben-baker', email: 'ben@baker.example' })],
		answer: (told) => last(told)[0].signers[0].email,
		expected: 'ben@baker.example',
		write: ({ baker }) => `PUT ${path(baker)}`,
	},
	{
		question: 'Who notarized the Carter closing, and when?',
		script: [
			found({ name: 'Carter' }),
			(told) => [
				{ tool: 'Record', args: { record_id: rowsIn(told[0])[0].notarization_record_id } },
			],
		],
		answer: (told) => `${last(told)[0].notary_name}, ${last(told)[0].meeting_end}`,
		expected: /^\S+ .*, \d{4}-/,
	},
	{
		question: 'Where is the closing of cora.carter@example.com?',
		script: [found({ signer_email: 'cora.carter@example.com' })],
		answer: (told) => last(told)[0].status,
		expected: 'completed',
	},
	{
		question: 'Is there a closing for Smith?',
		script: [found({ name: 'Smith' })],
		answer: (told) => (last(told).some((row) => row?.transaction_id) ? 'Yes' : 'No'),
		expected: 'No',
	},
	{
		question: 'Did Dora Dunn sign the NDA?',
		script: [call('Find_agreements', { name: 'Dunn' })],
		answer: (told) => (last(told)[0].signers[0].open === true ? 'Not yet' : 'Yes'),
		expected: 'Not yet',
	},
	{
		question: 'Can 100 Harbor Street in Boston be closed online?',
		script: [call('Check_address', HARBOR)],
		answer: (told) => String(last(told)[0].recording_jurisdiction_id),
		expected: 'rlboston',
	},
	{
		question: 'Does our key work for closings?',
		script: [call('Check_account')],
		answer: (told) => last(told).find((row) => row.check === 'realEstate')?.state as string,
		expected: 'open',
	},
	{
		question: 'Which notaries could meet the Millers?',
		script: [MILLER, onFound('Notaries')],
		answer: (told) => String(last(told).length > 0),
		expected: 'true',
	},
	{
		question: 'Open a refinance closing for Nora Novak, 100 Harbor Street, Boston.',
		script: [
			call('Open_closing', {
				name: 'Refinance Novak',
				email: 'nora.novak@example.com',
				first_name: 'Nora',
				last_name: 'Novak',
				...HARBOR,
			}),
		],
		answer: (told) => `${last(told)[0].transaction_name}: ${last(told)[0].status}`,
		expected: 'Refinance Novak: started',
		write: () => 'POST /mortgage/v1/transactions',
	},
	{
		question: 'Delete the trial run.',
		script: [found({ name: 'Trial' }), onFound('Delete')],
		answer: (told) => String(last(told)[0].deleted),
		expected: 'true',
		write: ({ trial }) => `DELETE ${path(trial)}`,
	},
];

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
		expect(writes).toEqual(write === undefined ? [] : [write(portfolio)]);
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
		expect(Object.keys(offered.Find_closings.parameters.properties ?? {})).toEqual([
			'name',
			'loan_number',
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
				version: 2,
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
				version: 2,
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

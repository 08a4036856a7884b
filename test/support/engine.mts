import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type {
	IBinaryData,
	ICredentialDataDecryptedObject,
	IDataObject,
	IExecuteFunctions,
	INode,
	INodeExecutionData,
	INodeType,
	INodeTypes,
	IRun,
	ITaskData,
	IWorkflowExecuteAdditionalData,
	IWorkflowSettings,
} from 'n8n-workflow';

import { SignAndCloseApi } from '../../credentials/SignAndCloseApi.credentials.ts';
import { operations } from '../../nodes/SignAndClose/resources/index.ts';
import { cachedAnswers } from '../../nodes/SignAndClose/form/dropdowns.ts';
import { buildProperties } from '../../nodes/SignAndClose/run/nodeForm/nodeProperties.ts';
import type { Operation } from '../../nodes/SignAndClose/run/operation.ts';
import { runItems } from '../../nodes/SignAndClose/run/runItems.ts';
import { SignAndClose } from '../../nodes/SignAndClose/SignAndClose.node.ts';
import { SignAndCloseTrigger } from '../../nodes/SignAndClose/SignAndCloseTrigger.node.ts';
import { accounts } from '../../nodes/SignAndClose/transport/pace/turns.ts';
import { LIMITS, type Limits } from '../../nodes/SignAndClose/transport/service/limits.ts';
import { ProcessedKeys } from './processedKeys.mts';

/**
 * n8n's own engine around the nodes: WorkflowExecute of n8n-core runs them with its real contexts,
 * its HTTP helpers, its binary store and its handling of Retry On Fail, On Error and outputs. Only
 * the store of credentials is ours, because n8n's needs its database; it gives back what it was
 * given and calls the credential's own authenticate.
 */
const home = mkdtempSync(join(tmpdir(), 'sign-and-close-'));
process.env.N8N_USER_FOLDER = home;
process.env.N8N_ENCRYPTION_KEY ??= 'only-for-tests';
process.env.N8N_ENFORCE_SETTINGS_FILE_PERMISSIONS = 'false';
process.env.N8N_LOG_LEVEL ??= 'silent';
process.on('exit', () => rmSync(home, { recursive: true, force: true }));

// n8n is CommonJS and keeps one container of services: everything has to come from the same module
// registry.
const require = createRequire(import.meta.url);
const core = require('n8n-core');
const { Workflow, createRunExecutionData } =
	require('n8n-workflow') as typeof import('n8n-workflow');
const { Container } = require('@n8n/di') as typeof import('@n8n/di');

/** What this process has kept of the editor's lists, and what it knows about the pace of services. */
export { accounts, cachedAnswers as keptAnswers };

const {
	BinaryDataConfig,
	BinaryDataService,
	DataDeduplicationService,
	ExecuteContext,
	ExecutionLifecycleHooks,
	HookContext,
	LoadOptionsContext,
	TriggerContext,
	WebhookContext,
	WorkflowExecute,
} = core;

/** What n8n remembers of processed items. */
export const processed = new ProcessedKeys();
await DataDeduplicationService.init(processed);

export type BinaryMode = 'default' | 'filesystem';

const TYPES: Record<string, INodeType> = {
	'test.signAndClose': new SignAndClose(),
	'test.signAndCloseTrigger': new SignAndCloseTrigger(),
	'test.signAndCloseTool': asTool(new SignAndClose()),
};

/** What n8n makes of a node for agents: the same node with another description. */
function asTool(node: INodeType): INodeType {
	const description = {
		...node.description,
		name: `${node.description.name}Tool`,
		inputs: [],
		outputs: ['ai_tool'],
	};
	return Object.create(node, { description: { value: description } }) as INodeType;
}

/** The action node. */
export const NODE = TYPES['test.signAndClose'];
/** The trigger. */
export const TRIGGER = TYPES['test.signAndCloseTrigger'];

/** A lost answer is looked up for a moment only: what the service has made is there at once. */
const SHORT_LOOK_UP = { lookUpMs: 150, lookUpPauseMs: 20, absentAfterMs: 150 };

/** The nodes as n8n knows them; the action node is given limits and operations of a test. */
function nodeTypesWith({
	limits,
	operations: own,
}: Pick<RunOptions, 'limits' | 'operations'>): INodeTypes {
	const changed = (node: INodeType): INodeType => ({
		...node,
		description: { ...node.description, ...(own && { properties: buildProperties(own) }) },
		async execute(this: IExecuteFunctions) {
			return await runItems(this, own ?? operations, { ...LIMITS, ...SHORT_LOOK_UP, ...limits });
		},
	});
	const types = Object.fromEntries(
		Object.entries(TYPES).map(([type, node]) => [type, node === TRIGGER ? node : changed(node)]),
	);
	const find = (type: string) => types[type];
	return { getByName: find, getByNameAndVersion: find, getKnownTypes: () => ({}) };
}

/**
 * Keeps files where n8n keeps them: `default` is memory, `filesystem` is n8n's own default today.
 */
export async function useBinaryMode(mode: BinaryMode): Promise<void> {
	const config = Container.get(BinaryDataConfig) as { mode: string; localStoragePath: string };
	config.mode = mode;
	config.localStoragePath = join(home, 'binary');
	await Container.get<any>(BinaryDataService).init();
}

/** Where n8n keeps files in filesystem mode. */
export const binaryFolder = () => join(home, 'binary');

/** Puts a file into n8n's binary store, as a node before ours would. */
export async function storeFile(
	bytes: Buffer,
	fileName: string,
	mimeType: string,
): Promise<IBinaryData> {
	const location = { type: 'execution', workflowId: 'test', executionId: '1' };
	return await Container.get<any>(BinaryDataService).store(location, bytes, {
		fileName,
		mimeType,
		data: '',
	});
}

/** The content of a file in n8n's binary store. */
export async function readFile(file: IBinaryData): Promise<Buffer> {
	return await Container.get<any>(BinaryDataService).getAsBuffer(file);
}

export interface RunOptions {
	type?: 'signAndClose' | 'signAndCloseTrigger' | 'signAndCloseTool';
	parameters: IDataObject;
	/** By default, what the last node before it gave, or one item with nothing in it. */
	items?: INodeExecutionData[];
	/** Nodes that have run before it, each connected to the next one. */
	before?: NodeBefore[];
	/** Settings of the workflow. */
	settings?: IWorkflowSettings;
	/** A function is called each time n8n opens the credential. */
	credential:
		| ICredentialDataDecryptedObject
		| (() => ICredentialDataDecryptedObject | Promise<ICredentialDataDecryptedObject>);
	/** What keeps n8n from reading the credential, e.g. an error of its database. */
	credentialError?: Error;
	node?: Partial<INode>;
	staticData?: IDataObject;
	/** Limits of the package that the test shortens. */
	limits?: Partial<Limits>;
	/** Made-up operations, which the action node has instead of its own. */
	operations?: readonly Operation[];
	/** `manual` by default; `webhook` and `trigger` are those of a published workflow. */
	mode?: 'manual' | 'retry' | 'trigger' | 'webhook';
	/** Once it resolves, the execution is cancelled, as by the editor's Stop button. */
	cancelled?: Promise<unknown>;
	/** Gets what n8n writes to the console of the browser. */
	console?: unknown[];
	/** ID of the execution; 1 by default. */
	executionId?: string;
	/**
	 * A failed execution that a person retries with the currently saved workflow. It needs an ID of its
	 * own.
	 */
	retryOf?: RunOutcome;
}

/** A node that has run before the tested one. */
export interface NodeBefore {
	name: string;
	/** What it gave. */
	items: INodeExecutionData[];
}

export interface RunOutcome {
	run: IRun;
	/** Items of the first output. */
	items: INodeExecutionData[];
	/** Items of the error output. */
	errorItems: INodeExecutionData[];
	error?: Error & {
		description?: string;
		httpCode?: string;
		context?: IDataObject;
		messages?: string[];
	};
}

/**
 * Each test file has a node of its own, because what a process keeps of its nodes outlives a file,
 * and so does work that the file has left behind.
 */
const nodeId = () =>
	createHash('sha256')
		// A program that is no test has none.
		.update(typeof expect === 'undefined' ? '' : expect.getState().testPath!)
		.digest('hex')
		.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*/, '$1-$2-$3-$4-$5');

/** @internal For other files of test/support. */
export function build({
	limits,
	operations: own,
	type = 'signAndClose',
	parameters,
	node = {},
	staticData,
	before = [],
	settings,
}: Omit<RunOptions, 'credential' | 'credentialError'>) {
	const tested: INode = {
		id: nodeId(),
		name: 'Tested',
		type: `test.${type}`,
		typeVersion: type === 'signAndCloseTrigger' ? 2 : 1,
		position: [0, 0],
		parameters: parameters as INode['parameters'],
		credentials: { signAndCloseApi: { id: '1', name: 'Test' } },
		...node,
	};
	const chain = [...before.map(({ name }) => name), tested.name];
	const workflow = new Workflow({
		id: 'test',
		name: 'Test',
		nodes: [
			// Which node it is doesn't matter: it has run already.
			...before.map(({ name }) => ({ ...tested, id: name, name, parameters: {} })),
			tested,
		],
		connections: Object.fromEntries(
			before.map(({ name }, index) => [
				name,
				{ main: [[{ node: chain[index + 1], type: 'main' as const, index: 0 }]] },
			]),
		),
		active: false,
		nodeTypes: nodeTypesWith({ limits, operations: own }),
		staticData,
		settings: { timezone: 'America/New_York', ...settings },
	});
	return { workflow, tested: workflow.getNode('Tested')! };
}

/** @internal For other files of test/support. */
export function additionalData({
	credential,
	credentialError,
	console,
	executionId = '1',
}: Pick<
	RunOptions,
	'credential' | 'credentialError' | 'console' | 'executionId'
>): IWorkflowExecuteAdditionalData {
	const api = new SignAndCloseApi();
	const credentialsHelper = {
		getParentTypes: () => [],
		isCredentialUsableByNode: () => true,
		preAuthentication: async () => undefined,
		getDecrypted: async () => {
			if (credentialError !== undefined) throw credentialError;
			return { ...(typeof credential === 'function' ? await credential() : credential) };
		},
		getCredentialsProperties: () => api.properties,
		authenticate: async (data: ICredentialDataDecryptedObject, _type: string, options: unknown) =>
			await api.authenticate(data, options as never),
	};
	return {
		credentialsHelper,
		hooks: new ExecutionLifecycleHooks('manual', executionId, { id: 'test' }),
		executionId,
		restApiUrl: 'http://127.0.0.1/rest',
		instanceBaseUrl: 'http://127.0.0.1/',
		webhookBaseUrl: 'http://127.0.0.1/webhook',
		webhookTestBaseUrl: 'http://127.0.0.1/webhook-test',
		webhookWaitingBaseUrl: 'http://127.0.0.1/webhook-waiting',
		formWaitingBaseUrl: 'http://127.0.0.1/form-waiting',
		variables: {},
		setExecutionStatus: () => undefined,
		sendDataToUI: (_kind: string, { messages }: { messages: unknown[] }) =>
			console?.push(...messages),
		currentNodeExecutionIndex: 0,
	} as unknown as IWorkflowExecuteAdditionalData;
}

/** Runs the node with n8n's engine. */
export async function runNode(options: RunOptions): Promise<RunOutcome> {
	const { workflow, tested } = build(options);
	const { retryOf, before = [] } = options;
	const last = before.at(-1);
	const items = options.items ?? last?.items ?? [{ json: {} }];
	const source = last === undefined ? null : { main: sourceOf(last.name) };
	const data =
		retryOf === undefined
			? createRunExecutionData({
					startData: {},
					resultData: { runData: runDataOf(before) },
					executionData: {
						nodeExecutionStack: [{ node: tested, data: { main: [items] }, source }],
					},
				} as never)
			: dataOfRetry(retryOf.run, tested);
	const mode = options.mode ?? (retryOf === undefined ? 'manual' : 'retry');
	const execute = new WorkflowExecute(additionalData(options), mode, data);
	const running = execute.processRunExecutionData(workflow);
	void options.cancelled?.then(() => running.cancel());
	const run = (await running) as IRun;
	const [ran] = (run.data.resultData.runData.Tested ?? []).slice(-1);
	return {
		run,
		items: ran?.data?.main?.[0] ?? [],
		errorItems: ran?.data?.main?.[1] ?? [],
		error: (run.data.resultData.error ?? ran?.error) as RunOutcome['error'],
	};
}

const sourceOf = (previousNode: string) => [{ previousNode }];

/** What n8n keeps of nodes that have run one after the other. */
function runDataOf(before: NodeBefore[]): Record<string, ITaskData[]> {
	return Object.fromEntries(
		before.map(({ name, items }, index) => [
			name,
			[
				{
					startTime: 0,
					executionTime: 0,
					executionIndex: index,
					source: index === 0 ? [] : sourceOf(before[index - 1].name),
					data: { main: [items] },
				},
			],
		]),
	);
}

/**
 * What a retry starts with, as ExecutionService.retry() of n8n makes it of the stored execution: all
 * data without the failed run, and the nodes of the workflow as it is saved now.
 */
function dataOfRetry({ data }: IRun, tested: INode): IRun['data'] {
	const { runData, lastNodeExecuted } = data.resultData;
	const runs = (runData.Tested ?? []).filter(({ error }) => error === undefined);
	const stored = JSON.stringify({
		...data,
		resultData: {
			lastNodeExecuted,
			runData: { ...runData, Tested: runs.length > 0 ? runs : undefined },
		},
	});
	const copy = JSON.parse(stored) as IRun['data'];
	for (const entry of copy.executionData?.nodeExecutionStack ?? []) entry.node = tested;
	return copy;
}

/**
 * Contexts as n8n makes them for the node in one execution, for code that is called without n8n's
 * loop around it.
 * @param signal says that the execution is cancelled; n8n doesn't always give one
 * @returns makes the context of a run; a node in a loop runs several times
 */
export function executionOf(
	options: Omit<RunOptions, 'credential'>,
	signal?: AbortSignal,
): (runIndex?: number) => IExecuteFunctions {
	const { workflow, tested } = build(options);
	const data = { main: [options.items ?? [{ json: {} }]] };
	const runData = createRunExecutionData({ startData: {} } as never);
	return (runIndex = 0) =>
		new ExecuteContext(
			workflow,
			tested,
			additionalData({ credential: credentialFor('https://api.example.com') }),
			'manual',
			runData,
			runIndex,
			data.main[0],
			data,
			{ node: tested, data, source: null },
			[],
			signal,
		);
}

/**
 * Counts what n8n evaluates from now on: one entry for each time that a node asks for a parameter of
 * an item. `stop` gives them.
 */
export function countEvaluations(): { stop(): Array<[name: string, itemIndex: number]> } {
	const asked: Array<[string, number]> = [];
	const base = Object.getPrototypeOf(Object.getPrototypeOf(core.ExecuteContext.prototype));
	const original = base._getNodeParameter;
	base._getNodeParameter = function (name: string, itemIndex: number, ...rest: unknown[]) {
		asked.push([name, itemIndex]);
		return original.call(this, name, itemIndex, ...rest);
	};
	return {
		stop() {
			base._getNodeParameter = original;
			return asked;
		},
	};
}

/** A hook context as n8n makes it when a workflow is published. */
export function hookContext(options: Omit<RunOptions, 'items'>, path: string) {
	const { workflow, tested } = build({ type: 'signAndCloseTrigger', ...options });
	const webhookData = {
		webhookDescription: TYPES['test.signAndCloseTrigger'].description.webhooks![0],
		path,
		node: tested.name,
		workflowId: 'test',
	};
	const context = new HookContext(
		workflow,
		{ ...tested, webhookId: path },
		additionalData(options),
		'trigger',
		'activate',
		webhookData,
	);
	return {
		context,
		workflow,
		methods: (TYPES['test.signAndCloseTrigger'] as any).webhookMethods.default,
	};
}

/** A trigger context as n8n makes it for a published workflow. */
export function triggerContext(options: Omit<RunOptions, 'items'>) {
	const { workflow, tested } = build({ type: 'signAndCloseTrigger', ...options });
	return new TriggerContext(workflow, tested, additionalData(options), 'trigger', 'activate');
}

/** A webhook context as n8n makes it for a delivery. */
export function webhookContext(
	options: Omit<RunOptions, 'items'>,
	request: object,
	response: object,
) {
	const { workflow, tested } = build({ type: 'signAndCloseTrigger', ...options });
	const data = {
		...additionalData(options),
		httpRequest: request,
		httpResponse: response,
	};
	const webhookData = {
		webhookDescription: TYPES['test.signAndCloseTrigger'].description.webhooks![0],
		path: 'p',
		node: tested.name,
		workflowId: 'test',
	};
	const context = new WebhookContext(
		workflow,
		tested,
		data,
		options.mode ?? 'webhook',
		webhookData,
		[],
		null,
	);
	return { context, webhook: TYPES['test.signAndCloseTrigger'].webhook! };
}

/** A context for lists, as n8n makes it when the editor opens one. */
export function listContext(options: Omit<RunOptions, 'items'>) {
	const { workflow, tested } = build(options);
	const data = { ...additionalData(options), currentNodeParameters: options.parameters };
	return new LoadOptionsContext(workflow, tested, data, '');
}

/** The credential for a sandbox. */
export function credentialFor(
	url: string,
	more: ICredentialDataDecryptedObject = {},
): ICredentialDataDecryptedObject {
	return {
		baseUrl: url,
		apiKey: 'demo-full-access-key',
		organizationId: '',
		pathLayout: 'documented',
		...more,
	};
}

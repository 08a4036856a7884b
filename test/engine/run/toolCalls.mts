import { createRequire } from 'node:module';

import type { IDataObject, IExecuteFunctions, IRunExecutionData } from 'n8n-workflow';

import { additionalData, build, type RunOptions } from '../../support/engine.mts';

/** The node as a tool, called the way n8n itself calls tools in its own process. */

const require = createRequire(import.meta.url);
const { SupplyDataContext } = require('n8n-core');
const {
	makeHandleToolInvocation,
} = require('n8n-core/dist/execution-engine/node-execution-context/utils/get-input-connection-data.js');
const { createEmptyRunExecutionData, createRunExecutionData } =
	require('n8n-workflow') as typeof import('n8n-workflow');

/** Who calls: an agent within an execution, or an MCP client, for whom n8n makes up an execution. */
export type Caller = 'agent' | 'mcp';

/**
 * Connects the node to an agent or an MCP server.
 * @returns calls it with arguments, which stand in `$json`, and gives what the model is told
 */
export function toolOf(
	options: RunOptions,
	caller: Caller,
): (args: IDataObject) => Promise<unknown> {
	const { workflow, tested } = build(options);
	const runData: IRunExecutionData =
		caller === 'mcp' ? createEmptyRunExecutionData() : createRunExecutionData({ startData: {} });
	const nodeType = workflow.nodeTypes.getByNameAndVersion(tested.type, tested.typeVersion);
	// n8n gives the tool the input of its parent, and the arguments by addInputData().
	const parentInput = [{ json: {} }];
	const contextFor = (runIndex: number): IExecuteFunctions =>
		new SupplyDataContext(
			workflow,
			tested,
			additionalData(options),
			caller === 'mcp' ? 'webhook' : 'trigger',
			runData,
			runIndex,
			parentInput,
			{},
			'ai_tool',
			{ node: tested, data: { main: [parentInput] }, source: null },
			[],
		);
	return makeHandleToolInvocation(contextFor, tested, nodeType, runData);
}

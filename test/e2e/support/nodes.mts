import { PACKAGE_NAME } from '../../../host/clients/n8n/names.mts';
import type { WorkflowJson, WorkflowNode } from '../../../host/clients/n8n/types.mts';
import type { Host } from './host.mts';

/** Nodes as n8n stores them, so that a test shows only what matters to it. */

const COLUMN_WIDTH = 200;

/** One of n8n's own nodes. */
export function builtInNode(
	name: string,
	type: string,
	typeVersion: number,
	parameters: Record<string, unknown> = {},
): WorkflowNode {
	return {
		id: name,
		name,
		type: `n8n-nodes-base.${type}`,
		typeVersion,
		position: [0, 0],
		parameters,
	};
}

/** The node of this package. */
export function ourNode(
	host: Host,
	name: string,
	parameters: Record<string, unknown>,
): WorkflowNode {
	return {
		id: name,
		name,
		type: `${PACKAGE_NAME}.signAndClose`,
		typeVersion: 1,
		position: [0, 0],
		parameters,
		credentials: host.credentials,
	};
}

/** A workflow of nodes in a row, each connected to the next one. A manual trigger comes first. */
export function workflowInARow(name: string, nodes: WorkflowNode[]): WorkflowJson {
	const row = [builtInNode('Start', 'manualTrigger', 1), ...nodes].map(
		(node, index): WorkflowNode => ({ ...node, position: [COLUMN_WIDTH * index, 0] }),
	);
	const connections = row
		.slice(0, -1)
		.map((node, index) => [
			node.name,
			{ main: [[{ node: row[index + 1].name, type: 'main', index: 0 }]] },
		]);
	return {
		name,
		nodes: row,
		connections: Object.fromEntries(connections),
		settings: { executionOrder: 'v1' },
	};
}

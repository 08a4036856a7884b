import { randomUUID } from 'node:crypto';

import { PACKAGE_NAME } from './names.mts';
import type { WorkflowJson, WorkflowNode } from './types.mts';

/** Nodes and workflows as n8n stores them, so that whoever builds one says only what matters. */

const COLUMN_WIDTH = 200;

/** What nodes of this package are given. */
interface Credentialed {
	credentials: WorkflowNode['credentials'];
}

function anyNode(
	name: string,
	type: string,
	typeVersion: number,
	parameters: Record<string, unknown>,
): WorkflowNode {
	return { id: name, name, type, typeVersion, position: [0, 0], parameters };
}

/** One of n8n's own nodes. */
export function builtInNode(
	name: string,
	type: string,
	typeVersion: number,
	parameters: Record<string, unknown> = {},
): WorkflowNode {
	return anyNode(name, `n8n-nodes-base.${type}`, typeVersion, parameters);
}

/** The node of this package. */
export function ourNode(
	{ credentials }: Credentialed,
	name: string,
	parameters: Record<string, unknown>,
): WorkflowNode {
	return { ...anyNode(name, `${PACKAGE_NAME}.signAndClose`, 1, parameters), credentials };
}

/** The trigger of this package, named Events. */
export function triggerNode(
	{ credentials }: Credentialed,
	parameters: Record<string, unknown>,
): WorkflowNode {
	const node = anyNode('Events', `${PACKAGE_NAME}.signAndCloseTrigger`, 2, parameters);
	return { ...node, id: randomUUID(), webhookId: randomUUID(), credentials };
}

/** A workflow of nodes in a row, each connected to the next one. */
export function inARow(name: string, nodes: WorkflowNode[]): WorkflowJson {
	const connections = nodes
		.slice(0, -1)
		.map((node, index) => [
			node.name,
			{ main: [[{ node: nodes[index + 1].name, type: 'main', index: 0 }]] },
		]);
	return {
		name,
		nodes: nodes.map((node, index) => ({ ...node, position: [COLUMN_WIDTH * index, 0] })),
		connections: Object.fromEntries(connections),
		settings: { executionOrder: 'v1' },
	};
}

/** Such a workflow that begins with a manual trigger. */
export function workflowInARow(name: string, nodes: WorkflowNode[]): WorkflowJson {
	return inARow(name, [builtInNode('Start', 'manualTrigger', 1), ...nodes]);
}

import { builtInNode } from '../../../host/clients/n8n/nodes.mts';
import type { WorkflowNode } from '../../../host/clients/n8n/types.mts';

/** Builds a node of n8n's package for AI, such as an agent or a model. */
export const langchain = (
	name: string,
	type: string,
	typeVersion: number,
	parameters: Record<string, unknown>,
): WorkflowNode => ({
	...builtInNode(name, type, typeVersion, parameters),
	type: `@n8n/n8n-nodes-langchain.${type}`,
});

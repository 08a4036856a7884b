import type { N8nClient } from '../../host/clients/n8n/client.mts';
import { builtInNode, inARow } from '../../host/clients/n8n/nodes.mts';
import type { WorkflowNode } from '../../host/clients/n8n/types.mts';

/**
 * Saves a workflow of these nodes in a row and one after them that does nothing, and publishes it.
 * @returns its ID
 */
export async function publish(
	api: N8nClient,
	name: string,
	nodes: WorkflowNode[],
): Promise<string> {
	const { id } = await api.workflows.save(inARow(name, [...nodes, builtInNode('Done', 'noOp', 1)]));
	await api.workflows.publish(id);
	return id;
}

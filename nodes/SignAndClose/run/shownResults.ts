import type { OperationCall, OperationResult } from './operation';
import { isAgentTool } from './tool/agentTool';
import { forModel } from './tool/forModel';

/** The results of an operation as they come out: without secrets and, as a tool, as a model may read them. */
export function shownResults(
	{ context, service }: OperationCall,
	results: OperationResult[],
): OperationResult[] {
	const isTool = isAgentTool(context.getNode());
	return results.map((result) => {
		const json = service.hide(result.json);
		return { ...result, json: isTool ? forModel(json) : json };
	});
}

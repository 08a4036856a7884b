import type { Execution, Item } from './types.mts';

/** The JSON of the items that a node's last run put out on one output. */
export function outputJson(
	execution: Execution,
	node: string,
	output = 0,
): Array<Record<string, unknown>> {
	return outputItems(execution, node, output).map(({ json }) => json);
}

/** The items that a node's last run put out on one output. */
export function outputItems(execution: Execution, node: string, output = 0): Item[] {
	return execution.data.resultData.runData[node]?.at(-1)?.data?.main?.[output] ?? [];
}

/** What made an execution fail, in one line; empty when it succeeded. */
export function failureReason(execution: Execution): string {
	const { error, lastNodeExecuted, runData } = execution.data?.resultData ?? { runData: {} };
	const cause =
		error ??
		(lastNodeExecuted === undefined ? undefined : runData[lastNodeExecuted]?.at(-1)?.error);
	if (cause === undefined) return execution.status === 'success' ? '' : execution.status;
	const node = (cause as { node?: { name: string } }).node?.name ?? lastNodeExecuted;
	return [node === undefined ? undefined : `${node}:`, cause.message, cause.description]
		.filter(Boolean)
		.join(' ');
}

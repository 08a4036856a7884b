/**
 * Lets a call that has only been acknowledged wake what takes events from the records, when both
 * are in one process; else the next tick does it.
 */
const sleepers = new Map<string, () => void>();

const nameOf = (workflowId: string | undefined, nodeId: string) => `${workflowId}:${nodeId}`;

export function wake(workflowId: string | undefined, nodeId: string): void {
	sleepers.get(nameOf(workflowId, nodeId))?.();
}

/** @returns a function that ends it */
export function onWake(
	workflowId: string | undefined,
	nodeId: string,
	work: () => void,
): () => void {
	const name = nameOf(workflowId, nodeId);
	sleepers.set(name, work);
	return () => {
		if (sleepers.get(name) === work) sleepers.delete(name);
	};
}

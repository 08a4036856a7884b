import type { INode, IWorkflowMetadata } from 'n8n-workflow';

interface Context {
	getNode(): INode;
	getWorkflow(): IWorkflowMetadata;
}

const keyOf = (context: Context) => `${context.getWorkflow().id}:${context.getNode().id}`;

/**
 * Lets a call that was only acknowledged start the reading of the event records, when both happen in
 * one process. In several processes the clock does it.
 */
class PullSignal {
	private readonly listeners = new Map<string, () => void>();

	send(context: Context): void {
		this.listeners.get(keyOf(context))?.();
	}

	/** @returns a function that stops listening */
	listen(context: Context, work: () => void): () => void {
		const key = keyOf(context);
		this.listeners.set(key, work);
		return () => {
			if (this.listeners.get(key) === work) this.listeners.delete(key);
		};
	}
}

/** State of this process; docs/architecture.md lists all of it. */
export const pullSignal = new PullSignal();

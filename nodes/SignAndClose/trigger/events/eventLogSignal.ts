import type { INode, IWorkflowMetadata } from 'n8n-workflow';

/* Starts the reading of event records when a call arrives in pull mode. */

interface Context {
	getNode(): INode;
	getWorkflow(): IWorkflowMetadata;
}

const keyOf = (context: Context) => `${context.getWorkflow().id}:${context.getNode().id}`;

const listeners = new Map<string, () => void>();

/**
 * Lets a call start the reading of the event records, when both happen in one process. With several
 * processes, the clock does it. State of this process; docs/architecture.md lists all of it.
 */
export const eventLogSignal = {
	/** Asks the node's listener, if it has one in this process, to read the event records. */
	send: (context: Context): void => listeners.get(keyOf(context))?.(),
	/**
	 * Registers what to do for a node when a call arrives.
	 * @returns a function that stops listening
	 */
	listen: (context: Context, work: () => void): (() => void) => {
		const key = keyOf(context);
		listeners.set(key, work);
		return () => {
			if (listeners.get(key) === work) listeners.delete(key);
		};
	},
};

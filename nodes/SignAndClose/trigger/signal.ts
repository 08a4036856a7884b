import type { FunctionsBase } from 'n8n-workflow';

import { nodeKey } from './warnings';

const listeners = new Map<string, () => void>();

type Context = Pick<FunctionsBase, 'getNode' | 'getWorkflow'>;

/**
 * Lets a call start the reading of the event records, when both happen in one process. With several
 * processes, the clock does it. State of this process; docs/architecture.md lists all of it.
 */
export const eventLogSignal = {
	/** Asks the node's listener, if it has one in this process, to read the event records. */
	send: (context: Context): void => listeners.get(nodeKey(context))?.(),
	/**
	 * Registers what to do for a node when a call arrives.
	 * @returns a function that stops listening
	 */
	listen: (context: Context, work: () => void): (() => void) => {
		const key = nodeKey(context);
		listeners.set(key, work);
		return () => {
			if (listeners.get(key) === work) listeners.delete(key);
		};
	},
};

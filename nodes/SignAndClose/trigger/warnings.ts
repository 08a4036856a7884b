import type { FunctionsBase } from 'n8n-workflow';

import { NewestMap } from '../values/newestMap';

/* What the trigger writes into n8n's log. */

type Context = Pick<FunctionsBase, 'getNode' | 'getWorkflow' | 'logger'>;

/** Names a node of a workflow. */
export const nodeKey = (context: Pick<FunctionsBase, 'getNode' | 'getWorkflow'>): string =>
	`${context.getWorkflow().id}:${context.getNode().id}`;

/** How long the same sentence isn't repeated, in milliseconds. */
const SILENCE_MS = 24 * 3_600_000;
/** How many sentences this process keeps for all triggers together. */
const REMEMBERED = 1_000;

/** When sentences were written. State of this process; docs/architecture.md lists all of it. */
const written = new NewestMap<number>(REMEMBERED);

/**
 * Writes warnings, each sentence once a day for each node: what a look finds every 15 minutes, or
 * what is wrong with each of many deliveries, would fill the log.
 */
export const warnings = {
	/** @param text without the name of the node, which comes first */
	once(context: Context, text: string): void {
		const key = `${nodeKey(context)}:${text}`;
		if (Date.now() - (written.get(key) ?? 0) < SILENCE_MS) return;
		written.delete(key);
		written.set(key, Date.now());
		context.logger.warn(`Sign and Close Trigger: ${text}`);
	},

	/** Forgets what was written about a node, because what it was about is over. */
	forget(context: Context): void {
		for (const key of written.keys())
			if (key.startsWith(`${nodeKey(context)}:`)) written.delete(key);
	},
};

import type { INode, IWorkflowMetadata, Logger } from 'n8n-workflow';

import { NewestMap } from '../values/newestMap';

/* What the trigger writes into n8n's log. */

interface Context {
	getNode(): INode;
	getWorkflow(): IWorkflowMetadata;
	logger: Logger;
}

/** How long the same sentence isn't repeated, in milliseconds. */
const SILENCE_MS = 24 * 3_600_000;
/** How many sentences this process keeps for all triggers together. */
const REMEMBERED = 1_000;

/**
 * Writes warnings, each sentence once a day for each node: what a look finds every 15 minutes, or
 * what is wrong with each of many deliveries, would fill the log.
 */
class Warnings {
	private readonly said = new NewestMap<number>(REMEMBERED);

	/** @param text without the name of the node, which comes first */
	once(context: Context, text: string): void {
		const key = startOf(context) + text;
		if (Date.now() - (this.said.get(key) ?? 0) < SILENCE_MS) return;
		this.said.delete(key);
		this.said.set(key, Date.now());
		context.logger.warn(`Sign and Close Trigger: ${text}`);
	}

	/** Forgets that a sentence was said, because what it was about is over. */
	forget(context: Context): void {
		for (const key of this.said.keys()) if (key.startsWith(startOf(context))) this.said.delete(key);
	}
}

const startOf = (context: Context) => `${context.getWorkflow().id}:${context.getNode().id}:`;

/** State of this process; docs/architecture.md lists all of it. */
export const warnings = new Warnings();

import type { INode, IWorkflowMetadata, Logger } from 'n8n-workflow';

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
	private readonly said = new Map<string, number>();

	/** @param text without the name of the node, which comes first */
	once(context: Context, text: string): void {
		const key = `${context.getWorkflow().id}:${context.getNode().id}:${text}`;
		const before = this.said.get(key);
		if (before !== undefined && Date.now() - before < SILENCE_MS) return;
		this.said.delete(key);
		this.said.set(key, Date.now());
		if (this.said.size > REMEMBERED) {
			const [oldest] = this.said.keys();
			this.said.delete(oldest);
		}
		warn(context, text);
	}

	/** Forgets that a sentence was said, because what it was about is over. */
	forget(context: Context): void {
		const start = `${context.getWorkflow().id}:${context.getNode().id}:`;
		for (const key of this.said.keys()) if (key.startsWith(start)) this.said.delete(key);
	}
}

/** Writes a warning about a node into n8n's log. */
export function warn({ logger }: Pick<Context, 'logger'>, text: string): void {
	logger.warn(`Sign and Close Trigger: ${text}`);
}

/** State of this process; docs/architecture.md lists all of it. */
export const warnings = new Warnings();

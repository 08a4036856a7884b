import type { FunctionsBase, ITriggerFunctions } from 'n8n-workflow';

import { ExplainedFailure } from '../messages/failures';
import { formatAsText, toNodeError } from '../messages/nodeError';
import { NewestMap } from '../values/newestMap';

/* What the trigger writes into n8n's log, and says to a person. */

type Context = Pick<FunctionsBase, 'getNode' | 'getWorkflow' | 'logger'>;

/** What names a node. */
export type NodeContext = Pick<FunctionsBase, 'getNode' | 'getWorkflow'>;

/** Names a node of a workflow. */
export const buildNodeId = (context: NodeContext): string =>
	`${context.getWorkflow().id}:${context.getNode().id}`;

/** How long the same sentence isn't repeated, in milliseconds. */
const REPEAT_PAUSE_MS = 24 * 3_600_000;
/** How many sentences this process keeps for all triggers together. */
const MOST_WARNINGS = 1_000;

/** When sentences were written. State of this process; docs/architecture.md lists all of it. */
const written = new NewestMap<number>(MOST_WARNINGS);

/**
 * Writes warnings, each sentence once a day for each node: what a look finds every 15 minutes, or
 * what is wrong with each of many deliveries, would fill the log.
 */
export const triggerLog = {
	/** @param text without the name of the node, which comes first */
	logOnce(context: Context, text: string): void {
		const key = `${buildNodeId(context)}:${text}`;
		if (Date.now() - (written.get(key) ?? 0) < REPEAT_PAUSE_MS) return;
		written.delete(key);
		written.set(key, Date.now());
		context.logger.warn(`Sign and Close Trigger: ${text}`);
	},

	/** Forgets what was written about a node, because what it was about is over. */
	forget(context: Context): void {
		for (const key of written.keys())
			if (key.startsWith(`${buildNodeId(context)}:`)) written.delete(key);
	},
};

/**
 * Does a part of a check. A failure is only logged, because the next check tries again.
 * @param purpose continues the sentence "couldn't ..."
 */
export async function logFailure(
	context: ITriggerFunctions,
	purpose: string,
	work: () => Promise<void>,
): Promise<void> {
	try {
		await work();
	} catch (thrown) {
		triggerLog.logOnce(context, `couldn't ${purpose}. ${describeFailure(context, thrown)}`);
	}
}

/** What a failure says in the log. Nothing secret is in it. */
export const describeFailure = (context: Context, thrown: unknown): string =>
	formatAsText(toNodeError(context.getNode(), thrown, undefined, []));

/** The failure of a subscription whose webhooks couldn't be looked at. */
export const NOT_ANSWERED = new ExplainedFailure(
	"The service couldn't be asked about its webhooks",
	'Publish the workflow again',
);

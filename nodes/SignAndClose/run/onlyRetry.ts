import type { IExecuteFunctions } from 'n8n-workflow';

import { ExplainedFailure } from '../messages/explainedFailure';

/** How many keys n8n's store keeps of a node; the oldest are dropped first. */
const KEPT = 1_000;

/**
 * Lets one retry of an execution write. Another one would write the same once more, because it begins
 * with what the execution knew, too. n8n's store of processed keys reads and then writes without a
 * lock, so one visit follows the other.
 */
class OnlyRetry {
	private last: Promise<unknown> = Promise.resolve();

	/**
	 * Uses the only retry of an execution that may begin to write.
	 * @returns whether none has written before
	 * @throws ExplainedFailure when n8n can't store that; nothing was sent
	 */
	async use({ helpers }: Pick<IExecuteFunctions, 'helpers'>, execution: string): Promise<boolean> {
		const options = { mode: 'entries' as const, maxEntries: KEPT };
		const visit = this.last.then(
			async () => await helpers.checkProcessedAndRecord([`retried: ${execution}`], 'node', options),
		);
		this.last = visit.catch(() => undefined);
		try {
			return (await visit).new.length === 1;
		} catch {
			throw notStored();
		}
	}
}

const notStored = () =>
	new ExplainedFailure(
		"n8n couldn't store what this retry is about to send, so nothing was sent",
		'Retry the execution in a minute. If this continues, check the database of n8n',
	);

/** State of this process; docs/architecture.md lists all of it. */
export const onlyRetry = new OnlyRetry();

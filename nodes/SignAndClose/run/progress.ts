import { sleep, type IExecuteFunctions } from 'n8n-workflow';

import type { ServiceClient } from '../transport/client';

/* What a long run owes to others: time for the rest of n8n, and a word to whoever waits for it. */

/** How long a run may keep n8n from everything else, in milliseconds. */
const LONGEST_AT_A_STRETCH_MS = 20;
/** How often a run says how far it is, in milliseconds. */
const TELL_EVERY_MS = 5_000;
/** Pauses below this many milliseconds in all aren't worth a word. */
const LEAST_WORTH_TELLING_MS = 3_000;

/** Follows the items of a run. */
export class Progress {
	private done = 0;

	private toldAt = Date.now();

	private ranSince = Date.now();

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly count: number,
	) {}

	/**
	 * Lets whatever else n8n has to do run from time to time: requests of others, and the one that
	 * stops this run. Items that send nothing would hold all of it until the last one.
	 */
	async letOthersRun(): Promise<void> {
		if (Date.now() - this.ranSince < LONGEST_AT_A_STRETCH_MS) return;
		await this.letAnswersIn();
	}

	/** Lets answers that have come be handled before anything else is done. */
	async letAnswersIn(): Promise<void> {
		await sleep(0);
		this.ranSince = Date.now();
	}

	/**
	 * Notes that an item has ended. n8n shows nothing of a node that is running, so a run in the
	 * editor writes to the browser's console how far it is.
	 */
	ended(): void {
		this.done++;
		if (this.done === this.count || Date.now() - this.toldAt < TELL_EVERY_MS) return;
		this.toldAt = Date.now();
		// n8n does so in runs that were started in the editor only.
		this.context.sendMessageToUI(
			`${this.context.getNode().name}: ${shown(this.done)} of ${shown(this.count)} items done`,
		);
	}

	/** Says how long the service has kept this run waiting, if that explains its time. */
	waits({ slowdowns }: Pick<ServiceClient, 'slowdowns'>): string | undefined {
		if (slowdowns.pausedMs < LEAST_WORTH_TELLING_MS) return undefined;
		const seconds = shown(Math.round(slowdowns.pausedMs / 1000));
		const refused =
			slowdowns.refused === 0
				? ''
				: ` It refused ${shown(slowdowns.refused)} ${slowdowns.refused === 1 ? 'request' : 'requests'}, which the node sent again.`;
		return `The service limits how many requests it takes: the node paused for ${seconds} seconds in all.${refused}`;
	}
}

const shown = (number: number) => number.toLocaleString('en-US');

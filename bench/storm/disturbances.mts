import { setTimeout as sleep } from 'node:timers/promises';

import { changeAccount, changeSource } from './changes.mts';
import type { ListedPlatform } from './completions.mts';
import { publishChanged } from './publishing.mts';
import type { Storm } from './setting.mts';
import { disableWhileDown, recordWhileDown, refusePlatform } from './unheard.mts';

/** What happens during a storm, and when. */

/** How often each thing happens. */
export interface Counts {
	/** n8n is killed and started again. */
	kills: number;
	/** The service refuses the key for a while. */
	refusals: number;
	/** The service is gone for a while, as while it restarts. */
	outages: number;
	/** The workflow is published with a changed parameter of the trigger. */
	publishings: number;
	/** The webhook is disabled while n8n is down, and transactions are completed. */
	disablings: number;
	/**
	 * The same, and then one platform refuses to list its transactions for a while. Every other time,
	 * the workflow is published meanwhile.
	 */
	platformRefusals: number;
	/** Events come from the event log for a while. */
	sourceChanges: number;
	/** The workflow uses another account for a while. */
	accountChanges: number;
	/** Many events couldn't be delivered while n8n was down. */
	backlogs: number;
}

/** Something that happens once a share of the deliveries is done. */
export interface Disturbance {
	name: string;
	/** From 0 to 1. */
	after: number;
	run: () => Promise<void>;
}

const PLATFORMS: ListedPlatform[] = ['business', 'realEstate'];

/** All disturbances of a storm in the order in which they happen, each over the whole of it. */
export function planDisturbances(storm: Storm, counts: Counts): Disturbance[] {
	const spread = (
		name: string,
		count: number,
		shift: number,
		run: (index: number) => Promise<void>,
	) =>
		Array.from({ length: count }, (_, index) => ({
			name,
			after: (index + 1 + shift) / (count + 1),
			run: async () => await run(index),
		}));
	return [
		...spread('n8n killed', counts.kills, 0, async () => await storm.restart()),
		...spread('key refused', counts.refusals, -0.3, async () => {
			const answer = { status: 401, body: { error: 'Unauthorized' } };
			const isOver = storm.sandbox.faults.begin({ ...answer, times: Infinity });
			await sleep(storm.lastsMs);
			isOver();
		}),
		...spread('service gone', counts.outages, 0.3, async () => {
			const isOver = storm.sandbox.faults.begin({ kind: 'cutBefore', times: Infinity });
			await sleep(storm.lastsMs);
			isOver();
		}),
		...spread('published with a change', counts.publishings, 0.4, async () => {
			await publishChanged(storm);
		}),
		...spread('order of the event records turned', 1, 0, async () => {
			storm.service.turnRecords();
			return await Promise.resolve();
		}),
		...spread('webhook disabled', counts.disablings, -0.8, async () => {
			await disableWhileDown(storm);
		}),
		...spread('account changed', counts.accountChanges, -0.5, async () => {
			await changeAccount(storm);
		}),
		...spread('platform refused', counts.platformRefusals, -0.1, async (index) => {
			await refusePlatform(storm, PLATFORMS[index % PLATFORMS.length], index % 2 === 1);
		}),
		...spread('source of events changed', counts.sourceChanges, 0.1, async () => {
			await changeSource(storm);
		}),
		...spread('events recorded', counts.backlogs, 0.5, async () => {
			await recordWhileDown(storm);
		}),
	].sort((one, other) => one.after - other.after);
}

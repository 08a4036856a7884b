import { setTimeout as sleep } from 'node:timers/promises';

import { completeSome } from './completions.mts';
import type { Storm } from './setting.mts';
import { publishAccount, publishSource } from './publishing.mts';

/** Disturbances in which the trigger gets its events from somewhere else for a while. */

/** What share of the deliveries comes while events come from the event log. */
const PULLED_SHARE = 0.1;
/**
 * How many further events of each account are sent while the workflow uses the other account. All are
 * older than the ten minutes in which the service's answer may lag behind, as a delivery may be that
 * comes again.
 */
export const SENT_AT_CHANGE = 3;
/**
 * How long before the workflow uses an account the transactions are completed that are none of its
 * business, in milliseconds. The service says its time in whole seconds.
 */
const CLEARLY_BEFORE_MS = 2_000;
const PROGRESS_POLL_MS = 20;

/** Events come from the event log for a share of the deliveries. */
export async function changeSource(storm: Storm): Promise<void> {
	const { sender, planned } = storm;
	sender.isPulled = true;
	await publishSource(storm, 'pull');
	const until = Math.min(planned, sender.done + planned * PULLED_SHARE);
	sender.limit = Math.max(sender.limit, until);
	while (sender.done < until) await sleep(PROGRESS_POLL_MS);
	await publishSource(storm, 'push');
	sender.isPulled = false;
}

/**
 * The workflow uses the other account for a while. Meanwhile, the first account's webhook may still
 * stand, and the service goes on delivering to it; so may that of the other one afterwards. See Ledger
 * for what must become of these events.
 */
export async function changeAccount(storm: Storm): Promise<void> {
	const { sandbox, ledger, sender } = storm;
	for (const platform of ['realEstate', 'business'] as const)
		await completeSome(sandbox, ledger, { account: 'other', platform, count: 1 });
	await sleep(CLEARLY_BEFORE_MS);
	const numbersOf = (account: 'first' | 'other') =>
		Array.from({ length: SENT_AT_CHANGE }, () => ledger.add(account));
	await publishAccount(storm, 'other');
	const rejected = numbersOf('first');
	for (const number of rejected) await sender.tryEvent(number, 'first');
	await tryMadeUpDeletion(storm);
	await sender.sendEvents(numbersOf('other'), 'other');
	await sleep(storm.lastsMs);
	await publishAccount(storm, 'first');
	for (const number of numbersOf('other')) await sender.tryEvent(number, 'other');
	await sender.sendEvents(rejected, 'first');
}

/**
 * Somebody who knows the first account's webhook says that one of its transactions is deleted. The
 * other account is answered that it isn't found.
 */
async function tryMadeUpDeletion({ ledger, sender }: Storm): Promise<void> {
	const number = ledger.add();
	ledger.forged.add(number);
	await sender.tryMadeUp(number, (transactionId) => ({
		event: 'transaction.deleted',
		data: { transaction_id: transactionId, number, date_occurred: new Date().toISOString() },
	}));
}

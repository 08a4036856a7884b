import { setTimeout as sleep } from 'node:timers/promises';

import { waitUntil } from '../../host/run/patience.mts';
import { completeSome, LISTS, type ListedPlatform } from './completions.mts';
import type { Storm } from './setting.mts';
import { havePassed } from './outcome.mts';
import { publishChanged } from './publishing.mts';

/** Disturbances in which events reach no n8n, so that the trigger has to find them itself. */

/** How many transactions of each platform are completed at a time. */
const COMPLETED = 2;
/** How many transactions are completed at a time. */
export const COMPLETED_WHILE_DISABLED = COMPLETED * 2;
const PLATFORMS: ListedPlatform[] = ['realEstate', 'business'];

/**
 * Somebody disables the webhook while n8n is down. What is completed until n8n has enabled it again
 * leaves no record.
 */
export async function disableWhileDown(storm: Storm): Promise<void> {
	const since = new Date();
	let completed: number[] = [];
	await storm.restart(async () => {
		completed = await disableAndComplete(storm);
	});
	await waitUntilPassed(storm, completed, since);
}

/**
 * The same, but one platform refuses the look that n8n makes when it starts, and every other one for
 * a while. What was completed there comes with a later look.
 * @param isPublished whether the workflow is also published while the platform refuses
 */
export async function refusePlatform(
	storm: Storm,
	platform: ListedPlatform,
	isPublished: boolean,
): Promise<void> {
	const { faults, requests } = storm.sandbox;
	const since = new Date();
	let completed: number[] = [];
	let isOver = () => {};
	await storm.restart(async () => {
		completed = await disableAndComplete(storm);
		isOver = faults.begin({
			method: 'GET',
			path: new RegExp(`^${LISTS[platform]}$`),
			status: 403,
			body: { error: 'Forbidden' },
			times: Infinity,
		});
		requests.clear();
	});
	await waitUntil(
		() =>
			requests.some(
				({ method, path, query, status }) =>
					method === 'GET' &&
					path === LISTS[platform] &&
					query.last_updated_date_start !== undefined &&
					status === 403,
			),
		() => `No look at ${LISTS[platform]} is refused`,
	);
	if (isPublished) await publishChanged(storm);
	await sleep(storm.platformLastsMs);
	isOver();
	await publishChanged(storm);
	await waitUntilPassed(storm, completed, since);
}

/** @returns the numbers of the completions */
async function disableAndComplete({ sandbox, service, ledger }: Storm): Promise<number[]> {
	const webhook = service.webhookOf('first');
	if (webhook !== undefined) webhook.enabled = false;
	const numbers: number[] = [];
	for (const platform of PLATFORMS) {
		const some = { account: 'first' as const, platform, count: COMPLETED };
		numbers.push(...(await completeSome(sandbox, ledger, some)));
	}
	for (const number of numbers) ledger.due.add(number);
	return numbers;
}

/** Waits until the trigger has passed them on, so that the next kill doesn't interrupt that. */
async function waitUntilPassed(storm: Storm, numbers: number[], since: Date): Promise<void> {
	await waitUntil(
		() => havePassed(storm.database, storm.ledger, numbers, since),
		() => `The trigger hasn't passed on all of ${numbers.join()}`,
		{ pauseMs: 500 },
	);
}

/** While n8n is down, the service tries in vain to deliver many events. */
export async function recordWhileDown(storm: Storm): Promise<void> {
	const { service, ledger } = storm;
	await storm.restart(() => {
		const numbers = Array.from({ length: storm.undelivered }, () => ledger.add());
		for (const number of numbers) ledger.due.add(number);
		const { transactionId } = storm;
		service.recordUndelivered({ numbers, transactionId, codes: [500, 404] });
	});
}

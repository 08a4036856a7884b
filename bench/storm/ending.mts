import { setTimeout as sleep } from 'node:timers/promises';

import { waitUntil } from '../../host/run/patience.mts';
import { readStormOutcome } from './outcome.mts';
import type { Storm } from './setting.mts';
import { publishChanged } from './publishing.mts';

/** How a storm ends: the trigger passes on what is left. */

const IDLE_POLL_MS = 500;
/** How often in a row n8n must be found idle, in case something comes twice. */
const IDLE_POLLS = 10;

/** Has the trigger read the event records, in which the last deliveries may have gone wrong. */
export async function lookOnceMore(storm: Storm): Promise<void> {
	const { requests } = storm.sandbox;
	requests.clear();
	await publishChanged(storm);
	await waitUntil(
		() => requests.some(({ path }) => /\/webhooks\/[^/]+\/events/.test(path)),
		() => "The trigger doesn't read the event records",
	);
}

/**
 * Waits until every event has passed or was interrupted, no execution is running and n8n asks the
 * service nothing: a long event log takes many requests.
 * @param started when n8n was started last. It may call one that a kill has cut off running for ever
 */
export async function waitUntilIdle(
	{ n8n, database, ledger, sandbox: { requests } }: Storm,
	started: number,
): Promise<void> {
	const isComplete = () => {
		const { notStored, lost } = readStormOutcome(database, ledger);
		return notStored.length + lost.length === 0;
	};
	// What never passes shows in the outcome, with its number.
	await waitUntil(isComplete, () => '', { pauseMs: IDLE_POLL_MS }).catch(() => undefined);
	let last = requests.at(-1);
	for (let idlePolls = 0; idlePolls < IDLE_POLLS;) {
		const listed = await n8n().api.executions.list(undefined, ['running', 'new']);
		const running = listed.filter(({ startedAt }) => !(Date.parse(startedAt ?? '') < started));
		const isQuiet = running.length === 0 && requests.at(-1) === last;
		last = requests.at(-1);
		idlePolls = isQuiet ? idlePolls + 1 : 0;
		await sleep(IDLE_POLL_MS);
	}
}

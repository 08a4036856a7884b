import { setTimeout as sleep } from 'node:timers/promises';

import type { Storm } from './setting.mts';
import { publishChanged } from './publishing.mts';

/** How a storm ends: the trigger passes on what is left. */

const IDLE_POLL_MS = 500;
/** How often in a row n8n must be found idle. */
const IDLE_POLLS = 10;
/** The trigger reads the event records a second and a half after it's published. */
const LAST_LOOK_MS = 10_000;

/** Has the trigger read the event records, in which the last deliveries may have gone wrong. */
export async function lookOnceMore(storm: Storm): Promise<void> {
	const { requests } = storm.sandbox;
	await publishChanged(storm);
	requests.clear();
	const deadline = Date.now() + LAST_LOOK_MS;
	const hasRead = () => requests.some(({ path }) => /\/webhooks\/[^/]+\/events/.test(path));
	while (!hasRead() && Date.now() < deadline) await sleep(IDLE_POLL_MS);
}

/**
 * Waits until no execution is running and n8n asks the service nothing: a long event log takes many
 * requests.
 * @param started when n8n was started last. It may call one that a kill has cut off running for ever
 */
export async function waitUntilIdle(
	{ n8n, sandbox: { requests } }: Storm,
	started: number,
): Promise<void> {
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

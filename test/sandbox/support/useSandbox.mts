/** What the test files of this folder share: a sandbox and a client of it. */

import { startSandbox, type Sandbox, type SandboxOptions } from '../../../sandbox/index.mts';
import { allSwitches } from '../../../sandbox/world/config.mts';
import { Client, Receiver } from './client.mts';

/** The sandbox of this test file, after `useSandbox`. */
export let sandbox: Sandbox;

/** A client of this sandbox, with the key that may do everything. */
export let client: Client;

/**
 * Starts a sandbox before the tests of the file, and ends it after them. After each test, its faults
 * and webhooks are gone and its settings are as they were at the start.
 */
export function useSandbox(options: SandboxOptions = {}): void {
	let settings: object;
	beforeAll(async () => {
		sandbox = await startSandbox(options);
		client = new Client(sandbox);
		settings = { ...sandbox.world.settings };
	});
	afterEach(() => {
		Receiver.closeAll();
		sandbox.faults.clear();
		sandbox.problems.length = 0;
		sandbox.world.webhooks.clear();
		Object.assign(sandbox.world.settings, settings, { switches: allSwitches(options.switches) });
	});
	afterAll(async () => await sandbox.close());
}

/** Another sandbox, for as long as `work` takes. */
export async function withSandbox(
	options: SandboxOptions,
	work: (other: Client, sandbox: Sandbox) => Promise<void>,
): Promise<void> {
	const other = await startSandbox(options);
	try {
		await work(new Client(other), other);
	} finally {
		await other.close();
	}
}

/** Another sandbox with only the documented interface. */
export const withDocumented = async (work: Parameters<typeof withSandbox>[1]): Promise<void> =>
	await withSandbox({ profile: 'documented' }, work);

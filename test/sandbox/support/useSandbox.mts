/** What most test files of this folder share: a sandbox, a client of it, and an endpoint for events. */

import { afterAll, afterEach, beforeAll } from '@jest/globals';

import { startSandbox, type Sandbox, type SandboxOptions } from '../../../sandbox/index.mts';
import { allSwitches } from '../../../sandbox/world/config.mts';
import { Client, Receiver } from './client.mts';

/** The sandbox of this test file, after `useSandbox`. */
export let sandbox: Sandbox;

/** A client of this sandbox, with the key that may do everything. */
export let client: Client;

/** The endpoint that this sandbox delivers its events to, after `useReceiver`. */
export let receiver: Receiver;

/**
 * Starts a sandbox before the tests of the file, and ends it after them. After each test, its faults
 * are cleared and its switches are as they were at the start.
 */
export function useSandbox(options: SandboxOptions = {}): void {
	beforeAll(async () => {
		sandbox = await startSandbox(options);
		client = new Client(sandbox);
	});
	afterEach(() => {
		sandbox.faults.clear();
		Object.assign(sandbox.world.settings.switches, allSwitches(options.switches));
	});
	afterAll(async () => await sandbox.close());
}

/**
 * Starts a sandbox as `useSandbox` does, and an endpoint that it delivers events to during the whole
 * file.
 * @param subscriptions names of events; by default all events
 */
export function useReceiver(options: SandboxOptions = {}, subscriptions = ['*']): void {
	// Hooks run in the order of these lines: the endpoint is closed before the sandbox.
	afterAll(() => receiver.close());
	useSandbox(options);
	beforeAll(async () => {
		receiver = await Receiver.start();
		await receiver.subscribe(client, subscriptions);
	});
}

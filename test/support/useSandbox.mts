import { startSandbox, type Sandbox } from '../../sandbox/index.mts';
import { credentialFor, accounts, useBinaryMode } from './engine.mts';
import { forEachCase } from './forEachCase.mts';

/** The sandbox of this test file, after `useSandbox`. */
export let sandbox: Sandbox;

/**
 * Starts a sandbox before the tests of the file, and ends it after them. Its signed links lead to
 * another origin. No test may ask for something that openapi.yaml does not allow, or send the API
 * key to that origin.
 */
export function useSandbox(): void {
	beforeAll(async () => {
		await useBinaryMode('filesystem');
		sandbox = await startSandbox({ filesOrigin: 'separate' });
	});
	// A test must not run at the pace that the one before it left.
	beforeEach(() => accounts.clear());
	afterEach(() => {
		sandbox.faults.clear();
		sandbox.world.webhooks.clear();
		expect(sandbox.problems).toEqual([]);
		forEachCase(sandbox.fileRequests, (headers) =>
			expect(Object.keys(headers)).not.toContain('apikey'),
		);
	});
	afterAll(async () => await sandbox.close());
}

/** The credential for this sandbox. */
export const credential = (more: Parameters<typeof credentialFor>[1] = {}) =>
	credentialFor(sandbox.url, more);

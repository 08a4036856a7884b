import { afterAll, afterEach, beforeAll, beforeEach, expect } from '@jest/globals';

import { startFaultService, type FaultService } from '../../../support/faultService/service.mts';
import type { ServiceOptions } from '../../../support/faultService/types.mts';
import { clientOf } from './clients.mts';

/** The fault service of this test or file, after `useFaultService`. */
export let service: FaultService;

/** A plain client of `service`. */
export let call: ReturnType<typeof clientOf>;

/**
 * Starts a fault service before each test of the file, or one for the whole file, and ends it
 * afterwards. It may make no mistake of its own, and leave no socket open.
 */
export function useFaultService(
	wishes: Partial<ServiceOptions> = {},
	lifetime: 'test' | 'file' = 'test',
): void {
	const [before, after] = lifetime === 'test' ? [beforeEach, afterEach] : [beforeAll, afterAll];
	before(async () => {
		service = await startFaultService(wishes);
		call = clientOf(service);
	});
	after(async () => {
		await service.close();
		expect(service.problems).toEqual([]);
		expect(service.openSockets()).toBe(0);
	});
}

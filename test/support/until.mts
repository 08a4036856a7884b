import { waitUntil } from '../../host/run/patience.mts';

/**
 * Waits for a state, looking every few milliseconds.
 * @throws when the state isn't reached
 */
export async function until(reached: () => boolean | Promise<boolean>, pauseMs = 5): Promise<void> {
	await waitUntil(reached, () => `Not reached: ${reached}`, { pauseMs });
}

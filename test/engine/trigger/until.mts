import { expect } from 'vitest';

/**
 * Waits for a state. The time is only a limit for a machine that is very busy.
 * @throws when the state isn't reached within a minute and a half
 */
export async function until(reached: () => boolean): Promise<void> {
	for (const end = Date.now() + 90_000; !reached() && Date.now() < end;)
		await new Promise((wake) => setTimeout(wake, 5));
	expect(reached()).toBe(true);
}

import type { Sending, SendingMemory } from '../../../nodes/SignAndClose/run/goals.ts';

/** What an item has sent, as a test makes it up. */
export function sendingMemory(noted?: Sending): SendingMemory {
	return { get: () => noted, set: (sending) => void (noted = sending) };
}

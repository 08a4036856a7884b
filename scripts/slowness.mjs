/**
 * How slow this machine is now. Limits that end what hangs are multiples of it, so that a busy machine
 * or a small one gets no other verdict.
 */
import { createHash } from 'node:crypto';

/** What the work below takes on the makers' machine when it's quiet. */
const USUAL_MS = 250;
const ROUNDS = 1500;
const BYTES = Buffer.alloc(256 * 1024, 'Sign and Close');

/** How many times as long a fixed piece of work takes as on the makers' machine: at least 1. */
export function slowness() {
	const began = performance.now();
	const hash = createHash('sha256');
	for (let round = 0; round < ROUNDS; round++) hash.update(BYTES);
	hash.digest();
	return Math.max(1, (performance.now() - began) / USUAL_MS);
}

import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { createService, type ServiceClient } from '../../../nodes/SignAndClose/transport/client.ts';
import type { StepMemory } from '../../../nodes/SignAndClose/run/goals.ts';
import { LIMITS, type Limits } from '../../../nodes/SignAndClose/transport/service/limits.ts';
import { hookContext } from '../engine.mts';
import { withService, type Answer, type PlayedService, type Script } from './service.mts';

/** Our own client of a service that a test plays. */

/**
 * Runs `work` with a client of a service that follows the script.
 * @param fields of the credential that differ
 * @param limits that differ
 */
export async function withClient<T>(
	script: Script,
	work: (service: ServiceClient, played: PlayedService) => Promise<T>,
	{
		fields = {},
		limits = {},
	}: { fields?: ICredentialDataDecryptedObject; limits?: Partial<Limits> } = {},
): Promise<T> {
	return await withService(script, async (played) => {
		const credential = { ...played.credential, ...fields };
		const { context } = hookContext({ credential, parameters: {} }, 'a');
		return await work(await createService(context, { ...LIMITS, ...limits }), played);
	});
}

/** Answers with these bodies, one after the other; the last one stays. */
export function inTurn(...bodies: unknown[]): () => Answer {
	let next = 0;
	return () => ({ body: bodies[Math.min(next++, bodies.length - 1)] });
}

/** What a call throws. */
export async function thrownBy(call: Promise<unknown>): Promise<unknown> {
	try {
		await call;
	} catch (thrown) {
		return thrown;
	}
	throw new Error('It went well.');
}

/** What earlier tries have noted. */
export function noted(...steps: string[]): StepMemory {
	return { all: () => steps, add: (step) => void steps.push(step) };
}

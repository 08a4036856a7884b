import type { Answer } from '../../../../../nodes/SignAndClose/service/transport/answer.ts';
import type { Fault } from '../../../../../nodes/SignAndClose/service/transport/fault.ts';
import type { sendInTurn } from '../../../../../nodes/SignAndClose/service/transport/pace/sendInTurn.ts';
import { START } from './asking.mts';

/** Outcomes of requests that are sent in their turn. */

export const answer = (status: number, headers: Record<string, unknown> = {}): Answer => ({
	status,
	headers,
	body: undefined,
});
export const fault = (timedOut: boolean): Fault => ({
	code: timedOut ? 'ETIMEDOUT' : 'ECONNRESET',
	nothingSent: false,
	timedOut,
	lasting: false,
});
/** Gives these outcomes one after the other, then the last one again, and notes when. */
export function service(...outcomes: Array<Answer | Fault>) {
	const sentAt: number[] = [];
	const send = async () => {
		sentAt.push(Date.now() - START);
		return outcomes[Math.min(sentAt.length, outcomes.length) - 1];
	};
	return { sentAt, send };
}
/** What came of a promise. */
export interface Settled {
	value?: Awaited<ReturnType<typeof sendInTurn>>;
	error?: Error;
}
export function watch(sending: ReturnType<typeof sendInTurn>): Settled {
	const settled: Settled = {};
	sending.then(
		(value) => (settled.value = value),
		(error: Error) => (settled.error = error),
	);
	return settled;
}

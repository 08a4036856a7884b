import { asError, type ServiceFailure } from '../../errors/failure';
import { toRefusal } from '../../errors/refusal';
import type { Answer } from '../answer';
import type { Fault } from '../fault';
import { header } from '../headers';
import { isRead, LONGEST_RETRY_AFTER_MS } from '../retry';
import { discard } from '../streams';
import { readHints } from './hints';
import type { Ended } from './outcomes';
import { NoTurn, type Turns, type Wish } from './turns';

/* Sends a request when its turn comes, and again when the service takes no more at present. */

const TOO_MANY_REQUESTS = 429;
/** The status of a service that takes no more at present, without a word about limits. */
export const UNAVAILABLE = 503;
/** Statuses of a service, or of a gateway before it, that is overloaded. */
const OVERLOADED = new Set([408, 502, 504, 522, 524]);

/** What is known about a request before it's sent. */
interface Paced {
	method: string;
	/** Names requests that take about as long as each other; without it, the time isn't judged. */
	kind?: string;
	/** Ends the waiting. */
	signal?: AbortSignal;
	/** How often the service was unavailable when the request was sent before. */
	unavailable?: number;
	/** How long a turn is waited for, in milliseconds, when somebody waits for our own answer. */
	impatientMs?: number;
}

/**
 * Sends a request in its turn. 429 says that nothing was done, so that any request is sent again,
 * until its service has limited requests for too long (docs/behaviour.md#rate-limits).
 * @param turns gets the turns of the service, which may be others after a pause
 * @returns the outcome, and how often it was sent
 * @throws ServiceFailure when its turn didn't come, so that it wasn't sent; the reason of the signal
 */
export async function sendInTurn(
	turns: () => Turns,
	{ method, kind, signal, unavailable, impatientMs }: Paced,
	send: () => Promise<Answer | Fault>,
): Promise<{ outcome: Answer | Fault; sent: number }> {
	let refusedSince: number | undefined;
	const wish = (): Wish => ({
		signal,
		refusedSince,
		unavailable,
		latest: impatientMs === undefined ? undefined : Date.now() + impatientMs,
	});
	for (let sent = 0; ;) {
		const turn = await turns()
			.take(wish())
			.catch((thrown: unknown) => {
				throw thrown instanceof NoTurn ? limited(method, sent, thrown.forMs) : asError(thrown);
			});
		let outcome: Answer | Fault | undefined;
		try {
			outcome = await send();
			sent++;
		} finally {
			turn.end(endOf(outcome, kind));
		}
		if ('code' in outcome || outcome.status !== TOO_MANY_REQUESTS) return { outcome, sent };
		refusedSince ??= Date.now();
		const again = impatientMs === undefined || sent < 2;
		if (!again || !turns().isWorthWaiting(wish())) return { outcome, sent };
		discard(outcome.body);
	}
}

/** Reads what an outcome tells about the pace. */
function endOf(outcome: Answer | Fault | undefined, kind: string | undefined): Ended {
	if (outcome === undefined) return { outcome: 'unknown' };
	if ('code' in outcome) return { outcome: outcome.timedOut ? 'overloaded' : 'unknown' };
	const { status, headers } = outcome;
	const { retryAfterMs, usedUpForMs } = readHints((name) => header(headers, name), Date.now());
	if (status === TOO_MANY_REQUESTS)
		return { outcome: 'refused', mild: false, pauseMs: retryAfterMs ?? usedUpForMs };
	if (status === UNAVAILABLE) {
		const granted = (retryAfterMs ?? Infinity) <= LONGEST_RETRY_AFTER_MS;
		return { outcome: 'refused', mild: true, pauseMs: granted ? retryAfterMs : undefined };
	}
	if (OVERLOADED.has(status)) return { outcome: 'overloaded' };
	return { outcome: 'answered', kind: status < 300 ? kind : undefined, usedUpForMs };
}

/** The failure of a request that wasn't sent, because the service has refused others. */
function limited(method: string, attempts: number, retryAfterMs: number): ServiceFailure {
	return toRefusal(undefined, {
		status: TOO_MANY_REQUESTS,
		asked: isRead(method) ? 'read' : 'write',
		attempts,
		...(retryAfterMs > 0 && { retryAfterMs }),
	});
}

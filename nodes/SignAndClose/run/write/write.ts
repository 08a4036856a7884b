import type { ServiceClient } from '../../transport/client';
import {
	asError,
	findFailure,
	ServiceFailure,
	type NotDoneReason,
} from '../../transport/failure/failure';
import { extractMessages, namesError } from '../../transport/failure/refusal';
import { isLastingRefusal } from '../../transport/http/statuses';
import { UNCERTAIN, type Goal, type Verdict } from '../goals';
import { poll } from './poll';

/**
 * Sends a write and makes sure of its goal. What the answer doesn't show is looked up. After a lost
 * answer, the service may still be at work: the look lasts until it shows the work, or until absence
 * counts (docs/behaviour.md#limits).
 * @param send sends the request and returns the parsed answer
 * @param repeats whether the write, done twice, is done once. After a lost answer, it's sent again
 * @returns what the service shows of the goal
 * @throws ServiceFailure `notDone` when the service shows that nothing happened; with
 *   `flags.unknownOutcome` when it shows neither
 */
export async function write<T>(
	service: ServiceClient,
	send: () => Promise<unknown>,
	goal: Goal<T>,
	repeats = false,
): Promise<T> {
	const first = await sendOnce(service, send, goal);
	if (first.verdict.state === 'done') return first.verdict.value;
	const { lostFailure } = first;
	const again =
		lostFailure !== undefined && repeats ? await repeat(service, send, goal) : undefined;
	if (again?.state === 'done') return again.value;
	// The last request may be under way from now on.
	const lostAt = lostFailure && Date.now();
	const verdict = await lookUp(service, goal, { ...first, lostAt });
	if (verdict.state === 'done') return verdict.value;
	if (verdict.state === 'ended') throw verdict.failure;
	if (verdict.state === 'notDone')
		throw new ServiceFailure(
			{
				code: 'notDone',
				explanation: verdict.reason,
				details: first.details,
				lostAnswer: lostFailure,
			},
			{ lostAt },
		);
	const failure =
		lostFailure ??
		verdict.failure ??
		new ServiceFailure({ code: 'notShown', details: first.details });
	throw failure.withFlags({ ...failure.flags, unknownOutcome: true, lookedUp: true, lostAt });
}

/** Sends a write once, and judges its answer. */
async function sendOnce<T>(service: ServiceClient, send: () => Promise<unknown>, goal: Goal<T>) {
	try {
		const answer = await send();
		const details = extractMessages(answer, (text) => service.redact(text));
		const isAnswered = !namesError(answer);
		return { verdict: goal.fromAnswer(answer, isAnswered), details, isAnswered };
	} catch (thrown) {
		const failure = findFailure(thrown);
		if (failure?.flags.unknownOutcome !== true) throw asError(thrown);
		return { verdict: UNCERTAIN, details: [], isAnswered: false, lostFailure: failure };
	}
}

/** Looks whether a lost write was done, and sends it again if it wasn't. A refusal may say that it was. */
async function repeat<T>(
	service: ServiceClient,
	send: () => Promise<unknown>,
	goal: Goal<T>,
): Promise<Verdict<T> | undefined> {
	try {
		const verdict = await goal.look?.({ isAnswered: false, isLost: true, isLate: false });
		return verdict?.state === 'done' ? verdict : (await sendOnce(service, send, goal)).verdict;
	} catch {
		return undefined;
	}
}

/** What is known of the write that is looked up. */
export interface LostWrite {
	/** Whether it's answered with a success that names no error. */
	isAnswered: boolean;
	/** When its answer was lost, in milliseconds since 1970; undefined when one came. */
	lostAt?: number;
}

/**
 * Looks until the service shows what became of a write. After a lost answer, what isn't there counts as
 * not done only when enough time has passed: the service may still be at work, or its list behind. A look
 * that fails says nothing, and is repeated.
 * @returns unknown when the time is over (docs/behaviour.md#limits), or the service refuses to tell
 */
export async function lookUp<T>(
	service: ServiceClient,
	goal: Pick<Goal<T>, 'look' | 'shownAfterMs'>,
	{ isAnswered, lostAt }: LostWrite,
): Promise<Verdict<T>> {
	if (goal.look === undefined) return UNCERTAIN;
	const { lookUpMs, absentAfterMs } = service.limits;
	const isLost = lostAt !== undefined;
	const absentFrom = isLost ? lostAt + absentAfterMs : Date.now() + (goal.shownAfterMs ?? lookUpMs);
	let unknown: Verdict<never> = UNCERTAIN;
	const verdict = await poll(
		service,
		async (isLast): Promise<Verdict<T> | undefined> => {
			const isLate = isLast && absentFrom !== Infinity;
			try {
				const now = await goal.look!({ isAnswered, isLost, isLate });
				if (now?.state !== 'notDone') return now;
				// Whoever has answered is no longer at work, but what was made may be shown late.
				return (isLost ? isLate : !isMissing(now.reason)) ? now : undefined;
			} catch (thrown) {
				const failure = findFailure(thrown);
				unknown = { state: 'unknown', failure };
				return isLastingRefusal(failure?.flags.httpStatus) ? unknown : undefined;
			}
		},
		// Where absence never counts, somebody waits for the answer.
		{ end: absentFrom === Infinity ? Date.now() + lookUpMs : absentFrom },
	).catch((thrown: unknown) => {
		// A stop ends the look. What is known of the request says more.
		if (!isLost) throw asError(thrown);
		return undefined;
	});
	return verdict ?? unknown;
}

const isMissing = (reason: NotDoneReason) => 'still' in reason && reason.still === 'missing';

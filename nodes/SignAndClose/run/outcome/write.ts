import type { ServiceClient } from '../../transport/client';
import {
	asError,
	findFailure,
	ServiceFailure,
	type NotDoneReason,
} from '../../transport/failure/failure';
import { extractMessages, namesError } from '../../transport/failure/refusal';
import { isLastingRefusal } from '../../transport/http/statuses';
import { UNKNOWN, type Goal, type Seen } from './goals';
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
	const first = await attempt(service, send, goal);
	if (first.seen.state === 'done') return first.seen.shown;
	const { lost } = first;
	const again = lost !== undefined && repeats ? await repeat(service, send, goal) : undefined;
	if (again?.state === 'done') return again.shown;
	// The last request may be under way from now on.
	const lostAt = lost && Date.now();
	const seen = await lookUp(service, goal, { ...first, lostAt });
	if (seen.state === 'done') return seen.shown;
	if (seen.state === 'ended') throw seen.failure;
	if (seen.state === 'notDone')
		throw new ServiceFailure(
			{ code: 'notDone', why: seen.why, said: first.said, lost },
			{ lostAt },
		);
	const failure =
		lost ?? seen.failure ?? new ServiceFailure({ code: 'notShown', said: first.said });
	throw failure.withFlags({ ...failure.flags, unknownOutcome: true, lookedUp: true, lostAt });
}

/** Sends a write once, and judges its answer. */
async function attempt<T>(service: ServiceClient, send: () => Promise<unknown>, goal: Goal<T>) {
	try {
		const answer = await send();
		const said = extractMessages(answer, (text) => service.redact(text));
		const answered = !namesError(answer);
		return { seen: goal.fromAnswer(answer, answered), said, answered };
	} catch (thrown) {
		const failure = findFailure(thrown);
		if (failure?.flags.unknownOutcome !== true) throw asError(thrown);
		return { seen: UNKNOWN, said: [], answered: false, lost: failure };
	}
}

/** Looks whether a lost write was done, and sends it again if it wasn't. A refusal may say that it was. */
async function repeat<T>(
	service: ServiceClient,
	send: () => Promise<unknown>,
	goal: Goal<T>,
): Promise<Seen<T> | undefined> {
	try {
		const seen = await goal.look?.({ answered: false, isLost: true, isLate: false });
		return seen?.state === 'done' ? seen : (await attempt(service, send, goal)).seen;
	} catch {
		return undefined;
	}
}

/** What is known of the write that is looked up. */
export interface Lost {
	/** Whether it's answered with a success that names no error. */
	answered: boolean;
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
	{ answered, lostAt }: Lost,
): Promise<Seen<T>> {
	if (goal.look === undefined) return UNKNOWN;
	const { lookUpMs, absentAfterMs } = service.limits;
	const isLost = lostAt !== undefined;
	const absentFrom = isLost ? lostAt + absentAfterMs : Date.now() + (goal.shownAfterMs ?? lookUpMs);
	let why: Seen<never> = UNKNOWN;
	const seen = await poll(
		service,
		async (isLast): Promise<Seen<T> | undefined> => {
			const isLate = isLast && absentFrom !== Infinity;
			try {
				const now = await goal.look!({ answered, isLost, isLate });
				if (now?.state !== 'notDone') return now;
				// Whoever has answered is no longer at work, but what was made may be shown late.
				return (isLost ? isLate : !isMissing(now.why)) ? now : undefined;
			} catch (thrown) {
				const failure = findFailure(thrown);
				why = { state: 'unknown', failure };
				return isLastingRefusal(failure?.flags.httpStatus) ? why : undefined;
			}
		},
		// Where absence never counts, somebody waits for the answer.
		{ end: absentFrom === Infinity ? Date.now() + lookUpMs : absentFrom },
	).catch((thrown: unknown) => {
		// A stop ends the look. What is known of the request says more.
		if (!isLost) throw asError(thrown);
		return undefined;
	});
	return seen ?? why;
}

const isMissing = (why: NotDoneReason) => 'still' in why && why.still === 'missing';

import type { ServiceClient } from '../../transport/client';
import { asError, findFailure, type NotDoneReason } from '../../transport/failure/failure';
import { isLastingRefusal } from '../../transport/http/statuses';
import { poll } from './poll';
import { UNKNOWN, type Goal, type Seen } from './goals';

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
		async (): Promise<Seen<T> | undefined> => {
			const isLate = Date.now() >= absentFrom;
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

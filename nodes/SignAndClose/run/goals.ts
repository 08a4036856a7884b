import {
	saysNotFound,
	ServiceFailure,
	type CorrectionProgress,
	type Failure,
	type NotDoneReason,
} from '../transport/failure/failure';
import { asObject, asText } from '../values/json';
import { isSame, type FieldDifference } from '../values/comparison';

/*
 * A write is done when the service shows it, not when it answers 200: a service may answer a write
 * with nothing, with a refusal in a 200, or with the old state
 * (docs/service/errors.md#nothing-twice). Each write therefore has a goal. Operations, the look-ups
 * of unknown outcomes and corrections in several steps all judge by it.
 */

/** What the service shows of a write. */
export type Verdict<T> =
	| { state: 'done'; value: T }
	/** The service positively shows that the write has no effect yet. */
	| { state: 'notDone'; reason: NotDoneReason; stands?: CorrectionProgress }
	/** Something else has ended what was written to, e.g. a signer has declined. */
	| { state: 'ended'; failure: Failure }
	/** Neither can be seen. The failure says why, where something failed. */
	| { state: 'unknown'; failure?: Failure };

/** Says that the service shows the goal as reached. */
export const reportDone = <T>(value: T): Verdict<T> => ({ state: 'done', value });

/**
 * Says that the service shows the goal as missed.
 * @param stands where a correction stands that has begun all the same
 */
export const reportNotDone = (
	reason: NotDoneReason,
	stands?: CorrectionProgress,
): Verdict<never> => ({
	state: 'notDone',
	reason,
	stands,
});

/** Says that something else has ended what was written to. */
export const reportEnded = (failure: Failure): Verdict<never> => ({ state: 'ended', failure });

/** Says that the service shows neither. */
export const UNCERTAIN = { state: 'unknown' } as const satisfies Verdict<never>;

/** What isn't seen after a lost answer, may be seen later. */
export const keepOpenIfLost = <T>(verdict: Verdict<T>, { isLost }: Look): Verdict<T> | undefined =>
	verdict.state === 'unknown' && isLost ? undefined : verdict;

/** Changes what is handed on when the goal is reached. */
export function mapVerdict<T, R>(verdict: Verdict<T>, change: (value: T) => R): Verdict<R> {
	return verdict.state === 'done' ? reportDone(change(verdict.value)) : verdict;
}

/** The same goal, which hands on something else when it's reached. */
export const mapGoal = <T, R>(goal: Goal<T>, change: (value: T) => R): Goal<R> => ({
	...goal,
	fromAnswer: (...answer) => mapVerdict(goal.fromAnswer(...answer), change),
	look:
		goal.look &&
		(async (context) => {
			const verdict = await goal.look!(context);
			return verdict && mapVerdict(verdict, change);
		}),
});

/** How the service is asked what became of a write. */
export interface Look {
	/**
	 * Whether it's answered with a success that names no error. Only then, what isn't shown, or with
	 * another value, counts as done.
	 */
	isAnswered: boolean;
	/** Whether no answer came, so that the service may still be at work. */
	isLost: boolean;
	/** Whether enough time has passed for what isn't shown to count as not done. */
	isLate: boolean;
}

/** What a write is to bring about. */
export interface Goal<T> {
	/**
	 * Judges the answer of the write itself.
	 * @param isAnswered whether it's a success that names no error, which it is by default. Only then,
	 *   what it says without showing it counts
	 */
	fromAnswer(answer: unknown, isAnswered?: boolean): Verdict<T>;
	/**
	 * Retrieves what the service shows now, and judges that. Left out where no call shows it.
	 * @returns `notDone` where the work of the write isn't there yet; `unknown` where no later look could
	 *   tell; undefined where a later one may
	 */
	look?(context: Look): Promise<Verdict<T> | undefined>;
	/**
	 * Where a person checks when the outcome is unknown: a sentence without a final period, e.g. "Check
	 * whether the signer has received the email".
	 */
	toCheck: string;
	/** Milliseconds in which what was answered is shown; by default, those of the limits. */
	shownAfterMs?: number;
	/** Whether the work can be found later: by default, if it can be looked for. */
	canTell?: boolean;
}

/** A value of a request, and what the service shows in its place. */
export interface FieldComparison extends FieldDifference {
	/** Whether the service shows the wanted value. */
	isShown: boolean;
	/** Whether it shows the field at all, as far as it's set. */
	isAnswered: boolean;
	/** The value from before; undefined when that isn't known. */
	earlier?: { value: unknown };
}

/**
 * Judges a change by its parts. One that is as it was before isn't done. Any other value than the
 * wanted one, and what isn't shown, counts only after a success.
 * @param isAnswered whether the service has answered the change with a success that names no error
 * @returns what the service took and shows with another value
 */
export function evaluateParts(
	parts: readonly FieldComparison[],
	isAnswered: boolean,
): Verdict<FieldDifference[]> {
	const missing = parts.filter(({ isShown }) => !isShown);
	const unchanged = missing.filter(
		({ isAnswered, earlier, actual }) => isAnswered && earlier && isEqual(earlier.value, actual),
	);
	if (unchanged.length > 0)
		return reportNotDone({ unchanged: unchanged.map(({ field }) => field) });
	if (missing.length > 0 && !isAnswered) return UNCERTAIN;
	return reportDone(
		missing
			.filter(({ isAnswered }) => isAnswered)
			.map(({ field, expected, actual }): FieldDifference => ({ field, expected, actual })),
	);
}

/** Whether two values of answers are the same, either of which may stand for nothing. */
const isEqual = (left: unknown, right: unknown) => isSame(left, right) && isSame(right, left);

/** Remembers over the tries of one run what a write of several steps has done. */
export interface StepMemory {
	all(): string[];
	add(step: string): void;
}

/** What is noted of a request before it leaves, for the tries that come after it. */
export interface Sending {
	/** The reference of the node's own that it carries, if it does. */
	reference?: string;
	/** This machine's time when it left first, in milliseconds since 1970. */
	at: number;
	/** The service takes no reference of the node's own. */
	isRefused?: true;
}

/** Remembers over the tries of one execution what an item has sent. */
export interface SendingMemory {
	get(): Sending | undefined;
	set(sending: Sending): void;
}

/**
 * The reference by which an item is found: the node's own, or else the one that a person gave.
 * @param value a field of the request
 */
export function findReference(memory: SendingMemory, value: unknown): string | undefined {
	return memory.get()?.reference ?? asText(value);
}

/**
 * Judges the answer of a deletion by its flag. A message is no evidence: it may as well say that
 * something can't be deleted (docs/service/transactions.md#delete).
 */
export function saysDeleted(answer: unknown, isAnswered = true): Verdict<true> {
	return isAnswered && asObject(answer).deleted === true ? reportDone(true) : UNCERTAIN;
}

/** Creates the failure for a write that a look-up shows as not done. */
export function createMissedFailure({
	reason,
	stands,
}: Extract<Verdict<never>, { state: 'notDone' }>): ServiceFailure {
	const cause = new ServiceFailure({ code: 'notDone', explanation: reason, details: [] });
	return stands === undefined
		? cause
		: new ServiceFailure({ code: 'correctionInterrupted', progress: stands, cause });
}

/**
 * The goal of a deletion: the service says that it deleted the thing, or no longer has it
 * (docs/service/transactions.md#delete).
 * @param find retrieves the thing; undefined when the service's list doesn't have it any more
 */
export const buildDeletedGoal = (find: () => Promise<unknown>, toCheck: string): Goal<true> => ({
	fromAnswer: saysDeleted,
	async look() {
		try {
			return (await find()) === undefined ? reportDone(true) : reportNotDone({ still: 'there' });
		} catch (thrown) {
			// Anything between n8n and the service can answer 404, so only its own words count.
			return saysNotFound(thrown) ? reportDone(true) : undefined;
		}
	},
	toCheck,
});

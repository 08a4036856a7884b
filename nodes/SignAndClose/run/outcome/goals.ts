import {
	saysNotFound,
	ServiceFailure,
	type CorrectionStands,
	type Failure,
	type NotDoneReason,
} from '../../transport/failure/failure';
import { asObject, asText } from '../../values/json';
import { isSame, type Difference } from '../../values/same';

/*
 * A write is done when the service shows it, not when it answers 200: a service may answer a write
 * with nothing, with a refusal in a 200, or with the old state
 * (docs/service/errors.md#nothing-twice). Each write therefore has a goal. Operations, the look-ups
 * of unknown outcomes and corrections in several steps all judge by it.
 */

/** What the service shows of a write. */
export type Seen<T> =
	| { state: 'done'; shown: T }
	/** The service positively shows that the write has no effect yet. */
	| { state: 'notDone'; why: NotDoneReason; stands?: CorrectionStands }
	/** Something else has ended what was written to, e.g. a signer has declined. */
	| { state: 'ended'; failure: Failure }
	/** Neither can be seen. The failure says why, where something failed. */
	| { state: 'unknown'; failure?: Failure };

/** Says that the service shows the goal as reached. */
export const done = <T>(shown: T): Seen<T> => ({ state: 'done', shown });

/**
 * Says that the service shows the goal as missed.
 * @param stands where a correction stands that has begun all the same
 */
export const notDone = (why: NotDoneReason, stands?: CorrectionStands): Seen<never> => ({
	state: 'notDone',
	why,
	stands,
});

/** Says that something else has ended what was written to. */
export const ended = (failure: Failure): Seen<never> => ({ state: 'ended', failure });

/** Says that the service shows neither. */
export const UNKNOWN = { state: 'unknown' } as const satisfies Seen<never>;

/** What isn't seen after a lost answer, may be seen later. */
export const orLater = <T>(seen: Seen<T>, { isLost }: Look): Seen<T> | undefined =>
	seen.state === 'unknown' && isLost ? undefined : seen;

/** Changes what is handed on when the goal is reached. */
export function mapSeen<T, R>(seen: Seen<T>, change: (shown: T) => R): Seen<R> {
	return seen.state === 'done' ? done(change(seen.shown)) : seen;
}

/** The same goal, which hands on something else when it's reached. */
export const mapGoal = <T, R>(goal: Goal<T>, change: (shown: T) => R): Goal<R> => ({
	...goal,
	fromAnswer: (...answer) => mapSeen(goal.fromAnswer(...answer), change),
	look:
		goal.look &&
		(async (how) => {
			const seen = await goal.look!(how);
			return seen && mapSeen(seen, change);
		}),
});

/** How the service is asked what became of a write. */
export interface Look {
	/**
	 * Whether it's answered with a success that names no error. Only then, what isn't shown, or with
	 * another value, counts as done.
	 */
	answered: boolean;
	/** Whether no answer came, so that the service may still be at work. */
	isLost: boolean;
	/** Whether enough time has passed for what isn't shown to count as not done. */
	isLate: boolean;
}

/** What a write is to bring about. */
export interface Goal<T> {
	/**
	 * Judges the answer of the write itself.
	 * @param answered whether it's a success that names no error, which it is by default. Only then,
	 *   what it says without showing it counts
	 */
	fromAnswer(answer: unknown, answered?: boolean): Seen<T>;
	/**
	 * Retrieves what the service shows now, and judges that. Left out where no call shows it.
	 * @returns `notDone` where the work of the write isn't there yet; `unknown` where no later look could
	 *   tell; undefined where a later one may
	 */
	look?(how: Look): Promise<Seen<T> | undefined>;
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
export interface Part extends Difference {
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
 * @param answered whether the service has answered the change with a success that names no error
 * @returns what the service took and shows with another value
 */
export function judgeParts(parts: readonly Part[], answered: boolean): Seen<Difference[]> {
	const missing = parts.filter(({ isShown }) => !isShown);
	const unchanged = missing.filter(
		({ isAnswered, earlier, shown }) => isAnswered && earlier && isEqual(earlier.value, shown),
	);
	if (unchanged.length > 0) return notDone({ unchanged: unchanged.map(({ field }) => field) });
	if (missing.length > 0 && !answered) return UNKNOWN;
	return done(
		missing
			.filter(({ isAnswered }) => isAnswered)
			.map(({ field, wanted, shown }): Difference => ({ field, wanted, shown })),
	);
}

/** Whether two values of answers are the same, either of which may stand for nothing. */
const isEqual = (one: unknown, other: unknown) => isSame(one, other) && isSame(other, one);

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
 * @param given a field of the request
 */
export function referenceOf(memory: SendingMemory, given: unknown): string | undefined {
	return memory.get()?.reference ?? asText(given);
}

/**
 * Judges the answer of a deletion by its flag. A message is no evidence: it may as well say that
 * something can't be deleted (docs/service/transactions.md#delete).
 */
export function saysDeleted(answer: unknown, answered = true): Seen<true> {
	return answered && asObject(answer).deleted === true ? done(true) : UNKNOWN;
}

/** Creates the failure for a write that a look-up shows as not done. */
export function missedFailure({
	why,
	stands,
}: Extract<Seen<never>, { state: 'notDone' }>): ServiceFailure {
	const cause = new ServiceFailure({ code: 'notDone', why, said: [] });
	return stands === undefined
		? cause
		: new ServiceFailure({ code: 'correctionInterrupted', stands, cause });
}

/**
 * The goal of a deletion: the service says that it deleted the thing, or no longer has it
 * (docs/service/transactions.md#delete).
 * @param find retrieves the thing; undefined when the service's list doesn't have it any more
 */
export const deletedGoal = (find: () => Promise<unknown>, toCheck: string): Goal<true> => ({
	fromAnswer: saysDeleted,
	async look() {
		try {
			return (await find()) === undefined ? done(true) : notDone({ still: 'there' });
		} catch (thrown) {
			// Anything between n8n and the service can answer 404, so only its own words count.
			return saysNotFound(thrown) ? done(true) : undefined;
		}
	},
	toCheck,
});

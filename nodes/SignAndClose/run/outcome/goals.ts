import type { ServiceClient } from '../../transport/client';
import {
	asError,
	asFailure,
	findFailure,
	saysNotFound,
	ServiceFailure,
	type CorrectionStands,
	type Failure,
	type NotDoneReason,
} from '../../transport/failure/failure';
import { extractMessages, namesError, unexpectedAnswer } from '../../transport/failure/refusal';
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
	/** Neither can be seen. */
	| { state: 'unknown' };

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

/** Says that the service shows neither. */
export const UNKNOWN: Seen<never> = { state: 'unknown' };

/** Changes what is handed on when the goal is reached. */
export function mapSeen<T, R>(seen: Seen<T>, change: (shown: T) => R): Seen<R> {
	return seen.state === 'done' ? done(change(seen.shown)) : seen;
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
	 * @param answered the same of the write's answer, which was lost by default
	 */
	fromService?(answered?: boolean): Promise<Seen<T>>;
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
			.map(({ field, wanted, shown }) => ({ field, wanted, shown })),
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

/** A goal that is judged in the same way by the write's answer and by what is retrieved. */
export function goalOf<T>(
	judge: (shown: unknown) => Seen<T>,
	retrieve: () => Promise<unknown>,
): Required<Goal<T>> {
	return {
		fromAnswer: (answer) => judge(answer),
		fromService: async () => judge(await retrieve()),
	};
}

/**
 * Judges the answer of a deletion by its flag. A message is no evidence: it may as well say that
 * something can't be deleted (docs/service/transactions.md#delete).
 */
export function saysDeleted(answer: unknown, answered = true): Seen<true> {
	return answered && asObject(answer).deleted === true ? done(true) : UNKNOWN;
}

/**
 * Sends a write and makes sure of its goal. What the answer doesn't show is looked up, and so is a
 * write whose answer was lost.
 * @param send sends the request and returns the parsed answer
 * @returns what the service shows of the goal
 * @throws ServiceFailure `notDone` when the service shows that nothing happened; with
 *   `flags.unknownOutcome` when it shows neither
 */
export async function write<T>(
	service: ServiceClient,
	send: () => Promise<unknown>,
	goal: Goal<T>,
): Promise<T> {
	let said: string[] = [];
	let lost: Failure | undefined;
	let answered = false;
	let seen: Seen<T> = UNKNOWN;
	try {
		const answer = await send();
		said = extractMessages(answer, (text) => service.redact(text));
		answered = !namesError(answer);
		seen = goal.fromAnswer(answer, answered);
	} catch (thrown) {
		const failure = findFailure(thrown);
		if (failure?.flags.unknownOutcome !== true) throw asError(thrown);
		lost = failure.withFlags({ ...failure.flags, lostAt: Date.now() });
	}
	if (seen.state !== 'done' && goal.fromService !== undefined) {
		try {
			seen = await goal.fromService(answered);
		} catch (thrown) {
			// The look-up failed, which says nothing about the write.
			const failure = lost ?? asFailure(thrown, unexpectedAnswer(200));
			throw failure.withFlags({ ...failure.flags, unknownOutcome: true, lookedUp: true });
		}
	}
	if (seen.state === 'done') return seen.shown;
	if (seen.state === 'notDone')
		throw new ServiceFailure({ code: 'notDone', why: seen.why, said, lost });
	const failure = lost ?? new ServiceFailure({ code: 'notShown', said });
	throw failure.withFlags({ ...failure.flags, unknownOutcome: true, lookedUp: true });
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
export function deletedGoal(find: () => Promise<unknown>): Required<Goal<true>> {
	return {
		fromAnswer: saysDeleted,
		fromService: async () => {
			try {
				return (await find()) === undefined ? done(true) : notDone({ still: 'there' });
			} catch (thrown) {
				// Anything between n8n and the service can answer 404, so only its own words count.
				return saysNotFound(thrown) ? done(true) : UNKNOWN;
			}
		},
	};
}

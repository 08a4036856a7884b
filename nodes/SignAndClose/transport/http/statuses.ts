/*
 * The one table of HTTP statuses: what each one says, and which ones answer a question with yes
 * (docs/service/errors.md#statuses). No other file judges by a number.
 */

/** The statuses that the nodes themselves answer calls with, or name. */
export const [OK, BAD_REQUEST, UNAUTHORIZED, TOO_MANY_REQUESTS, UNAVAILABLE] = [
	200, 400, 401, 429, 503,
];

/** What statuses say, for messages. */
const STATUSES = {
	success: [],
	redirect: [301, 302, 303, 307, 308],
	/** A value of the request can't be used. */
	badValue: [400],
	/** The key isn't known, or not on this platform. */
	unknownKey: [401],
	/** The key may not do this. */
	forbidden: [403],
	notFound: [404],
	/** Content isn't ready, or something else is in the way. */
	conflict: [409],
	tooBig: [413],
	/** The service has a rule against it. */
	againstRule: [422],
	/** More requests came than are taken. */
	limited: [429],
	/** The service, or a gateway before it, is in trouble. From 520 on, they're a gateway's own. */
	unavailable: [408, 425, 500, 501, 502, 503, 504, 520, 521, 522, 523, 524],
	/** Any other refusal. */
	refused: [402, 405, 410],
} satisfies Record<string, number[]>;

export type StatusMeaning = keyof typeof STATUSES;

/** What all other statuses say, by their hundred. */
const MEANINGS_BY_HUNDRED: Partial<Record<number, StatusMeaning>> = {
	2: 'success',
	3: 'redirect',
	5: 'unavailable',
};

/** The statuses of the table that say this. */
export const listStatuses = (meaning: StatusMeaning): readonly number[] => STATUSES[meaning];

/** What a status says; undefined where no answer came. */
export function getStatusMeaning(status: number | undefined): StatusMeaning | undefined {
	if (status === undefined) return undefined;
	const meanings = Object.keys(STATUSES) as StatusMeaning[];
	const meaning = meanings.find((candidate) => listStatuses(candidate).includes(status));
	return meaning ?? MEANINGS_BY_HUNDRED[Math.min(Math.floor(status / 100), 5)] ?? 'refused';
}

const createCheck =
	(...statuses: Array<number | undefined>) =>
	(status: number | undefined): boolean =>
		statuses.includes(status);

export const isSuccess = (status: number): boolean => getStatusMeaning(status) === 'success';

/** Whether another answer may come later, because the status says nothing of the request. */
export const mayPass = (status: number | undefined): boolean =>
	['unavailable', 'limited'].includes(String(getStatusMeaning(status)));

/** Whether a read is sent again soon after it. */
export const isRepeatedRead = createCheck(408, 425, 500, 502, 503, 504, 520, 521, 522, 523, 524);

const maybeDone = createCheck(302, 303, 408);
/**
 * Whether a write may have been done: a gateway's 502 or 504 says nothing about what happened behind
 * it, 408 can come after the work, and 302 and 303 can point to its result.
 */
export const leavesOutcomeUnknown = (status: number | undefined): boolean =>
	(status ?? 0) >= 500 || maybeDone(status);

/** Whether the service takes no more requests at present. */
export const isClosed = createCheck(429, 503);

/** Whether the service, or a gateway before it, has more to do than it can. */
export const isOverloaded = createCheck(408, 502, 504, 522, 524);

/** Whether the request itself was refused: a field, or what is asked for in this state. */
export const isOfRequest = createCheck(400, 422);

/** Whether the key was refused. */
export const isOfKey = createCheck(401, 402, 403);

/** Whether a platform isn't for the account, or doesn't have what was asked for. Nothing was done then. */
export const isOfPlatform = createCheck(401, 403, 404);

/** Whether there may be no such call, or no such thing. */
export const lacksCall = createCheck(404, 405, 501);

/** Whether a storage may answer like this because a signed link is too old. */
export const isOfOldLink = createCheck(400, 401, 403, 404, 410);

/** Whether a link leads to nothing, or no longer to anything. */
export const isOfDeadLink = createCheck(404, 410);

/** Whether it's a refusal that asking again doesn't change. */
export const isLastingRefusal = (status: number | undefined): boolean =>
	status !== undefined && status >= 400 && !mayPass(status);

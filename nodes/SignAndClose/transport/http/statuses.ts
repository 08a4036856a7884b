/*
 * The one table of HTTP statuses: a row a status, with what it says and the questions that it answers
 * with yes (docs/service/errors.md#statuses). No other file judges by a number.
 */

/** The statuses that the nodes themselves answer calls with, or name. */
export const [OK, BAD_REQUEST, UNAUTHORIZED, TOO_MANY_REQUESTS, UNAVAILABLE] = [
	200, 400, 401, 429, 503,
];

/** What a status says, for messages. */
export type Meaning =
	| 'success'
	| 'redirect'
	/** A value of the request can't be used. */
	| 'badValue'
	/** The key isn't known, or not on this platform. */
	| 'unknownKey'
	/** The key may not do this. */
	| 'forbidden'
	| 'notFound'
	/** Content isn't ready, or something else is in the way. */
	| 'conflict'
	| 'tooBig'
	/** The service has a rule against it. */
	| 'againstRule'
	/** More requests came than are taken. */
	| 'limited'
	/** The service, or a gateway before it, is in trouble. */
	| 'unavailable'
	/** Any other refusal. */
	| 'refused';

/** The questions, in short. The functions below say what each one asks. */
type Question =
	| 'repeated'
	| 'maybeDone'
	| 'passing'
	| 'closed'
	| 'overloaded'
	| 'request'
	| 'key'
	| 'platform'
	| 'noCall'
	| 'oldLink';

interface Row {
	says: Meaning;
	yes: ReadonlySet<Question>;
}

const row = (says: Meaning, ...yes: Question[]): Row => ({ says, yes: new Set(yes) });

const ROWS: Record<number, Row> = {
	301: row('redirect'),
	302: row('redirect', 'maybeDone'),
	303: row('redirect', 'maybeDone'),
	307: row('redirect'),
	308: row('redirect'),
	400: row('badValue', 'request', 'oldLink'),
	401: row('unknownKey', 'key', 'platform', 'oldLink'),
	402: row('refused', 'key'),
	403: row('forbidden', 'key', 'platform', 'oldLink'),
	404: row('notFound', 'platform', 'noCall', 'oldLink'),
	405: row('refused', 'noCall'),
	408: row('unavailable', 'passing', 'repeated', 'maybeDone', 'overloaded'),
	409: row('conflict'),
	410: row('refused', 'oldLink'),
	413: row('tooBig'),
	422: row('againstRule', 'request'),
	425: row('unavailable', 'passing', 'repeated'),
	429: row('limited', 'passing', 'closed'),
	500: row('unavailable', 'passing', 'repeated', 'maybeDone'),
	501: row('unavailable', 'passing', 'maybeDone', 'noCall'),
	502: row('unavailable', 'passing', 'repeated', 'maybeDone', 'overloaded'),
	503: row('unavailable', 'passing', 'repeated', 'maybeDone', 'closed'),
	504: row('unavailable', 'passing', 'repeated', 'maybeDone', 'overloaded'),
	// A gateway's own, for a service that it can't reach or that answers it too late.
	520: row('unavailable', 'passing', 'repeated', 'maybeDone'),
	521: row('unavailable', 'passing', 'repeated', 'maybeDone'),
	522: row('unavailable', 'passing', 'repeated', 'maybeDone', 'overloaded'),
	523: row('unavailable', 'passing', 'repeated', 'maybeDone'),
	524: row('unavailable', 'passing', 'repeated', 'maybeDone', 'overloaded'),
};

/** The rows of all other statuses, by their hundred. */
const OTHERS: Record<number, Row> = {
	2: row('success'),
	3: row('redirect'),
	4: row('refused'),
	5: row('unavailable', 'passing', 'maybeDone'),
};

const rowOf = (status: number) =>
	ROWS[status] ?? OTHERS[Math.min(Math.floor(status / 100), 5)] ?? OTHERS[4];

const asks = (question: Question) => (status: number | undefined) =>
	status !== undefined && rowOf(status).yes.has(question);

/** What a status says; undefined where no answer came. */
export function meaningOf(status: number | undefined): Meaning | undefined {
	return status === undefined ? undefined : rowOf(status).says;
}

/** The statuses with a row of their own that say this. */
export function statusesOf(meaning: Meaning): number[] {
	return Object.keys(ROWS)
		.map(Number)
		.filter((status) => ROWS[status].says === meaning);
}

export const isSuccess = (status: number): boolean => meaningOf(status) === 'success';

/** Whether another answer may come later, because the status says nothing of the request. */
export const mayPass = asks('passing');

/** Whether a read is sent again soon after it. */
export const isRepeatedRead = asks('repeated');

/**
 * Whether a write may have been done: a gateway's 502 or 504 says nothing about what happened behind
 * it, 408 can come after the work, and 302 and 303 can point to its result.
 */
export const leavesOutcomeUnknown = asks('maybeDone');

/** Whether the service takes no more requests at present. */
export const isClosed = asks('closed');

/** Whether the service, or a gateway before it, has more to do than it can. */
export const isOverloaded = asks('overloaded');

/** Whether the request itself was refused: a field, or what is asked for in this state. */
export const isOfRequest = asks('request');

/** Whether the key was refused. */
export const isOfKey = asks('key');

/** Whether a platform isn't for the account, or doesn't have what was asked for. Nothing was done then. */
export const isOfPlatform = asks('platform');

/** Whether there may be no such call, or no such thing. */
export const lacksCall = asks('noCall');

/** Whether a storage may answer like this because a signed link is too old. */
export const isOfOldLink = asks('oldLink');

/** Whether it's a refusal that asking again doesn't change. */
export const isLastingRefusal = (status: number | undefined): boolean =>
	status !== undefined && status >= 400 && !mayPass(status);

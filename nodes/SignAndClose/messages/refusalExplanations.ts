import type { IdName, Refusal } from '../transport/failure/failure';
import { explainMissingPage } from './missingPage';
import { remedyFor, SMALLER_FILE } from './refusalRemedies';
import { Place } from './situation';

/*
 * Explains what the service refused: by the service's own text where we know a remedy for it,
 * otherwise by the status.
 */

/** What a person reads about a failure. */
export interface Explanation {
	/** What happened: a sentence without a final period. */
	message: string;
	/** What to do: a sentence without a final period. */
	remedy: string;
}

/** The editor's names for the IDs in a path. */
export const LABELS: Record<IdName, string> = {
	transactionId: 'Transaction',
	documentId: 'Document',
	recordId: 'Notarization Record',
	notaryId: 'Notary',
	webhookId: 'Webhook',
};

/** What the remedy for a 422 adds. It isn't true once one of several steps has been done. */
export const NOTHING_CHANGED = '; nothing was changed';

/**
 * Explains an answer that isn't a success. The service's own words and the number of attempts follow
 * the remedy, and the trace where nobody but the service can do something.
 * @param place where a person reads it
 */
export function explainRefusal(refusal: Refusal, place: Place = new Place()): Explanation {
	const { attempts, trace } = refusal;
	// Our messages have no final period, and the service's words become a part of them.
	const said = refusal.said.map((text) => text.replace(/([^.])\.$/, '$1'));
	const known = said.filter((text) => remedyFor(text, place) !== undefined);
	const { message, remedy } = explainKnown(
		known[0],
		explainStatus({ ...refusal, said }, place),
		refusal.status,
		place,
	);
	const own = new Set(known.map((text) => remedyFor(text, place)));
	const parts = own.size > 0 ? [...own] : [remedy];
	const more = said.filter((text) => !message.includes(text));
	if (more.length > 0) {
		const also = more.length < said.length ? ' also' : '';
		parts.push(`The service${also} said: ${more.join('; ')}`);
	}
	if (attempts > 1) parts.push(`Tried ${attempts} times`);
	if (trace !== undefined && known.length === 0 && isForSupport(refusal))
		parts.push(`Quote this to the service's support: ${trace}`);
	return { message, remedy: parts.join('. ') };
}

/** Statuses that say what to do without any words of the service. */
const TELLING = new Set([401, 404, 409, 413, 429]);

/** Whether the person can't act on a refusal: the service failed, or doesn't say what is wrong. */
function isForSupport({ status, said, linkWithoutKey }: Refusal): boolean {
	if (status >= 500) return true;
	return status >= 400 && said.length === 0 && linkWithoutKey !== true && !TELLING.has(status);
}

/** A text that we know tells more than the status 401 or 404, which would blame key or ID. */
function explainKnown(
	text: string | undefined,
	byStatus: Explanation,
	status: number,
	place: Place,
): Explanation {
	const message = text === undefined ? undefined : explainMissingPage(text, place)?.message;
	if (message !== undefined) return { ...byStatus, message };
	if (text === undefined || (status !== 401 && status !== 404)) return byStatus;
	return { ...byStatus, message: `The service refused this: ${text}` };
}

function explainStatus(refusal: Refusal, place: Place): Explanation {
	const { status, said, retryAfterMs, redirectHost, linkHost } = refusal;
	const reason = said.length > 0 ? `: ${said[0]}` : '';
	if (status >= 300 && status < 400 && linkHost !== undefined) {
		return {
			message: `A link of the service leads to ${linkHost}, which answered with a redirect that can't be followed`,
			remedy: 'Run the node again: it retrieves a new link. If this continues, contact the service',
		};
	}
	if (status >= 300 && status < 400) {
		return {
			message: 'The service answered with a redirect',
			remedy: `Check 'Base URL' in the credential: it redirects to ${redirectHost ?? 'another address'}. The API key wasn't sent there`,
		};
	}
	if (refusal.linkWithoutKey === true && status < 500 && status !== 429) {
		return {
			message: `The link to the file was refused (status ${status})`,
			remedy: 'Links expire after some minutes. Run the node again: it retrieves a new one',
		};
	}
	switch (status) {
		case 400:
			return {
				message: `The service didn't accept a value${reason}`,
				remedy: 'Correct the parameter it names and run the node again',
			};
		case 401:
			return {
				message: "The service didn't accept the API key",
				remedy:
					"Check 'API Key' in the credential: it must be a key of this platform (business or real estate) and of this 'Base URL'",
			};
		case 403:
			return {
				message: `The service doesn't allow this with this API key${reason}`,
				remedy:
					"Use a full-access key in 'API Key', or ask the service to enable the feature for your organization",
			};
		case 404:
			return explainNotFound(refusal, place);
		case 409:
			return explainConflict(refusal);
		case 413:
			return {
				message: 'The file is too big for the service',
				remedy: SMALLER_FILE,
			};
		case 422:
			return {
				message: `The service refused this${reason}`,
				remedy: `Correct what it names and run the node again${NOTHING_CHANGED}`,
			};
		case 429: {
			const wait = retryAfterMs === undefined ? '' : ` in ${shownDuration(retryAfterMs)}`;
			return {
				message: 'The service is limiting requests',
				remedy: `${refusal.attempts === 0 ? "The request wasn't sent. " : ''}Run the node again${wait}. If this happens often, run fewer workflows with this API key at the same time, or ask the service for a higher limit`,
			};
		}
		default:
			return status >= 500
				? {
						message: `The service is temporarily unavailable (status ${status})`,
						remedy: `Run the node again in ${retryAfterMs === undefined ? 'a few minutes' : shownDuration(retryAfterMs)}`,
					}
				: {
						message: `The service refused the request (status ${status})${reason}`,
						remedy: 'Correct what it names and run the node again',
					};
	}
}

/** Only content is refused because it isn't ready (docs/service/documents.md#get-a-document). */
function explainConflict({ asked, said }: Refusal): Explanation {
	if (asked === 'file')
		return {
			message: "The content isn't ready yet",
			remedy: 'The service is still preparing it. Wait a minute and run the node again',
		};
	return {
		message: `The service refused this${said.length > 0 ? `: ${said[0]}` : ' because something else conflicts with it'}`,
		remedy:
			asked === 'write'
				? 'Something else is there already or is changing at the same time. Retrieve it to see its state, then run the node again if this is still to be done'
				: 'Something is changing at the same time. Wait a minute and run the node again',
	};
}

function explainNotFound({ subject, undocumented }: Refusal, place: Place): Explanation {
	if (subject === undefined) {
		return {
			message: "The service doesn't know this address",
			remedy:
				"Check 'Base URL' and 'Path Layout' in the credential; some services don't offer every operation",
		};
	}
	const label = LABELS[subject.name];
	const lacking = undocumented
		? ". If all of this is right, the service doesn't offer the operation"
		: '';
	const side = place.has('Platform') ? ", the 'Platform'" : '';
	const facts = `the ID in '${label}'${side}, and that the key's organization owns it${lacking}`;
	return DELETES.has(place.operation ?? '')
		? {
				message: `'${label}' ${subject.id} was not found: it may be gone already`,
				remedy: `If it was deleted before, there is nothing left to do. Otherwise, check ${facts}`,
			}
		: { message: `'${label}' ${subject.id} was not found`, remedy: `Check ${facts}` };
}

/** The operations after which something is gone. */
const DELETES = new Set(['transaction/delete', 'document/delete', 'webhook/delete']);

/** Units of a duration: how many seconds they have, and how many of them can be read at most. */
const UNITS: Array<[name: string, seconds: number, most: number]> = [
	['second', 1, 120],
	['minute', 60, 120],
	['hour', 3600, 48],
	['day', 86_400, Infinity],
];

/** A duration, rounded up, in a unit that people can imagine. */
function shownDuration(ms: number): string {
	const countOf = (seconds: number) => Math.ceil(ms / 1000 / seconds);
	const [name, seconds] = UNITS.find(([, each, most]) => countOf(each) <= most)!;
	const count = countOf(seconds);
	return `${count} ${name}${count === 1 ? '' : 's'}`;
}

import type { IDataObject } from 'n8n-workflow';

import type { Platform } from '../../transport/service/endpoints';
import { isBlank, isSame } from '../../values/comparison';
import { isSameId } from '../../values/ids';
import { asObject, asObjects, asText } from '../../values/json';
import { toMilliseconds } from '../../values/times';

/* The forms in which the service shows a value, besides the one it was sent in. */

/** An address whose zip code has the name that answers have for it. */
export function toAddressAnswer(address: unknown): IDataObject | undefined {
	if (address === undefined || address === null) return undefined;
	const { zip_code: zip, ...rest } = asObject(address);
	return { ...(zip !== undefined && { postal: zip }), ...rest };
}

const DAY_MS = 86_400_000;

/** Whether a shown value is another form of the wanted one. */
type FormCheck = (actual: unknown, expected: unknown, platform: Platform) => boolean;

/** What a service is known to write in another form than it was sent, by the field of the request. */
export const NORMALIZED_FORMS: Record<string, FormCheck> = {
	// The order of those who are told means nothing.
	cc_recipient_emails: (actual, expected) => isSame(sortTexts(actual), sortTexts(expected)),
	documents: isInOrder,
	// HTML, links, images and code are removed (docs/service/transactions.md#creation-fields).
	message_to_signer: isWithoutMarkup,
	message_subject: isWithoutMarkup,
	message_signature: isWithoutMarkup,
	street_address: (actual, expected) => isSame(actual, toAddressAnswer(expected)),
	// The same moment in another zone (docs/service/transactions.md#times).
	notary_meeting_time: isSameInstant,
	expiry: isSameInstant,
	// Real estate moves the end to the last second of its day and the beginning to the first one
	// (docs/service/transactions.md#times).
	expiration_time: (actual, expected) =>
		isSameInstant(actual, expected) || isMovedInDay(actual, expected, DAY_MS - 1000),
	activation_time: (actual, expected, platform) =>
		isSameInstant(actual, expected) ||
		(platform === 'realEstate' && isMovedInDay(actual, expected, 0)),
	// Unset fields are left out, and the default is false (docs/service/transactions.md#unset-fields).
	require_secondary_photo_id: (actual, expected) => isBlank(actual) && expected === false,
	// IDs come with and without an underscore (docs/service/README.md#identifiers).
	notary_id: isSameId,
	recording_jurisdiction_id: isSameId,
	title_agency_id: isSameId,
	title_underwriter_id: isSameId,
};

const sortTexts = (list: unknown) =>
	Array.isArray(list) ? list.map((entry) => String(entry)).sort() : list;

/**
 * Whether a text is shown without what the service removes. Nobody says whether it keeps the words of a
 * link or of code, or puts a space in place of a tag.
 */
function isWithoutMarkup(actual: unknown, expected: unknown): boolean {
	if (typeof expected !== 'string' || (typeof actual !== 'string' && !isBlank(actual)))
		return false;
	const collapseSpace = (text: string) => text.replace(/\s+/g, ' ').trim();
	const actualText = collapseSpace(asText(actual) ?? '');
	return ['', ' '].some((tag) =>
		[true, false].some(
			(keepsWords) => collapseSpace(removeMarkup(expected, tag, keepsWords)) === actualText,
		),
	);
}

function removeMarkup(text: string, tag: string, keepsWords: boolean): string {
	const replaceByWords = (_all: string, ...[linkText, codeText]: Array<string | undefined>) =>
		keepsWords ? (linkText ?? codeText ?? '') : '';
	return text
		.replace(/!\[[^[\]]*\]\([^()]*\)/g, '')
		.replace(/\[([^[\]]*)\]\([^()]*\)/g, replaceByWords)
		.replace(/```([^`]*)```|`([^`]*)`/g, replaceByWords)
		.replace(/<(?:a|code|pre)\b[^<>]*>([^<>]*)<\/(?:a|code|pre)>/gi, replaceByWords)
		.replace(/<[/!]?[a-z][^<>]*>/gi, tag)
		.replace(/\b(?:https?:\/\/|www\.)[^\s<>]*/gi, '');
}

function isSameInstant(actual: unknown, expected: unknown): boolean {
	const instant = toMilliseconds(actual, 'zoned');
	return instant !== undefined && instant === toMilliseconds(expected, 'zoned');
}

/** Whether a time is shown at this time of its day in UTC, to the second. */
function isMovedInDay(actual: unknown, expected: unknown, timeOfDayMs: number): boolean {
	const [actualMs, expectedMs] = [
		toMilliseconds(actual, 'zoned'),
		toMilliseconds(expected, 'zoned'),
	];
	if (actualMs === undefined || expectedMs === undefined) return false;
	const movedMs = Math.floor(expectedMs / DAY_MS) * DAY_MS + timeOfDayMs;
	return Math.floor(actualMs / 1000) === movedMs / 1000;
}

/** Whether documents are shown in the wanted order. There may be others, which aren't ordered. */
function isInOrder(actual: unknown, expected: unknown): boolean {
	const positions = asObjects(expected).map(({ id }) => {
		const match = asObjects(actual).find((document) => isSameId(document.id, id));
		return Number(match?.bundle_position ?? Number.NaN);
	});
	return positions.every((position, index) => index === 0 || position > positions[index - 1]);
}

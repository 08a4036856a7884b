import type { IDataObject } from 'n8n-workflow';

import type { FieldComparison } from '../../run/goals';
import type { TransactionAnswer } from '../../transport/answers/shapes';
import type { Platform } from '../../transport/service/endpoints';
import { isSameId } from '../../values/ids';
import { asObject, asObjects, asText } from '../../values/json';
import { isBlank, isSame, type FieldDifference } from '../../values/comparison';
import { toMilliseconds } from '../../values/times';
import { formatFullPhone } from '../../form/phone';
import { pairPeople, isSameAddress } from '../signer/people';
import {
	ANSWERED_IF_SET,
	SIGNER_ANSWERED_IF_SET,
	toSignerRequest,
	toTransactionRequest,
} from './requestFields';

/*
 * Compares what a transaction shows with the values of a request. A change is done when its value is
 * shown. What the service is known to write in another form is in OTHER_FORMS; any other value that
 * is neither the wanted one nor the one from before is handed on, so that a person sees both.
 */

/**
 * Compares a changed transaction with the request.
 * @param changes fields of the request
 * @param after the transaction as the service shows it
 * @param context with the transaction as it was, where that is known
 */
export const compareChange = (
	changes: IDataObject,
	after: TransactionAnswer,
	context: { platform: Platform; assuranceField: string; before?: TransactionAnswer },
): FieldComparison[] =>
	Object.entries(changes).flatMap(([name, expected]) =>
		name === 'signers'
			? compareSigners(asObjects(expected), after, context.assuranceField, context.before)
			: [compareTransactionField(name, expected, after, context.platform, context.before)],
	);

/**
 * Compares a signer with what is wanted. A value that no answer shows can't be known.
 * @param expected fields of the request
 * @returns whether every value is shown, and those that are shown otherwise
 */
export function compareSigner(
	signer: IDataObject,
	expected: IDataObject,
	assuranceField: string,
): { isShown: boolean; differing: FieldDifference[] } {
	const missing = compareSignerFields(expected, signer, assuranceField).filter(
		({ isShown }) => !isShown,
	);
	const differing = missing.filter(({ isAnswered }) => isAnswered);
	return { isShown: missing.length === 0, differing };
}

/** A field of the transaction itself. */
export function compareTransactionField(
	name: string,
	expected: unknown,
	after: TransactionAnswer,
	platform: Platform,
	before?: TransactionAnswer,
): FieldComparison {
	const actual = readTransactionField(name, after, platform);
	const isAnswered = ANSWERED_IF_SET.has(name) || actual !== undefined;
	const isOtherForm = () => NORMALIZED_FORMS[name]?.(actual, expected, platform) === true;
	return {
		field: name,
		expected,
		actual,
		isAnswered,
		earlier: before && { value: readTransactionField(name, before, platform) },
		isShown: isAnswered && (isSame(actual, expected) || isOtherForm()),
	};
}

/** The value of a field of the request in an answer. */
function readTransactionField(
	name: string,
	transaction: TransactionAnswer,
	platform: Platform,
): unknown {
	if (name === 'documents')
		return transaction.documents?.map(({ id, bundle_position: position }) => ({
			id,
			bundle_position: position,
		}));
	if (name === 'street_address') return normalizeAddress(transaction.street_address);
	// A name or type that isn't written back is shown all the same.
	return toTransactionRequest(transaction, platform)[name] ?? transaction[name];
}

/** The values of all signers. Others or fewer signers are one value of their own. */
function compareSigners(
	expectedSigners: IDataObject[],
	after: TransactionAnswer,
	assuranceField: string,
	before?: TransactionAnswer,
): FieldComparison[] {
	const actualSigners = asObjects(after.signers);
	const earlier = before && asObjects(before.signers);
	const isAnswered = Array.isArray(after.signers);
	const listAddresses = (signers: IDataObject[]) => signers.map(({ email }) => email);
	if (!isAnswered || actualSigners.length !== expectedSigners.length)
		return [
			{
				field: 'signers',
				expected: listAddresses(expectedSigners),
				actual: listAddresses(actualSigners),
				isAnswered,
				earlier: earlier && { value: listAddresses(earlier) },
				isShown: false,
			},
		];
	const former = earlier && pairPeople(expectedSigners, earlier);
	const unpaired = earlier?.filter((signer) => !former!.includes(signer));
	// Whoever is left alone on both sides is one person, whose address changes.
	if (unpaired?.length === 1 && earlier!.length === expectedSigners.length)
		former![former!.indexOf(undefined)] = unpaired[0];
	const counterparts = pairPeople(
		expectedSigners.map((signer, index) => ({ ...signer, signer_id: former?.[index]?.signer_id })),
		actualSigners,
	);
	return expectedSigners.flatMap((signer, index) =>
		compareSignerFields(signer, counterparts[index] ?? {}, assuranceField, former?.[index]),
	);
}

/** The values of a signer. */
export function compareSignerFields(
	expected: IDataObject,
	after: IDataObject,
	assuranceField: string,
	before?: IDataObject,
): FieldComparison[] {
	const toComparable = (answer: IDataObject) =>
		normalizeSigner({ ...answer, ...toSignerRequest(answer, assuranceField) });
	const current = toComparable(after);
	const earlier = before && toComparable(before);
	return Object.entries(normalizeSigner(expected)).map(([field, value]): FieldComparison => {
		const actual = current[field];
		// A person whose address wasn't shown before has one that the service doesn't show.
		const isHidden = field === 'email' && earlier !== undefined && isBlank(earlier.email);
		const isAnswered = (SIGNER_ANSWERED_IF_SET.has(field) && !isHidden) || actual !== undefined;
		return {
			field,
			expected: value,
			actual,
			isAnswered,
			earlier: earlier && { value: earlier[field] },
			isShown:
				isAnswered &&
				(isSame(actual, value) ||
					(field === 'notary_id' && isSameId(actual, value)) ||
					(field === 'email' && isSameAddress(actual, value))),
		};
	});
}

/** A signer of a request, with one name and form for what has several. */
function normalizeSigner(signer: IDataObject): IDataObject {
	const { phone, phone_number: number, address, ...fields } = signer;
	return {
		...fields,
		...((phone !== undefined || number !== undefined) && { phone_number: formatFullPhone(signer) }),
		...(address !== undefined && { address: normalizeAddress(address) }),
	};
}

/** An address whose zip code has the name that answers have for it. */
function normalizeAddress(address: unknown): IDataObject | undefined {
	if (address === undefined || address === null) return undefined;
	const { zip_code: zip, ...rest } = asObject(address);
	return { ...(zip !== undefined && { postal: zip }), ...rest };
}

const DAY_MS = 86_400_000;

/** Whether a shown value is another form of the wanted one. */
type FormCheck = (actual: unknown, expected: unknown, platform: Platform) => boolean;

/** What a service is known to write in another form than it was sent, by the field of the request. */
const NORMALIZED_FORMS: Record<string, FormCheck> = {
	// The order of those who are told means nothing.
	cc_recipient_emails: (actual, expected) => isSame(sortTexts(actual), sortTexts(expected)),
	documents: isInOrder,
	// HTML, links, images and code are removed (docs/service/transactions.md#creation-fields).
	message_to_signer: isWithoutMarkup,
	message_subject: isWithoutMarkup,
	message_signature: isWithoutMarkup,
	street_address: (actual, expected) => isSame(actual, normalizeAddress(expected)),
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

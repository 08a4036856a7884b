import type { IDataObject } from 'n8n-workflow';

import type { Part } from '../../run/outcome/goals';
import type { TransactionAnswer } from '../../transport/answers/answers';
import type { Platform } from '../../transport/service/endpoints';
import { sameId } from '../../values/ids';
import { asObject, asObjects, asText } from '../../values/json';
import { isEmpty, isSame, type Difference } from '../../values/same';
import { toMilliseconds } from '../../values/times';
import { fullPhone } from '../shared/phone';
import { pairPeople, sameAddress } from '../signer/people';
import {
	ANSWERED_IF_SET,
	SIGNER_ANSWERED_IF_SET,
	signerToRequest,
	transactionToRequest,
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
export const partsOfChange = (
	changes: IDataObject,
	after: TransactionAnswer,
	context: { platform: Platform; assuranceField: string; before?: TransactionAnswer },
): Part[] =>
	Object.entries(changes).flatMap(([name, wanted]) =>
		name === 'signers'
			? partsOfSigners(asObjects(wanted), after, context.assuranceField, context.before)
			: [transactionPart(name, wanted, after, context.platform, context.before)],
	);

/**
 * Compares a signer with what is wanted. A value that no answer shows can't be known.
 * @param wanted fields of the request
 * @returns whether every value is shown, and those that are shown otherwise
 */
export function compareSigner(
	signer: IDataObject,
	wanted: IDataObject,
	assuranceField: string,
): { isShown: boolean; differing: Difference[] } {
	const missing = partsOfSigner(wanted, signer, assuranceField).filter(({ isShown }) => !isShown);
	const differing = missing.filter(({ isAnswered }) => isAnswered);
	return { isShown: missing.length === 0, differing };
}

/** A field of the transaction itself. */
export function transactionPart(
	name: string,
	wanted: unknown,
	after: TransactionAnswer,
	platform: Platform,
	before?: TransactionAnswer,
): Part {
	const shown = shownAs(name, after, platform);
	const isAnswered = ANSWERED_IF_SET.has(name) || shown !== undefined;
	const isOtherForm = () => OTHER_FORMS[name]?.(shown, wanted, platform) === true;
	return {
		field: name,
		wanted,
		shown,
		isAnswered,
		earlier: before && { value: shownAs(name, before, platform) },
		isShown: isAnswered && (isSame(shown, wanted) || isOtherForm()),
	};
}

/** The value of a field of the request in an answer. */
function shownAs(name: string, transaction: TransactionAnswer, platform: Platform): unknown {
	if (name === 'documents')
		return transaction.documents?.map(({ id, bundle_position: position }) => ({
			id,
			bundle_position: position,
		}));
	if (name === 'street_address') return withPostal(transaction.street_address);
	// A name or type that isn't written back is shown all the same.
	return transactionToRequest(transaction, platform)[name] ?? transaction[name];
}

/** The values of all signers. Others or fewer signers are one value of their own. */
function partsOfSigners(
	wanted: IDataObject[],
	after: TransactionAnswer,
	assuranceField: string,
	before?: TransactionAnswer,
): Part[] {
	const shown = asObjects(after.signers);
	const earlier = before && asObjects(before.signers);
	const isAnswered = Array.isArray(after.signers);
	const addresses = (signers: IDataObject[]) => signers.map(({ email }) => email);
	if (!isAnswered || shown.length !== wanted.length)
		return [
			{
				field: 'signers',
				wanted: addresses(wanted),
				shown: addresses(shown),
				isAnswered,
				earlier: earlier && { value: addresses(earlier) },
				isShown: false,
			},
		];
	const former = earlier && pairPeople(wanted, earlier);
	const left = earlier?.filter((one) => !former!.includes(one));
	// Whoever is left alone on both sides is one person, whose address changes.
	if (left?.length === 1 && earlier!.length === wanted.length)
		former![former!.indexOf(undefined)] = left[0];
	const counterparts = pairPeople(
		wanted.map((signer, index) => ({ ...signer, signer_id: former?.[index]?.signer_id })),
		shown,
	);
	return wanted.flatMap((signer, index) =>
		partsOfSigner(signer, counterparts[index] ?? {}, assuranceField, former?.[index]),
	);
}

/** The values of a signer. */
export function partsOfSigner(
	wanted: IDataObject,
	after: IDataObject,
	assuranceField: string,
	before?: IDataObject,
): Part[] {
	const shownOf = (answer: IDataObject) =>
		comparable({ ...answer, ...signerToRequest(answer, assuranceField) });
	const now = shownOf(after);
	const earlier = before && shownOf(before);
	return Object.entries(comparable(wanted)).map(([field, value]): Part => {
		const shown = now[field];
		// A person whose address wasn't shown before has one that the service doesn't show.
		const isHidden = field === 'email' && earlier !== undefined && isEmpty(earlier.email);
		const isAnswered = (SIGNER_ANSWERED_IF_SET.has(field) && !isHidden) || shown !== undefined;
		return {
			field,
			wanted: value,
			shown,
			isAnswered,
			earlier: earlier && { value: earlier[field] },
			isShown:
				isAnswered &&
				(isSame(shown, value) ||
					(field === 'notary_id' && sameId(shown, value)) ||
					(field === 'email' && sameAddress(shown, value))),
		};
	});
}

/** A signer of a request, with one name and form for what has several. */
function comparable(signer: IDataObject): IDataObject {
	const { phone, phone_number: number, address, ...others } = signer;
	return {
		...others,
		...((phone !== undefined || number !== undefined) && { phone_number: fullPhone(signer) }),
		...(address !== undefined && { address: withPostal(address) }),
	};
}

/** An address whose zip code has the name that answers have for it. */
function withPostal(address: unknown): IDataObject | undefined {
	if (address === undefined || address === null) return undefined;
	const { zip_code: zip, ...rest } = asObject(address);
	return { ...(zip !== undefined && { postal: zip }), ...rest };
}

const DAY_MS = 86_400_000;

/** Whether a shown value is another form of the wanted one. */
type IsForm = (shown: unknown, wanted: unknown, platform: Platform) => boolean;

/** What a service is known to write in another form than it was sent, by the field of the request. */
const OTHER_FORMS: Record<string, IsForm> = {
	// The order of those who are told means nothing.
	cc_recipient_emails: (shown, wanted) => isSame(sorted(shown), sorted(wanted)),
	documents: isInOrder,
	// HTML, links, images and code are removed (docs/service/transactions.md#creation-fields).
	message_to_signer: isStripped,
	message_subject: isStripped,
	message_signature: isStripped,
	street_address: (shown, wanted) => isSame(shown, withPostal(wanted)),
	// The same moment in another zone (docs/service/transactions.md#times).
	notary_meeting_time: isSameInstant,
	expiry: isSameInstant,
	// Real estate moves the end to the last second of its day and the beginning to the first one
	// (docs/service/transactions.md#times).
	expiration_time: (shown, wanted) =>
		isSameInstant(shown, wanted) || isMoved(shown, wanted, DAY_MS - 1000),
	activation_time: (shown, wanted, platform) =>
		isSameInstant(shown, wanted) || (platform === 'realEstate' && isMoved(shown, wanted, 0)),
	// Unset fields are left out, and the default is false (docs/service/transactions.md#unset-fields).
	require_secondary_photo_id: (shown, wanted) => isEmpty(shown) && wanted === false,
	// IDs come with and without an underscore (docs/service/README.md#identifiers).
	notary_id: sameId,
	recording_jurisdiction_id: sameId,
	title_agency_id: sameId,
	title_underwriter_id: sameId,
};

const sorted = (list: unknown) =>
	Array.isArray(list) ? list.map((entry) => String(entry)).sort() : list;

/**
 * Whether a text is shown without what the service removes. Nobody says whether it keeps the words of a
 * link or of code, or puts a space in place of a tag.
 */
function isStripped(shown: unknown, wanted: unknown): boolean {
	if (typeof wanted !== 'string' || (typeof shown !== 'string' && !isEmpty(shown))) return false;
	const collapsed = (text: string) => text.replace(/\s+/g, ' ').trim();
	const plain = collapsed(asText(shown) ?? '');
	return ['', ' '].some((tag) =>
		[true, false].some((keepsWords) => collapsed(stripped(wanted, tag, keepsWords)) === plain),
	);
}

function stripped(text: string, tag: string, keepsWords: boolean): string {
	const words = (_all: string, ...[kept, other]: Array<string | undefined>) =>
		keepsWords ? (kept ?? other ?? '') : '';
	return text
		.replace(/!\[[^[\]]*\]\([^()]*\)/g, '')
		.replace(/\[([^[\]]*)\]\([^()]*\)/g, words)
		.replace(/```([^`]*)```|`([^`]*)`/g, words)
		.replace(/<(?:a|code|pre)\b[^<>]*>([^<>]*)<\/(?:a|code|pre)>/gi, words)
		.replace(/<[/!]?[a-z][^<>]*>/gi, tag)
		.replace(/\b(?:https?:\/\/|www\.)[^\s<>]*/gi, '');
}

function isSameInstant(shown: unknown, wanted: unknown): boolean {
	const instant = toMilliseconds(shown, 'zoned');
	return instant !== undefined && instant === toMilliseconds(wanted, 'zoned');
}

/** Whether a time is shown at this time of its day in UTC, to the second. */
function isMoved(shown: unknown, wanted: unknown, timeOfDayMs: number): boolean {
	const [one, other] = [toMilliseconds(shown, 'zoned'), toMilliseconds(wanted, 'zoned')];
	if (one === undefined || other === undefined) return false;
	const moved = Math.floor(other / DAY_MS) * DAY_MS + timeOfDayMs;
	return Math.floor(one / 1000) === moved / 1000;
}

/** Whether documents are shown in the wanted order. There may be others, which aren't ordered. */
function isInOrder(shown: unknown, wanted: unknown): boolean {
	const positions = asObjects(wanted).map(({ id }) => {
		const found = asObjects(shown).find((document) => sameId(document.id, id));
		return Number(found?.bundle_position ?? Number.NaN);
	});
	return positions.every((position, index) => index === 0 || position > positions[index - 1]);
}

import type { IDataObject } from 'n8n-workflow';

import type { DocumentAnswer } from '../../transport/answers/answers';
import { asObjects, asText } from '../../values/json';
import { isOwnReference, readReference, saysWish, wishOf } from '../../values/reference';
import { isEmpty } from '../../values/same';
import { differ, type Difference } from '../drafts/comparison';
import { titleOf } from '../shared/titles';
import { isFailed } from './api';
import { sameName } from './content';
import { flagShown, hasPlaces } from './goals';

/*
 * Compares documents: which of those that a transaction shows is which of those that are wanted, by
 * their content; and whether it is as it's wanted. A reference of the node's own says both; where the
 * service shows none, the file itself tells its content.
 */

/** A document as it's wanted. */
export interface WantedDocument {
	/** The name that it gets. */
	name: string;
	/** What a reference says of its content (values/reference.ts). */
	content: string;
	/** What is sent of it, with the external IDs that signers have in the transaction. */
	fields: IDataObject;
	/** What its reference says of how it's to be. */
	wish: IDataObject;
}

/** A document of a transaction, and what is known of its content. */
interface Shown {
	document: DocumentAnswer;
	content?: string;
}

/** Which documents are the same. */
export interface PairedDocuments<T> {
	/** In the order of those that are wanted. */
	pairs: Array<{ wanted: T; shown?: DocumentAnswer; content: 'equal' | 'other' | 'unknown' }>;
	/** Those that nothing explains that is wanted, each with whether its content is known. */
	extra: Array<{ document: DocumentAnswer; isKnown: boolean }>;
	/** Documents with a reference of the node that another one has, too: only one of the two was wanted. */
	twins: DocumentAnswer[];
}

/**
 * Finds the documents that are wanted among those of a transaction. Of several with the same content,
 * that with the same name comes first. One that the service couldn't process is none of them.
 * @param contentOf says what is known of the content of a document; it's asked only of those without a
 *   reference of the node's own
 */
export async function pairDocuments<T extends WantedDocument>(
	wanted: readonly T[],
	shown: readonly DocumentAnswer[],
	contentOf: (document: DocumentAnswer) => Promise<string | undefined>,
): Promise<PairedDocuments<T>> {
	const rest = new Set<Shown>(
		shown.map((document) => ({ document, content: readReference(document.tracking_id)?.content })),
	);
	const found = new Map<T, Shown>();
	const twins = takeTwins(rest);
	const take = (matches: (one: T, other: Shown) => boolean) => {
		for (const one of wanted) {
			const other =
				found.has(one) || [...rest].find((each) => !isFailed(each.document) && matches(one, each));
			if (typeof other !== 'object') continue;
			found.set(one, other);
			rest.delete(other);
		}
	};
	const isNamed = ({ name }: T, { document }: Shown) => sameName(name, document.document_name);
	const isOf = (one: T, { content }: Shown) => one.content === content;
	const isAsWanted = (one: T, { document }: Shown) =>
		saysWish(readReference(document.tracking_id), one.wish);
	const isRight = (one: T, other: Shown) =>
		isOf(one, other) &&
		compareDocument(one, other.document, true).every(({ kind }) => kind === 'unknown');
	const takeEqual = () => {
		take(isRight);
		take((one, other) => isOf(one, other) && isNamed(one, other) && isAsWanted(one, other));
		take((one, other) => isOf(one, other) && isNamed(one, other));
		take(isOf);
	};
	takeEqual();
	if (found.size < wanted.length) {
		for (const each of rest)
			if (each.content === undefined && !isFailed(each.document))
				each.content = await contentOf(each.document);
		takeEqual();
	}
	take(isNamed);
	// Where the service shows references, what has none isn't the node's.
	const isTold = ({ document, content }: Shown) =>
		readReference(document.tracking_id) !== undefined ||
		(content !== undefined && shown.some(({ tracking_id: own }) => isOwnReference(own)));
	return {
		pairs: wanted.map((one) => {
			const other = found.get(one);
			const content = !other
				? 'unknown'
				: isOf(one, other)
					? 'equal'
					: isTold(other)
						? 'other'
						: 'unknown';
			return { wanted: one, shown: other?.document, content };
		}),
		extra: [...rest].map((each) => ({ document: each.document, isKnown: isTold(each) })),
		twins,
	};
}

/**
 * Takes out documents whose reference another one has, too. What has another name or another number of
 * places was changed by somebody, and stays as one that nothing explains.
 */
function takeTwins(rest: Set<Shown>): DocumentAnswer[] {
	const known = new Map<string, DocumentAnswer>();
	return [...rest].flatMap((each) => {
		const { document } = each;
		const { tracking_id: reference } = document;
		if (readReference(reference) === undefined || isFailed(document)) return [];
		const first = known.get(reference!);
		if (first === undefined) known.set(reference!, document);
		if (first === undefined || !isTwin(first, document)) return [];
		rest.delete(each);
		return [document];
	});
}

const isTwin = (one: DocumentAnswer, other: DocumentAnswer): boolean => {
	const [own, others] = [one, other].map(({ signing_designations: places }) =>
		asObjects(places).map((place): IDataObject => ({ ...place, id: undefined })),
	);
	const isPending = [one, other].some(({ processing_state: state }) => state === 'pending');
	const haveSamePlaces = own.length === others.length && hasPlaces(one, others) !== false;
	return sameName(one.document_name, other.document_name) && (isPending || haveSamePlaces);
};

/** Flags that a requirement brings along. */
export const OF_REQUIREMENT: ReadonlySet<string> = new Set([
	'esign_required',
	'identity_confirmation_required',
	'notarization_required',
]);
/** Flags of a document (docs/service/documents.md#document-fields). */
export const FLAGS = [...OF_REQUIREMENT, 'customer_can_annotate', 'vaulted', 'witness_required'];

/**
 * In what a document with the wanted content isn't as it's wanted.
 * @param isDraft otherwise, the closing team may have added places
 */
export function compareDocument(
	{ name, fields, wish }: Omit<WantedDocument, 'content'>,
	document: DocumentAnswer,
	isDraft: boolean,
): Difference[] {
	const reference = readReference(document.tracking_id);
	const says = reference?.maker === 'add' ? undefined : reference;
	const wanted = wishOf(wish);
	const differences: Difference[] = [];
	const note = (field: string, expected: unknown, actual: unknown, kind: Difference['kind']) =>
		differences.push(differ('wish', kind, [name, field], [expected, actual]));
	if (!sameName(name, document.document_name) && asText(document.document_name) !== undefined)
		note('Name', name, document.document_name, 'different');
	const { requirement } = fields;
	if (requirement !== undefined && requirement !== document.requirement)
		note(
			'Requirement',
			requirement,
			document.requirement ?? null,
			isEmpty(document.requirement) ? 'unknown' : 'different',
		);
	const hasOtherFlags = says && says.flags !== wanted.flags;
	for (const flag of FLAGS) {
		const [want, shown] = [fields[flag], flagShown(document, flag)];
		if (want === undefined) {
			// Some services turn it on by themselves.
			const isTold = flag !== 'customer_can_annotate' || hasOtherFlags === true;
			if (isTold && shown === true && !OF_REQUIREMENT.has(flag))
				note(titleOf(flag), false, true, 'different');
		} else if (shown === undefined) {
			if (says === undefined || hasOtherFlags)
				note(titleOf(flag), want, null, hasOtherFlags ? 'different' : 'unknown');
		} else if (shown !== (want === true)) note(titleOf(flag), want, shown, 'different');
	}
	const places = asObjects(document.signing_designations);
	const own = asObjects(fields.signing_designations);
	// The service itself finds those of text tags, and those of templates.
	const isFound = own.length === 0 && !isEmpty(wish.text_tag_syntax ?? wish.template_id);
	const isSame = isFound ? undefined : hasPlaces(document, own);
	const isWishSame = says && says.places === wanted.places;
	// Real estate shows no more of places than how many there are.
	const isOtherCount =
		isDraft &&
		own.length > 0 &&
		document.processing_state === 'done' &&
		places.length !== own.length;
	if (
		isSame === false ||
		(isSame === undefined && (isWishSame === false || (isWishSame && isOtherCount)))
	)
		note('Where to Sign', placesInWords(own), placesInWords(places), 'different');
	else if (isSame === undefined && says === undefined && own.length > 0)
		note('Where to Sign', placesInWords(own), null, 'unknown');
	return differences;
}

/** Places as a person reads them. */
const placesInWords = (places: IDataObject[]): string =>
	places.length === 0
		? 'no places'
		: places
				.map(({ type, signer_identifier: who, page_number: page, x, y }) =>
					type === undefined
						? 'a place'
						: `${String(type)} of ${String(who)} on page ${Number(page) + 1} at ${String(x)}, ${String(y)}`,
				)
				.join('; ');

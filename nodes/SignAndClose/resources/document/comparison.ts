import type { IDataObject } from 'n8n-workflow';

import type { DocumentAnswer } from '../../transport/answers/answers';
import { asObjects, asText } from '../../values/json';
import { isOwnReference, readReference, saysWish, wishOf } from '../../values/reference';
import { isEmpty } from '../../values/same';
import { differ, type Difference } from '../drafts/difference';
import { titleOf } from '../shared/titles';
import { isFailed } from './api';
import { sameName } from './content';
import { FLAGS, flagShown, hasPlaces, OF_REQUIREMENT } from './goals';

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

type Match = (wanted: WantedDocument, shown: Shown) => boolean;

const hasContent: Match = (wanted, shown) => wanted.content === shown.content;

const hasName: Match = ({ name }, { document }) => sameName(name, document.document_name);

const isAsWanted: Match = (wanted, { document }) =>
	compareDocument(wanted, document, true).every(({ kind }) => kind === 'unknown');

const hasWish: Match = ({ wish }, { document }) =>
	saysWish(readReference(document.tracking_id), wish);

/** What tells which of several documents with the content is meant, from the surest on. */
const SAME: Match[][] = [[isAsWanted], [hasName, hasWish], [hasName], []];

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
	const take = (...matches: Match[]) => {
		for (const one of wanted.filter((each) => !found.has(each))) {
			const other = [...rest].find(
				(each) => !isFailed(each.document) && matches.every((match) => match(one, each)),
			);
			if (other === undefined) continue;
			found.set(one, other);
			rest.delete(other);
		}
	};
	const takeEqual = () => SAME.forEach((matches) => take(hasContent, ...matches));
	takeEqual();
	if (found.size < wanted.length) {
		for (const each of rest)
			if (each.content === undefined && !isFailed(each.document))
				each.content = await contentOf(each.document);
		takeEqual();
	}
	take(hasName);
	// Where the service shows references, what has none isn't the node's.
	const isTold = ({ document, content }: Shown) =>
		readReference(document.tracking_id) !== undefined ||
		(content !== undefined && shown.some(({ tracking_id: id }) => isOwnReference(id)));
	return {
		pairs: wanted.map((one) => {
			const match = found.get(one);
			const isOther = match !== undefined && isTold(match);
			const isEqual = match !== undefined && hasContent(one, match);
			const unequal = isOther ? ('other' as const) : ('unknown' as const);
			const content = isEqual ? ('equal' as const) : unequal;
			return { wanted: one, shown: match?.document, content };
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
	const firsts = new Map<string, DocumentAnswer>();
	const twins = [...rest].filter(({ document }) => {
		const { tracking_id: reference } = document;
		if (readReference(reference) === undefined || isFailed(document)) return false;
		const first = firsts.get(reference!);
		if (first === undefined) firsts.set(reference!, document);
		return first !== undefined && isTwin(first, document);
	});
	for (const twin of twins) rest.delete(twin);
	return twins.map(({ document }) => document);
}

const isTwin = (first: DocumentAnswer, second: DocumentAnswer): boolean => {
	const [places, others] = [first, second].map(({ signing_designations: designations }) =>
		asObjects(designations).map((place): IDataObject => ({ ...place, id: undefined })),
	);
	const isPending = [first, second].some(({ processing_state: state }) => state === 'pending');
	const haveSamePlaces = places.length === others.length && hasPlaces(first, others) !== false;
	return sameName(first.document_name, second.document_name) && (isPending || haveSamePlaces);
};

type Note = (
	field: string,
	expected: unknown,
	actual: unknown,
	kind?: Difference['kind'],
) => unknown;

/**
 * In what a document with the wanted content isn't as it's wanted.
 * @param isDraft otherwise, the closing team may have added places
 */
export function compareDocument(
	{ name, fields, wish }: Omit<WantedDocument, 'content'>,
	document: DocumentAnswer,
	isDraft: boolean,
): Difference[] {
	const differences: Difference[] = [];
	const note: Note = (field, expected, actual, kind = 'different') =>
		differences.push(differ('wish', kind, [name, field], [expected, actual]));
	const { document_name: shownName, requirement = null, tracking_id: tracking } = document;
	if (!sameName(name, shownName) && asText(shownName) !== undefined) note('Name', name, shownName);
	if (fields.requirement !== undefined && fields.requirement !== requirement)
		note(
			'Requirement',
			fields.requirement,
			requirement,
			isEmpty(requirement) ? 'unknown' : 'different',
		);
	const reference = readReference(tracking);
	const says = reference?.maker === 'add' ? undefined : reference;
	const { flags, places } = wishOf(wish);
	compareFlags(fields, document, says && says.flags === flags, note);
	// The service itself finds those of text tags, and those of templates.
	const isFound = !isEmpty(wish.text_tag_syntax ?? wish.template_id);
	comparePlaces(asObjects(fields.signing_designations), document, {
		isFound,
		isDraft,
		isSaid: says && says.places === places,
		note,
	});
	return differences;
}

/** @param isSaid whether the reference says that the flags are these; undefined if it says nothing */
function compareFlags(
	fields: IDataObject,
	document: DocumentAnswer,
	isSaid: boolean | undefined,
	note: Note,
) {
	for (const flag of FLAGS) {
		const [expected, shown] = [fields[flag], flagShown(document, flag)];
		if (expected === undefined) {
			// Some services turn it on by themselves.
			const isTold = flag !== 'customer_can_annotate' || isSaid === false;
			if (isTold && shown === true && !OF_REQUIREMENT.has(flag)) note(titleOf(flag), false, true);
		} else if (shown === undefined) {
			if (isSaid !== true)
				note(titleOf(flag), expected, null, isSaid === false ? 'different' : 'unknown');
		} else if (shown !== (expected === true)) note(titleOf(flag), expected, shown);
	}
}

/** @param isSaid whether the reference says that the places are these; undefined if it says nothing */
function comparePlaces(
	expected: IDataObject[],
	document: DocumentAnswer,
	{
		isFound,
		isDraft,
		isSaid,
		note,
	}: { isFound: boolean; isDraft: boolean; isSaid?: boolean; note: Note },
): void {
	const shown = asObjects(document.signing_designations);
	const isSame = isFound && expected.length === 0 ? undefined : hasPlaces(document, expected);
	// Real estate shows no more of places than how many there are.
	const isOtherCount =
		isDraft &&
		expected.length > 0 &&
		document.processing_state === 'done' &&
		shown.length !== expected.length;
	const isOther = isSaid === false || (isSaid === true && isOtherCount);
	if (isSame === false || (isSame === undefined && isOther))
		note('Where to Sign', placesInWords(expected), placesInWords(shown));
	else if (isSame === undefined && isSaid === undefined && expected.length > 0)
		note('Where to Sign', placesInWords(expected), null, 'unknown');
}

/** Places as a person reads them. */
const placesInWords = (places: IDataObject[]): string =>
	places.map(placeInWords).join('; ') || 'no places';

const placeInWords = ({ type, signer_identifier: signer, page_number: page, x, y }: IDataObject) =>
	type === undefined
		? 'a place'
		: `${String(type)} of ${String(signer)} on page ${Number(page) + 1} at ${String(x)}, ${String(y)}`;

import type { IDataObject } from 'n8n-workflow';

import type { DocumentAnswer } from '../../../transport/answers/shapes';
import { asObjects, asText } from '../../../values/json';
import {
	isOwnReference,
	readReference,
	matchesSettings,
	hashSettings,
} from '../../../values/reference';
import { isBlank } from '../../../values/comparison';
import { buildDifference, type ItemDifference } from '../../draft/difference';
import { toTitle } from '../../../form/titles';
import { isFailed } from '../../document/api';
import { isSameName } from '../../document/content';
import { DOCUMENT_FLAGS, readFlag, hasPlaces, REQUIREMENT_FLAGS } from '../../document/goals';

/*
 * Compares documents: which of those that a transaction shows is which of those that are wanted, by
 * their content; and whether it is as it's wanted. A reference of the node's own says both; where the
 * service shows none, the file itself tells its content.
 */

/** A document as it's wanted. */
export interface ExpectedDocument {
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
interface ContentDocument {
	document: DocumentAnswer;
	content?: string;
}

type DocumentMatcher = (expected: ExpectedDocument, actual: ContentDocument) => boolean;

const hasContent: DocumentMatcher = (expected, actual) => expected.content === actual.content;

const hasName: DocumentMatcher = ({ name }, { document }) =>
	isSameName(name, document.document_name);

const isAsExpected: DocumentMatcher = (expected, { document }) =>
	compareDocument(expected, document, true).every(({ kind }) => kind === 'unknown');

const hasWish: DocumentMatcher = ({ wish }, { document }) =>
	matchesSettings(readReference(document.tracking_id), wish);

/** What tells which of several documents with the content is meant, from the surest on. */
const MATCHERS: DocumentMatcher[][] = [[isAsExpected], [hasName, hasWish], [hasName], []];

/** Which documents are the same. */
export interface PairedDocuments<T> {
	/** In the order of those that are wanted. */
	pairs: Array<{ expected: T; actual?: DocumentAnswer; content: 'equal' | 'other' | 'unknown' }>;
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
export async function pairDocuments<T extends ExpectedDocument>(
	expected: readonly T[],
	actual: readonly DocumentAnswer[],
	contentOf: (document: DocumentAnswer) => Promise<string | undefined>,
): Promise<PairedDocuments<T>> {
	const rest = new Set<ContentDocument>(
		actual.map((document) => ({ document, content: readReference(document.tracking_id)?.content })),
	);
	const pairings = new Map<T, ContentDocument>();
	const twins = takeTwins(rest);
	const take = (...matches: DocumentMatcher[]) => {
		for (const entry of expected.filter((candidate) => !pairings.has(candidate))) {
			const pairing = [...rest].find(
				(candidate) =>
					!isFailed(candidate.document) && matches.every((match) => match(entry, candidate)),
			);
			if (pairing === undefined) continue;
			pairings.set(entry, pairing);
			rest.delete(pairing);
		}
	};
	const takeEqual = () => MATCHERS.forEach((matches) => take(hasContent, ...matches));
	takeEqual();
	if (pairings.size < expected.length) {
		for (const candidate of rest)
			if (candidate.content === undefined && !isFailed(candidate.document))
				candidate.content = await contentOf(candidate.document);
		takeEqual();
	}
	take(hasName);
	// Where the service shows references, what has none isn't the node's.
	const isExplained = ({ document, content }: ContentDocument) =>
		readReference(document.tracking_id) !== undefined ||
		(content !== undefined && actual.some(({ tracking_id: id }) => isOwnReference(id)));
	return {
		pairs: expected.map((entry) => {
			const match = pairings.get(entry);
			const isOther = match !== undefined && isExplained(match);
			const isEqual = match !== undefined && hasContent(entry, match);
			const unequal = isOther ? ('other' as const) : ('unknown' as const);
			const content = isEqual ? ('equal' as const) : unequal;
			return { expected: entry, actual: match?.document, content };
		}),
		extra: [...rest].map((candidate) => ({
			document: candidate.document,
			isKnown: isExplained(candidate),
		})),
		twins,
	};
}

/**
 * Takes out documents whose reference another one has, too. What has another name or another number of
 * places was changed by somebody, and stays as one that nothing explains.
 */
function takeTwins(rest: Set<ContentDocument>): DocumentAnswer[] {
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
	const [firstPlaces, secondPlaces] = [first, second].map(
		({ signing_designations: designations }) =>
			asObjects(designations).map((place): IDataObject => ({ ...place, id: undefined })),
	);
	const isPending = [first, second].some(({ processing_state: state }) => state === 'pending');
	const haveSamePlaces =
		firstPlaces.length === secondPlaces.length && hasPlaces(first, secondPlaces) !== false;
	return isSameName(first.document_name, second.document_name) && (isPending || haveSamePlaces);
};

type Note = (
	field: string,
	expected: unknown,
	actual: unknown,
	kind?: ItemDifference['kind'],
) => unknown;

/**
 * In what a document with the wanted content isn't as it's wanted.
 * @param isDraft otherwise, the closing team may have added places
 */
export function compareDocument(
	{ name, fields, wish }: Omit<ExpectedDocument, 'content'>,
	document: DocumentAnswer,
	isDraft: boolean,
): ItemDifference[] {
	const differences: ItemDifference[] = [];
	const note: Note = (field, expected, actual, kind = 'different') =>
		differences.push(buildDifference('wish', kind, [name, field], [expected, actual]));
	const { document_name: shownName, requirement = null, tracking_id: tracking } = document;
	if (!isSameName(name, shownName) && asText(shownName) !== undefined)
		note('Name', name, shownName);
	if (fields.requirement !== undefined && fields.requirement !== requirement)
		note(
			'Requirement',
			fields.requirement,
			requirement,
			isBlank(requirement) ? 'unknown' : 'different',
		);
	const reference = readReference(tracking);
	const says = reference?.maker === 'add' ? undefined : reference;
	const { flags, places } = hashSettings(wish);
	compareFlags(fields, document, says && says.flags === flags, note);
	// The service itself finds those of text tags, and those of templates.
	const isFound = !isBlank(wish.text_tag_syntax ?? wish.template_id);
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
	for (const flag of DOCUMENT_FLAGS) {
		const [expected, actual] = [fields[flag], readFlag(document, flag)];
		if (expected === undefined) {
			// Some services turn it on by themselves.
			const isCompared = flag !== 'customer_can_annotate' || isSaid === false;
			if (isCompared && actual === true && !REQUIREMENT_FLAGS.has(flag))
				note(toTitle(flag), false, true);
		} else if (actual === undefined) {
			if (isSaid !== true)
				note(toTitle(flag), expected, null, isSaid === false ? 'different' : 'unknown');
		} else if (actual !== (expected === true)) note(toTitle(flag), expected, actual);
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
	const actual = asObjects(document.signing_designations);
	const isSame = isFound && expected.length === 0 ? undefined : hasPlaces(document, expected);
	// Real estate shows no more of places than how many there are.
	const isOtherCount =
		isDraft &&
		expected.length > 0 &&
		document.processing_state === 'done' &&
		actual.length !== expected.length;
	const isOther = isSaid === false || (isSaid === true && isOtherCount);
	if (isSame === false || (isSame === undefined && isOther))
		note('Where to Sign', describePlaces(expected), describePlaces(actual));
	else if (isSame === undefined && isSaid === undefined && expected.length > 0)
		note('Where to Sign', describePlaces(expected), null, 'unknown');
}

/** Places as a person reads them. */
const describePlaces = (places: IDataObject[]): string =>
	places.map(describePlace).join('; ') || 'no places';

const describePlace = ({
	type,
	signer_identifier: signer,
	page_number: page,
	x,
	y,
}: IDataObject) =>
	type === undefined
		? 'a place'
		: `${String(type)} of ${String(signer)} on page ${Number(page) + 1} at ${String(x)}, ${String(y)}`;

import type { IDataObject } from 'n8n-workflow';

import type { DocumentAnswer } from '../../../transport/answers/shapes';
import { asObjects, asText } from '../../../values/json';
import { readWish, hashSettings } from '../../../values/reference';
import { isBlank } from '../../../values/comparison';
import { buildDifference, type ItemDifference } from '../../draft/difference';
import { toTitle } from '../../../form/titles';
import { isSameName } from '../../document/content';
import { DOCUMENT_FLAGS, readFlag, hasPlaces, REQUIREMENT_FLAGS } from '../../document/comparison';

/*
 * Whether a document is as it's wanted. A reference of the node's own says it where the service shows
 * nothing else.
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

/** The places of a document among its fields. */
export const WHERE_TO_SIGN = 'Where to Sign';

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
	const says = readWish(tracking);
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
		note(WHERE_TO_SIGN, describePlaces(expected), describePlaces(actual));
	else if (isSame === undefined && isSaid === undefined && expected.length > 0)
		note(WHERE_TO_SIGN, describePlaces(expected), null, 'unknown');
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

import type { IDataObject } from 'n8n-workflow';

import type { DocumentAnswer } from '../../../transport/answers/shapes';
import { isBlank } from '../../../values/comparison';
import { asObject, asObjects, asText } from '../../../values/json';
import { hashSettings, readReference, sayPlaces } from '../../../values/reference';
import { buildChoiceFields, mayBeSigned } from '../../document/places/whereToSign';
import type { NotCopiedReason } from './notCopied';
import { isUnplacedCopy } from '../check/unplaced';

/* Where the documents of a copy are signed, as far as it's known of those of the old transaction. */

/** Fields of a designation in a request (docs/service/documents.md#designations). */
const DESIGNATION_FIELDS = [
	'signer_identifier',
	'type',
	'page_number',
	'x',
	'y',
	'height',
	'width',
	'hint',
	'instruction',
	'optional',
	'primary_designation_identifier',
	'conditional_on_primary',
];
const GROUP_FIELDS = ['name', 'min_required', 'max_required'];

/** Whether a document had places to sign; undefined where neither an answer nor its reference says it. */
export function hasPlacesToSign({
	signing_designations: places,
	processing_state: state,
	tracking_id: tracking,
}: DocumentAnswer): boolean | undefined {
	if (Array.isArray(places) && (places.length > 0 || state === 'done')) return places.length > 0;
	const reference = readReference(tracking);
	return reference !== undefined && sayPlaces(reference) ? true : undefined;
}

/** The text tags by which the places of a document have come from its file, as its reference says. */
const findTags = ({ tracking_id: tracking }: DocumentAnswer): IDataObject | undefined =>
	['tags', 'hiddenTags']
		.map(buildChoiceFields)
		.find((fields) => hashSettings(fields).places === readReference(tracking)?.places);

/**
 * Where a document is signed, as fields of a request.
 * @param isOtherFile whether the copy is made of another file
 * @returns why the copy doesn't have it
 */
export function copyPlaces(
	document: DocumentAnswer,
	isOtherFile: boolean,
	readsTags: boolean,
): IDataObject | NotCopiedReason {
	const { signing_designations: places, signing_designation_groups: groups } = document;
	const had = isUnplacedCopy(document) || hasPlacesToSign(document);
	if (had === false) return {};
	if (had === undefined)
		return mayBeSigned({ requirement: document.requirement ?? undefined })
			? 'unknownPlaces'
			: 'hidden';
	if (isOtherFile) return 'otherFile';
	if (readsTags) return 'tags';
	const areShown =
		Array.isArray(places) &&
		places.length > 0 &&
		places.every(({ type }) => asText(type) !== undefined);
	if (!areShown) return findTags(document) ?? 'hiddenPlaces';
	return {
		signing_designations: places.map(({ signing_designation_group: group, ...place }) => ({
			...pickShown(place, DESIGNATION_FIELDS),
			...(!isBlank(group) && {
				signing_designation_group: pickShown(asObject(group), GROUP_FIELDS),
			}),
		})),
		...(asObjects(groups).length > 0 && {
			signing_designation_groups: asObjects(groups).map((group) => pickShown(group, GROUP_FIELDS)),
		}),
	};
}

const pickShown = (from: IDataObject, names: string[]): IDataObject =>
	Object.fromEntries(names.filter((name) => from[name] != null).map((name) => [name, from[name]]));

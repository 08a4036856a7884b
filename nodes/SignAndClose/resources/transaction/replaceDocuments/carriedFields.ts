import type { IDataObject } from 'n8n-workflow';

import { joinWithAnd } from '../../../values/words';
import type { DocumentAnswer } from '../../../transport/answers/shapes';
import type { Platform } from '../../../transport/service/endpoints';
import { isBlank } from '../../../values/comparison';
import { asObjects } from '../../../values/json';
import { hashSettings, readReference, readWish } from '../../../values/reference';
import { toTitle } from '../../../form/titles';
import { describeFile, isFailed } from '../../document/api';
import { readFlag } from '../../document/comparison';
import { requirement } from '../../document/form';
import { copyFields } from '../../document/rules/replacement';
import type { ItemDocument } from '../createAndSend/itemDocuments';
import { LABELS } from './form';

/* What a new document has of the one in whose place it comes. */

/**
 * The document that takes the place of another one: its name, requirement and flags, as far as answers
 * show them, and otherwise what the rule says.
 */
export function buildCarriedDocument(expected: ItemDocument, former: DocumentAnswer): ItemDocument {
	const carried = copyFields(former);
	const fields: IDataObject = {
		...expected.fields,
		...carried,
		bundle_position: former.bundle_position ?? expected.fields.bundle_position,
	};
	return { ...expected, name: String(fields.filename), fields };
}

/** Says that a document has another requirement than its rule, as a sentence without a final period. */
export function describeOtherRequirement(
	{ planned }: ItemDocument,
	document: DocumentAnswer,
): string | undefined {
	const { row, fields } = planned.rule;
	const { requirement: current } = document;
	return fields.requirement === undefined || isBlank(current) || fields.requirement === current
		? undefined
		: `The 'Requirement' of ${describeFile(document).name} is ${nameRequirement(current)}, and ${nameRequirement(fields.requirement)} in rule ${row}. Set it in the rule to what holds`;
}

const nameRequirement = (value: unknown): string => {
	const option = requirement.options?.find((choice) => 'value' in choice && choice.value === value);
	return option?.name ?? String(value);
};

/** Flags that no requirement brings along, and that answers may not show. */
const HIDDEN_FLAGS = ['customer_can_annotate', 'signing_requires_meeting', 'witness_required'];
const HIDDEN_FLAGS_OF_BUSINESS = [...HIDDEN_FLAGS, 'vaulted'];

/** The flags of a document that neither an answer, its reference nor the rule says. */
function listUnknownFlags(
	{ fields, wish }: ItemDocument,
	former: DocumentAnswer,
	platform: Platform,
): string[] {
	if (readWish(former.tracking_id)?.flags === hashSettings(wish).flags) return [];
	const flags = platform === 'business' ? HIDDEN_FLAGS_OF_BUSINESS : HIDDEN_FLAGS;
	return flags.filter((flag) => fields[flag] !== true && readFlag(former, flag) === undefined);
}

/** Says which flags of a document nobody knows, as a sentence without a final period. */
export function describeUnknownFlags(
	expected: ItemDocument,
	former: DocumentAnswer,
	platform: Platform,
): string | undefined {
	const unknown = listUnknownFlags(expected, former, platform).map(toTitle);
	return unknown.length === 0
		? undefined
		: `The service doesn't show ${joinWithAnd(unknown)} of ${describeFile(former).name}. Turn on in the rule's 'Flags' what holds, and set ${LABELS.flags} to Only Those of the Rule`;
}

/** Choices of Where to Sign by which a document has no designations of its own. */
const WITHOUT_PLACES: ReadonlySet<string> = new Set(['nobody', 'signer', 'tags', 'hiddenTags']);

/** Whether the rule says where the new document is signed. */
export const isPlacedByRule = ({ planned: { rule } }: ItemDocument): boolean =>
	rule.placement.isPlaced || WITHOUT_PLACES.has(rule.placement.choice);

/**
 * Places at points that a person has entered, if the former document may have been placed by the same
 * entries: where its reference says other ones, they were entered anew.
 */
export function listSameEntries(
	{ planned: { rule }, fields, wish }: ItemDocument,
	former: DocumentAnswer,
): IDataObject[] {
	const reference = readReference(former.tracking_id);
	const isSame = [wish, fields].some(
		(settings) => hashSettings(settings).places === reference?.places,
	);
	const isEntered = ['rows', 'json'].includes(rule.placement.choice);
	return isEntered && !isFailed(former) && (reference === undefined || isSame)
		? asObjects(fields.signing_designations)
		: [];
}

/** Says that places of the closing team would be lost, as a sentence without a final period. */
export function describeTeamPlaces(
	expected: ItemDocument,
	former: DocumentAnswer,
): string | undefined {
	const { fields, planned } = expected;
	const { signing_designations: places } = former;
	const { name } = describeFile(former);
	const remedy = `Place them in the rule, or turn on ${LABELS.team}`;
	if (!Array.isArray(places))
		return isPlacedByRule(expected)
			? undefined
			: `The service doesn't show whether ${name} has places to sign. ${remedy}`;
	const count = asObjects(fields.signing_designations).length;
	const isFoundByService = /tags/i.test(planned.rule.placement.choice);
	return places.length > count && !isFoundByService
		? `${name} has ${places.length} ${places.length === 1 ? 'place' : 'places'} to sign, and the new one would have ${count}: the closing team may have set what is lost. ${remedy}`
		: undefined;
}

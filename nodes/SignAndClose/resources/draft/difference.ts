import type { IDataObject } from 'n8n-workflow';

import { quoteValue } from '../../form/hints';
import type { FieldComparison } from '../../run/goals';
import { isBlank } from '../../values/comparison';
import { asObject } from '../../values/json';

/* What an item wants and the service shows otherwise. */

/**
 * What a difference is about: a field or the property; a signer as a whole or what is known of one; a
 * document as a whole, its content, or what is wanted of it; one that something else has added; the eNote.
 */
type DifferenceSubject =
	| 'field'
	| 'property'
	| 'signer'
	| 'person'
	| 'document'
	| 'content'
	| 'wish'
	| 'foreign'
	| 'enote';

/** What an item wants and the service shows otherwise, in words for people. */
export interface ItemDifference {
	/** Whose it is: a person, a document, the property; empty for the transaction itself. */
	subject: string;
	/** The field as the form calls it. */
	field: string;
	expected: unknown;
	actual: unknown;
	/** `missing` and `extra` are for what isn't there at all, or isn't wanted at all. */
	kind: 'missing' | 'different' | 'extra' | 'unknown';
	/** What it's about. */
	about: DifferenceSubject;
}

/** Makes a difference. */
export const buildDifference = (
	about: DifferenceSubject,
	kind: ItemDifference['kind'],
	[subject, field]: [subject: string, field: string],
	[expected, actual]: [expected: unknown, actual: unknown],
): ItemDifference => ({ subject, field, expected, actual: actual ?? null, kind, about });

/** What is there or isn't, as a whole. */
const WHOLE_SUBJECTS: ReadonlySet<DifferenceSubject> = new Set([
	'signer',
	'document',
	'foreign',
	'enote',
]);

/**
 * Says a difference that is shown as a person reads it, without a final period.
 * @param transactionName what a person calls the transaction
 */
export function describeDifference(difference: ItemDifference, transactionName: string): string {
	const { subject, field, expected, actual, kind, about } = difference;
	const isWhole = WHOLE_SUBJECTS.has(about);
	if (isWhole && kind === 'missing') return `${subject} isn't in ${transactionName}`;
	if (isWhole && kind === 'extra')
		return `${subject} is in ${transactionName}, and not in the item`;
	const whose = subject === '' ? field : `${field} of ${subject}`;
	if (isBlank(actual))
		return `${whose} is missing in ${transactionName}, and is ${quoteValue(expected)} in the item`;
	return `${whose} is ${quoteValue(actual)} in ${transactionName}, and ${quoteValue(expected)} in the item`;
}

/** Says in which fields an item differs, without the values. */
export const describeDifferingFields = (differences: ItemDifference[]): string =>
	`differs from what is there: ${listDifferingFields(differences)}`;

/** Names the fields in which an item differs. */
export const listDifferingFields = (differences: ItemDifference[]): string =>
	[...new Set(differences.map(({ field, subject }) => field || subject))].join(', ');

/** A difference for the output, without what only the node uses. */
export const toDifferenceOutput = ({
	subject,
	field,
	expected,
	actual,
	kind,
}: ItemDifference): IDataObject => ({ subject, field, expected, actual, kind }) as IDataObject;

/** @param part a value that isn't shown as it's wanted */
export const buildFieldDifference = (
	about: ItemDifference['about'],
	names: [string, string],
	{ expected, actual, isAnswered }: FieldComparison,
): ItemDifference =>
	buildDifference(
		about,
		!isAnswered ? 'unknown' : isBlank(actual) ? 'missing' : 'different',
		[names[0], names[1] + listDifferingParts(asObject(expected), asObject(actual))],
		[formatAddress(expected), formatAddress(actual)],
	);

/** Parts of an address that may differ where its first line is the same. */
const ADDRESS_PARTS: Record<string, (address: IDataObject) => unknown> = {
	'line 2': ({ line2 }) => line2,
	city: ({ city }) => city,
	state: ({ state }) => state,
	'zip code': getZipCode,
};

function getZipCode({ postal, zip_code: zip }: IDataObject): unknown {
	return postal ?? zip;
}

/** Names them in parentheses; nothing for another address, or for what is none. */
function listDifferingParts(expected: IDataObject, actual: IDataObject): string {
	if (expected.line1 === undefined || expected.line1 !== actual.line1) return '';
	const parts = Object.keys(ADDRESS_PARTS).filter((part) => {
		const readPart = ADDRESS_PARTS[part];
		const expectedPart = readPart(expected);
		return !isBlank(expectedPart) && String(expectedPart) !== String(readPart(actual) ?? '');
	});
	return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
}

/** An address in one line; any other value as it is. */
function formatAddress(value: unknown): unknown {
	const address = asObject(value);
	const { line1, line2, city, state } = address;
	const parts = [line1, line2, city, [state, getZipCode(address)].filter(Boolean).join(' ')];
	return line1 === undefined ? value : parts.filter(Boolean).join(', ');
}

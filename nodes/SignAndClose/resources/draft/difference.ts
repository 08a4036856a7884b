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
	return `${whose}: ${quoteValue(actual)} in ${transactionName}, ${quoteValue(expected)} in the item`;
}

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
		names,
		[formatAddress(expected), formatAddress(actual)],
	);

/** An address in one line; any other value as it is. */
function formatAddress(value: unknown): unknown {
	const { line1, line2, city, state, postal, zip_code: zip } = asObject(value);
	const parts = [line1, line2, city, [state, postal ?? zip].filter(Boolean).join(' ')];
	return line1 === undefined ? value : parts.filter(Boolean).join(', ');
}

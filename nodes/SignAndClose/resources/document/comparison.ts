import type { IDataObject } from 'n8n-workflow';

import type { FieldComparison } from '../../run/goals';
import type { DocumentAnswer } from '../../transport/answers/shapes';
import { asObjects, asText } from '../../values/json';
import { isBlank, isSame } from '../../values/comparison';
import { asBoolean } from '../../values/plainValues';
import { listFlagWords } from './api';

/* Compares what a document shows with the fields of a request. */

/** Whether a flag is on. A field that somebody typed as JSON may hold it as text. */
export const isTrue = (flag: unknown) => String(flag) === 'true';

/**
 * Compares a field, but for designations.
 * @param before the document as it was, where that is known
 */
export function compareField(
	field: string,
	expected: unknown,
	after: DocumentAnswer,
	before: DocumentAnswer = {},
): FieldComparison {
	const [actual, earlier] = [after, before].map((document) => readValue(field, document));
	return {
		field,
		expected,
		actual,
		isShown: showsValue(after, field, expected),
		isAnswered: actual !== undefined,
		...(earlier !== undefined && { earlier: { value: earlier } }),
	};
}

/**
 * The value of a field of the request in an answer, which has the name under another one
 * (docs/service/documents.md#document-answer); undefined when it isn't shown.
 */
export function readValue(name: string, document: DocumentAnswer): unknown {
	const value = document[name === 'name' ? 'document_name' : name];
	return isBlank(value) ? undefined : value;
}

/** Flags that a requirement brings along. */
export const REQUIREMENT_FLAGS: ReadonlySet<string> = new Set([
	'esign_required',
	'identity_confirmation_required',
	'notarization_required',
]);

/** Flags of a document (docs/service/documents.md#document-fields). */
export const DOCUMENT_FLAGS = [
	...REQUIREMENT_FLAGS,
	'customer_can_annotate',
	'vaulted',
	'witness_required',
];

/** Flags that answers have in words; some of them have no other form. */
const FLAG_WORDS: Record<string, string | undefined> = {
	customer_can_annotate: 'CUSTOMER_CAN_ANNOTATE',
	notarization_required: 'NOTARIZATION_REQUIRED',
	witness_required: 'WITNESS_REQUIRED',
};

/** A flag as an answer shows it, by itself or in words; undefined where it doesn't. */
export function readFlag(document: DocumentAnswer, name: string): boolean | undefined {
	const [value, word] = [asBoolean(document[name]), FLAG_WORDS[name]];
	return value ?? (word === undefined ? undefined : listFlagWords(document)?.includes(word));
}

/** Whether a document shows a value of a field of the request. */
export function showsValue(document: DocumentAnswer, field: string, expected: unknown): boolean {
	const actual = readValue(field, document);
	if (actual !== undefined) return isSame(actual, expected);
	return isTrue(expected) && listFlagWords(document)?.includes(FLAG_WORDS[field] ?? '') === true;
}

/**
 * Compares designations, whose order means nothing. Real estate shows their IDs only
 * (docs/service/documents.md#designations-in-answers).
 */
export function compareDesignations(
	expected: unknown[],
	{ signing_designations: actual }: DocumentAnswer,
	{ signing_designations: earlier }: DocumentAnswer = {},
): FieldComparison {
	const isAnswered =
		Array.isArray(actual) && actual.every(({ type }) => asText(type) !== undefined);
	return {
		field: 'designations',
		expected,
		actual,
		isShown: isAnswered && haveSameDesignations(actual, expected),
		isAnswered,
		...(Array.isArray(earlier) && { earlier: { value: earlier } }),
	};
}

/**
 * Whether a document has these designations and no others, as far as answers show them.
 * @returns undefined where they show too little, or none are named
 */
export function hasPlaces(
	{ signing_designations: actual, processing_state: state }: DocumentAnswer,
	expected: IDataObject[],
): boolean | undefined {
	if (!Array.isArray(actual) || actual.some(({ type }) => asText(type) === undefined))
		return undefined;
	// Those that are wanted may come while the document is processed.
	if (actual.length === 0 && state !== 'done' && expected.length > 0) return undefined;
	const names = new Set(actual.flatMap((place) => Object.keys(place)));
	const isHidden = ([name, value]: [string, unknown]) =>
		!names.has(name) && !isBlank(value) && value !== false;
	const visible = expected.map((place) =>
		Object.fromEntries(Object.entries(place).filter((part) => !isHidden(part))),
	);
	const areHidden = expected.some((place) => Object.entries(place).some(isHidden));
	if (!haveSameDesignations(actual, visible)) return false;
	return areHidden ? undefined : true;
}

/** Whether there are other designations than before, as many as wanted. */
export function hasNewIds({ expected, actual, earlier }: FieldComparison): boolean {
	return (
		earlier !== undefined &&
		asObjects(actual).length === asObjects(expected).length &&
		JSON.stringify(actual) !== JSON.stringify(earlier.value)
	);
}

/** Whether two lists have the same designations. */
const haveSameDesignations = (actual: IDataObject[], expected: unknown[]) =>
	actual.length === expected.length &&
	expected.every((entry) => actual.some((candidate) => isSame(candidate, entry))) &&
	actual.every((candidate) => expected.some((entry) => isSame(candidate, entry)));

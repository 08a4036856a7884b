import { isObject } from './json';

/*
 * Compares what the service shows with what was sent: as values, never as resemblance. What a
 * service is known to write in another form is brought into one form before, each where it is read
 * (resources/draft/fieldComparison.ts for transactions).
 */

/** A field that the service shows with another value than the one it was sent. */
export interface FieldDifference {
	/** The field's name in requests. */
	field: string;
	expected: unknown;
	actual: unknown;
}

const MOST_LEVELS = 50;

/** Whether a value of an answer stands for nothing. */
export function isBlank(value: unknown, levels = MOST_LEVELS): boolean {
	if (value === undefined || value === null || value === '') return true;
	// What is nested more deeply than anything of the service isn't looked into.
	if (typeof value !== 'object' || levels === 0) return false;
	return Object.values(value).every((part) => isBlank(part, levels - 1));
}

/**
 * Whether a shown value is the wanted one. A number or a boolean and its text are the same value,
 * and so are all values that stand for nothing. Lists are compared in their order, objects by the
 * parts that were wanted: a service adds parts of its own.
 */
export function isSame(actual: unknown, expected: unknown): boolean {
	if (
		isObject(expected) &&
		(isObject(actual) || isBlank(actual)) &&
		Object.keys(expected).length > 0
	)
		return Object.entries(expected).every(([name, part]) =>
			isSame(isObject(actual) ? actual[name] : undefined, part),
		);
	if (isBlank(expected)) return isBlank(actual);
	if (isBlank(actual)) return false;
	if (Array.isArray(expected))
		return (
			Array.isArray(actual) &&
			actual.length === expected.length &&
			expected.every((entry, index) => isSame(actual[index], entry))
		);
	return (
		typeof expected !== 'object' &&
		typeof actual !== 'object' &&
		String(actual) === String(expected)
	);
}

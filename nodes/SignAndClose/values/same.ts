import { isObject } from './json';

/*
 * Compares what the service shows with what was sent: as values, never as resemblance. What a
 * service is known to write in another form is brought into one form before, each where it is read
 * (resources/drafts/changes.ts for transactions).
 */

/** A field that the service shows with another value than the one it was sent. */
export interface Difference {
	/** The field's name in requests. */
	field: string;
	wanted: unknown;
	shown: unknown;
}

const MOST_LEVELS = 50;

/** Whether a value of an answer stands for nothing. */
export function isEmpty(value: unknown, levels = MOST_LEVELS): boolean {
	if (value === undefined || value === null || value === '') return true;
	// What is nested more deeply than anything of the service isn't looked into.
	if (typeof value !== 'object' || levels === 0) return false;
	return Object.values(value).every((part) => isEmpty(part, levels - 1));
}

/**
 * Whether a shown value is the wanted one. A number or a boolean and its text are the same value,
 * and so are all values that stand for nothing. Lists are compared in their order, objects by the
 * parts that were wanted: a service adds parts of its own.
 */
export function isSame(shown: unknown, wanted: unknown): boolean {
	if (isObject(wanted) && (isObject(shown) || isEmpty(shown)) && Object.keys(wanted).length > 0)
		return Object.entries(wanted).every(([name, part]) =>
			isSame(isObject(shown) ? shown[name] : undefined, part),
		);
	if (isEmpty(wanted)) return isEmpty(shown);
	if (isEmpty(shown)) return false;
	if (Array.isArray(wanted))
		return (
			Array.isArray(shown) &&
			shown.length === wanted.length &&
			wanted.every((entry, index) => isSame(shown[index], entry))
		);
	return (
		typeof wanted !== 'object' && typeof shown !== 'object' && String(shown) === String(wanted)
	);
}

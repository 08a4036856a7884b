import type { IDataObject } from 'n8n-workflow';

/* Reads JSON of the service, whose shape can't be relied on. */

/** Whether a value is an object, and neither null nor a list. */
export function isObject(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value if it is an object, otherwise an empty object. */
export function asObject(value: unknown): IDataObject {
	return isObject(value) ? value : {};
}

/** The objects of an array, without its other entries; empty when the value isn't an array. */
export function asObjects(value: unknown): IDataObject[] {
	return Array.isArray(value) ? value.filter(isObject) : [];
}

/** The value if it is a non-empty text. */
export function asText(value: unknown): string | undefined {
	return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Leaves out undefined, null and empty text, which the service must not take for values. */
export function withoutEmpty(fields: IDataObject): IDataObject {
	return Object.fromEntries(
		Object.entries(fields).filter(
			([, value]) => value !== undefined && value !== '' && value !== null,
		),
	);
}

/** The value that an object itself has under a name, not one that every object inherits. */
export function getOwnValue<T>(record: Record<string, T>, name: string): T | undefined {
	return Object.hasOwn(record, name) ? record[name] : undefined;
}

/**
 * Parses JSON without the name `__proto__`, which would change what a copy of the object inherits.
 * @throws SyntaxError when the text isn't JSON
 */
export function parseJson(text: string): unknown {
	// JSON may write any letter of the name as its code.
	const isSuspect = text.includes('__proto__') || /\\u00[5-7]/.test(text);
	return JSON.parse(
		text,
		isSuspect ? (name, value: unknown) => (name === '__proto__' ? undefined : value) : undefined,
	) as unknown;
}

/** More levels than any object of the service has. */
const MOST_LEVELS = 50;

/**
 * Copies JSON that somebody else has parsed, without the name `__proto__`.
 * @throws RangeError when it is nested so deeply that going through it could end n8n's process
 */
export function copyJson(value: unknown, levels = MOST_LEVELS): unknown {
	if (typeof value !== 'object' || value === null) return value;
	if (levels === 0) throw new RangeError('nested too deeply');
	if (Array.isArray(value)) return value.map((entry) => copyJson(entry, levels - 1));
	return Object.fromEntries(
		Object.entries(value)
			.filter(([name]) => name !== '__proto__')
			.map(([name, entry]) => [name, copyJson(entry, levels - 1)]),
	);
}

/** Parses a text that is JSON. Any other value, and a text that isn't JSON, stay as they are. */
export function parseIfJson(value: unknown): unknown {
	if (typeof value !== 'string') return value;
	try {
		return parseJson(value);
	} catch {
		return value;
	}
}

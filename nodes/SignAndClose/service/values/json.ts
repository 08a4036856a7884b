import type { IDataObject } from 'n8n-workflow';

/* Reads JSON of the service, whose shape can't be relied on. */

/** The value if it is an object, otherwise an empty object. */
export function asObject(value: unknown): IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value)
		? (value as IDataObject)
		: {};
}

/** The objects of an array, without its other entries; empty when the value isn't an array. */
export function asObjects(value: unknown): IDataObject[] {
	return Array.isArray(value)
		? value.filter(
				(entry): entry is IDataObject =>
					typeof entry === 'object' && entry !== null && !Array.isArray(entry),
			)
		: [];
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

/** Parses a text that is JSON. Any other value, and a text that isn't JSON, stay as they are. */
export function parsedJson(value: unknown): unknown {
	if (typeof value !== 'string') return value;
	try {
		return JSON.parse(value) as unknown;
	} catch {
		return value;
	}
}

import type { IDataObject } from 'n8n-workflow';

/** Reads JSON whose shape nobody vouches for. */

/** An object, or an empty one when the service sent something else. */
export function asObject(value: unknown): IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value)
		? (value as IDataObject)
		: {};
}

/** An array of objects; whatever else is in it is left out. */
export function asObjects(value: unknown): IDataObject[] {
	return Array.isArray(value)
		? value.filter(
				(entry): entry is IDataObject =>
					typeof entry === 'object' && entry !== null && !Array.isArray(entry),
			)
		: [];
}

/** A text that is not empty, else undefined. */
export function asText(value: unknown): string | undefined {
	return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Leaves out what was not filled in: the service must not take an empty text for a value. */
export function withoutEmpty(fields: IDataObject): IDataObject {
	return Object.fromEntries(
		Object.entries(fields).filter(
			([, value]) => value !== undefined && value !== '' && value !== null,
		),
	);
}

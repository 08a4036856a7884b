import type { IDataObject } from 'n8n-workflow';

import { asText, ownValue } from '../../values/json';
import { isOwnReference } from '../../values/reference';

/* What the simplified forms of answers have in common. */

/**
 * A field that is there; null for what services write instead of leaving it out, and for a reference
 * of the node's own, which is nobody's External ID.
 */
export function given(value: IDataObject[string]): IDataObject[string] {
	return value === '' || value === undefined || isOwnReference(value) ? null : value;
}

/** Fields of an answer by their own names; null for those that it doesn't have. */
export function fieldsOf(answer: IDataObject, names: readonly string[]): IDataObject {
	return Object.fromEntries(names.map((name) => [name, given(ownValue(answer, name))]));
}

/**
 * Fields that a person has selected: in their simplified form where there is one, otherwise as the
 * service answered them.
 * @param names any names, of which `__proto__` is none; null stands for what isn't there
 */
export function selected(
	simplified: IDataObject,
	whole: IDataObject,
	names: readonly string[],
): IDataObject {
	return Object.fromEntries(
		names
			// It would change what a copy of the output inherits.
			.filter((name) => name !== '__proto__')
			.map((name) => [name, ownValue(simplified, name) ?? given(ownValue(whole, name))]),
	);
}

/** The first of these values that is a text. */
export function firstText(...values: unknown[]): string | null {
	return values.map(asText).find((text) => text !== undefined) ?? null;
}

/** Until when a transaction can be completed, under either of the names that services give it. */
export function expiryText({ expiry, expiration_time: other }: IDataObject): string | null {
	return firstText(expiry, other);
}

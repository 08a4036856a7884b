/**
 * The form in which IDs are compared. A service writes an ID with and without the underscore behind
 * its first two letters: `or_od4kenk` and `orod4kenk` are one organization
 * (docs/service/README.md#identifiers).
 */
export const normalizeId = (id: string): string => id.replace(/^([a-z]{2})_/, '$1');

/** Whether two texts are the same ID. */
export function isSameId(left: unknown, right: unknown): boolean {
	return (
		typeof left === 'string' &&
		typeof right === 'string' &&
		left !== '' &&
		normalizeId(left) === normalizeId(right)
	);
}

/** Longer than any ID, link or permalink of the service. */
export const LONGEST_ID = 1_000;

/**
 * Whether a text can be an ID: of a usual length, and of characters that can be sent and seen. IDs
 * are opaque (docs/service/README.md#identifiers), so nothing else is known about them.
 */
export function canBeId(text: string): boolean {
	return text.length <= LONGEST_ID && !/[\p{Cc}\p{Cs}]/u.test(text);
}

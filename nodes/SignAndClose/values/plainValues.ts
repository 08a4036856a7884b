/* Values of any kind, as messages show them and as numbers. Neither ever throws. */

/** Writes a value for a message: text and numbers as they are, of others only what they are. */
export function formatForDisplay(value: unknown): string {
	if (Array.isArray(value)) return 'a list';
	if (typeof value === 'object' && value !== null) return 'an object';
	return typeof value === 'function' ? 'a function' : String(value);
}

/**
 * Reads a number that may be written as text.
 * @returns NaN for anything else, such as an empty text, a list or true
 */
export function parseNumber(value: unknown): number {
	if (typeof value === 'string' && value.trim() !== '') return Number(value);
	return typeof value === 'number' ? value : Number.NaN;
}
/**
 * Reads true or false in an answer, where a service may write either as text.
 * @returns undefined for anything else
 */
export function asBoolean(value: unknown): boolean | undefined {
	const text = typeof value === 'string' ? value.trim().toLowerCase() : value;
	if (text === true || text === 'true') return true;
	return text === false || text === 'false' ? false : undefined;
}

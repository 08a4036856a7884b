/**
 * Reads true or false in an answer, where a service may write either as text.
 * @returns undefined for anything else
 */
export function asBoolean(value: unknown): boolean | undefined {
	const text = typeof value === 'string' ? value.trim().toLowerCase() : value;
	if (text === true || text === 'true') return true;
	return text === false || text === 'false' ? false : undefined;
}

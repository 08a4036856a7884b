/* Reads the headers of answers. */

/**
 * Reads a header of an answer; the first value when the header came several times.
 * @param name in lower case
 */
export function header(
	headers: Record<string, unknown> | undefined,
	name: string,
): string | undefined {
	const value = headers?.[name];
	return typeof value === 'string' ? value : Array.isArray(value) ? String(value[0]) : undefined;
}

/**
 * Whether only the end of the connection tells where an answer ends, so that a cut one looks
 * whole. In all other answers, Node.js notices a cut.
 */
export function endsWithConnection(headers: Record<string, unknown>): boolean {
	return (
		Object.keys(headers).length > 0 &&
		headers['content-length'] === undefined &&
		headers['transfer-encoding'] === undefined
	);
}

/* An answer of the service, and what its headers say. */

/** An answer of the service, whatever its status. */
export interface Answer {
	status: number;
	headers: Record<string, unknown>;
	/**
	 * Text, or the stream of a file that was asked for. Whoever gets a stream reads it or discards it,
	 * which ends its connection.
	 */
	body: unknown;
}

/**
 * Reads a header of an answer; the first value when the header came several times.
 * @param name in lower case
 */
export function getHeader(
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

/**
 * Whether an answer has only the beginning or the middle of a file. Nobody asks for a part, but some
 * caches answer with what they have.
 */
export function isPart(headers: Record<string, unknown>): boolean {
	const range = getHeader(headers, 'content-range')?.match(/(\d+)-(\d+)\/(\d+|\*)/) ?? [];
	const [first, last, total] = range.slice(1).map(Number);
	return first > 0 || last + 1 < total;
}

/** Paging of lists (docs/service/api.md#pagination). */

/** One page of a list, by the query's limit and offset. */
export function page<T>(all: T[], query: Record<string, string>, defaultLimit: number): T[] {
	const offset = Number(query.offset ?? 0);
	return all.slice(offset, offset + Number(query.limit ?? defaultLimit));
}

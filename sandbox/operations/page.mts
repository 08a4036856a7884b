/** One page of a list, by the query's limit and offset (gaps.md §1). */
export function page<T>(all: T[], query: Record<string, string>, defaultLimit: number): T[] {
	const offset = Number(query.offset ?? 0);
	return all.slice(offset, offset + Number(query.limit ?? defaultLimit));
}

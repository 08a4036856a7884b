import { createHash } from 'crypto';
import type { IDataObject } from 'n8n-workflow';

import type { Call, ServiceClient } from '../client';
import { fetchList, type ListName, type ListPage } from './lists';

/* Walks the service's lists page by page (docs/service/api.md#pagination). */

/**
 * Walks a list with `limit` and `offset` and gives the entries of each page that haven't come before.
 * It fetches no further page when the caller stops taking them.
 *
 * Each entry that is in the list from beginning to end comes once, whatever else joins or leaves the
 * list meanwhile, as long as the others keep their order and fewer join between two requests than
 * half a page holds. Each page therefore begins with the last entry of the page before. Where a page
 * shows no entry that is known, some have left the list, and others have moved to places that were
 * read already: the walk goes back until it finds one that it knows. Pages of a single entry are the
 * exception: they have no room for another one.
 *
 * A service may give fewer entries than it's asked for, or ignore `offset`. So the walk ends with a
 * page that brings nothing new, unless the total has grown, and there's more. Otherwise, the total
 * only saves the request for that page, after one that isn't full.
 *
 * @param size how many entries to ask for at once
 */
export async function* streamPages(
	fetchPage: (limit: number, offset: number) => Promise<ListPage>,
	size: number,
): AsyncGenerator<IDataObject[]> {
	const seen = new Set<string>();
	let [offset, overlap, span] = [0, 0, 0];
	let totalAtFirst: number | undefined;
	// Where the offset counts in another way, going back doesn't help: once for each page is enough.
	let [isBack, knownThen] = [false, 0];
	for (;;) {
		const { entries, came = entries.length, total } = await fetchPage(size, offset);
		const joins = overlap === 0 || entries.some((entry) => seen.has(buildEntryKey(entry)));
		if (!joins && (isBack || seen.size > knownThen)) {
			[isBack, knownThen] = [true, seen.size];
			offset = Math.max(0, offset - Math.ceil(span / 2));
			overlap = Math.min(1, offset);
			continue;
		}
		isBack = false;
		const fresh = entries.filter((entry) => {
			const before = seen.size;
			return seen.add(buildEntryKey(entry)).size > before;
		});
		if (fresh.length > 0) yield fresh;
		const hasGrown = total !== undefined && total > (totalAtFirst ??= total);
		const isMore = total !== undefined && came > 0 && offset + came < total;
		// A page of entries that are known all is no end where so many have joined meanwhile, or where it
		// has none but those that are read twice.
		const isEnd = fresh.length === 0 && !(isMore && (hasGrown || came <= overlap));
		if (isEnd || (came < size && total === offset + came)) return;
		span = came;
		// As many as it takes for one that can be recognized: some may have nothing in them.
		overlap = entries.length > 1 ? came - entries.length + 1 : 0;
		offset += came - overlap;
	}
}

/** Thousands of entries without an ID, such as event records, would take much memory as text. */
function buildEntryKey(entry: IDataObject): string {
	return typeof entry.id === 'string'
		? entry.id
		: createHash('sha256').update(JSON.stringify(entry)).digest('base64');
}

/**
 * Walks a list endpoint. See streamPages().
 * @param maximum how many entries the caller wants, so that no page is bigger than needed: infinity for
 *   all, nothing if that depends on them
 * @throws ServiceFailure, also when an answer holds no list
 */
export function streamListPages(
	service: ServiceClient,
	name: ListName,
	call: Call = {},
	maximum = Number.POSITIVE_INFINITY,
): AsyncGenerator<IDataObject[]> {
	return streamPages(
		async (limit, offset) =>
			await fetchList(service, name, { ...call, query: { ...call.query, limit, offset } }),
		Math.min(service.limits.pageSize, maximum),
	);
}

/** Walks a list endpoint, entry by entry. See streamListPages(). */
export async function* streamEntries(
	...list: Parameters<typeof streamListPages>
): AsyncGenerator<IDataObject> {
	for await (const entries of streamListPages(...list)) yield* entries;
}

/** Returns the first entries that pass a test. No page is fetched beyond the last one needed. */
export async function takeEntries(
	entries: AsyncIterable<IDataObject>,
	maximum: number,
	matches: (entry: IDataObject) => boolean = () => true,
): Promise<IDataObject[]> {
	const matching: IDataObject[] = [];
	for await (const entry of entries) {
		if (matches(entry)) matching.push(entry);
		if (matching.length >= maximum) break;
	}
	return matching;
}

import type { IDataObject } from 'n8n-workflow';

import type { Call, ServiceClient } from './client';
import { ENDPOINTS, type Endpoint, type EndpointName } from './endpoints';
import { asObject, asObjects } from './values/json';

/* Walks the service's lists page by page (docs/service/api.md#pagination). */

/** One page of a list. */
export interface Page {
	entries: IDataObject[];
	/** How many entries the list has, where the service says it. */
	total?: number;
}

/**
 * Walks a list with `limit` and `offset` and yields each entry once. It fetches no further page
 * when the caller stops taking entries.
 *
 * It doesn't rely on the service in three points:
 *
 * - A service may return fewer entries than asked for. The walk goes on until a page is empty or
 *   shorter than the first one.
 * - A service may ignore `offset`. A page without anything new ends the walk.
 * - Entries may be added meanwhile. One that has moved to the next page isn't yielded twice.
 *
 * @param pageSize how many entries to ask for at once
 * @param most how many entries the caller wants, so that no page is bigger than needed
 */
export async function* walkPages(
	fetchPage: (limit: number, offset: number) => Promise<Page>,
	pageSize: number,
	most = Number.POSITIVE_INFINITY,
): AsyncGenerator<IDataObject> {
	const seen = new Set<string>();
	const size = Math.max(1, Math.min(pageSize, most));
	let firstLength: number | undefined;
	for (let offset = 0; ;) {
		const { entries, total } = await fetchPage(size, offset);
		const fresh = entries.filter((entry) => isNew(entry, seen));
		yield* fresh;
		offset += entries.length;
		firstLength ??= entries.length;
		if (
			fresh.length === 0 ||
			entries.length < firstLength ||
			(total !== undefined && offset >= total)
		)
			return;
	}
}

function isNew(entry: IDataObject, seen: Set<string>): boolean {
	const key = typeof entry.id === 'string' ? entry.id : JSON.stringify(entry);
	if (seen.has(key)) return false;
	seen.add(key);
	return true;
}

/**
 * Walks a list endpoint, in pages no bigger than the endpoint allows. The answer is an array, or an
 * object that has the array under `key` and may have `total_count`.
 * @throws ServiceFailure
 */
export function listEntries(
	service: ServiceClient,
	name: EndpointName,
	call: Call,
	key: string,
	most?: number,
): AsyncGenerator<IDataObject> {
	return walkPages(
		async (limit, offset) => {
			const answer = await service.json(name, { ...call, query: { ...call.query, limit, offset } });
			if (Array.isArray(answer)) return { entries: asObjects(answer) };
			const { [key]: entries, total_count: total } = asObject(answer);
			return { entries: asObjects(entries), ...(typeof total === 'number' && { total }) };
		},
		pageSizeOf(name, service.limits.pageSize),
		most,
	);
}

/** The wanted size of a page, or the biggest one of the endpoint if that is smaller. */
export function pageSizeOf(name: EndpointName, wanted: number): number {
	const { mostPerPage = wanted }: Endpoint = ENDPOINTS[name];
	return Math.min(wanted, mostPerPage);
}

/** Returns the first entries that pass a test. No page is fetched beyond the last one needed. */
export async function take(
	entries: AsyncIterable<IDataObject>,
	most: number,
	wanted: (entry: IDataObject) => boolean = () => true,
): Promise<IDataObject[]> {
	const taken: IDataObject[] = [];
	for await (const entry of entries) {
		if (wanted(entry)) taken.push(entry);
		if (taken.length >= most) break;
	}
	return taken;
}

import type { IDataObject } from 'n8n-workflow';

import type { Call, ServiceClient } from './client';
import type { EndpointName } from './endpoints';
import { asObject, asObjects } from './values/json';

export interface Page {
	entries: IDataObject[];
	/** How many there are in all, where the service says it. */
	total?: number;
}

/**
 * Walks a list with limit and offset (gaps.md §1) and gives each entry once. It stops asking as
 * soon as the caller stops taking.
 *
 * What it does not trust: that the service gives as many as it was asked for (it goes on until a
 * page is empty or shorter than the first), that it heeds the offset (a page without anything new
 * ends the walk), that nothing is added meanwhile (what slid onto the next page is not given
 * twice).
 * @param pageSize entries asked for at once
 * @param most entries the caller wants, so that no page is bigger than needed
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
 * A list endpoint as pages: an array, or an object with the array under `key` and perhaps
 * `total_count` (gaps.md §1).
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
		service.limits.pageSize,
		most,
	);
}

/** The first entries that pass a test; no page is fetched beyond the last one needed. */
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

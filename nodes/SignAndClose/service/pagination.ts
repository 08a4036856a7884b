import type { IDataObject } from 'n8n-workflow';

import type { Call, ServiceClient } from './client';
import { ENDPOINTS, type Endpoint, type EndpointName } from './endpoints';
import { asError, ServiceFailure } from './errors/failure';
import { fetchList, type ListName, type Page } from './lists';

/* Walks the service's lists page by page (docs/service/api.md#pagination). */

/** The size of a page, where the service publishes no maximum. */
const USUAL_PAGE = 100;
/** Faults and statuses that a smaller page may not have. */
const TOO_MUCH: ReadonlySet<string | number> = new Set([
	'ANSWER_TOO_BIG',
	'ANSWER_SLOW',
	'ESTALLED',
	'ETIMEDOUT',
	'ECONNABORTED',
	408,
	413,
	504,
]);

/**
 * Walks a list with `limit` and `offset` and yields each entry once. It fetches no further page
 * when the caller stops taking entries.
 *
 * It doesn't rely on the service in four points:
 *
 * - A service may return fewer entries than asked for. The walk goes on until a page is empty or
 *   shorter than the first one.
 * - A service may ignore `offset`. A page without anything new ends the walk.
 * - Entries may be added meanwhile. One that has moved to the next page isn't yielded twice.
 * - The total may be wrong. It only saves the request after a page that isn't full.
 *
 * Where a big page is too much for the service or for our limits, the walk goes on with small ones.
 *
 * @param pageSize how many entries to ask for at once
 * @param most how many entries the caller wants, so that no page is bigger than needed
 * @param ahead asks for the next page before the entries of the last one are handled; for callers
 *   that take all of them
 */
export async function* walkPages(
	fetchPage: (limit: number, offset: number) => Promise<Page>,
	pageSize: number,
	{ most = Number.POSITIVE_INFINITY, ahead = false }: { most?: number; ahead?: boolean } = {},
): AsyncGenerator<IDataObject> {
	const seen = new Set<string>();
	let size = Math.max(1, Math.min(pageSize, most));
	let firstLength: number | undefined;
	const fetchFrom = async (offset: number) => {
		try {
			return await fetchPage(size, offset);
		} catch (thrown) {
			if (size <= USUAL_PAGE || !isTooMuch(thrown)) throw asError(thrown);
			size = USUAL_PAGE;
			firstLength = undefined;
			return await fetchPage(size, offset);
		}
	};
	let next = fetchFrom(0);
	for (let offset = 0; ;) {
		const { entries, came = entries.length, total } = await next;
		const fresh = entries.filter((entry) => isNew(entry, seen));
		offset += came;
		firstLength ??= came;
		const isEnd = fresh.length === 0 || came < firstLength || isLast(came, size, offset, total);
		if (ahead && !isEnd) {
			next = fetchFrom(offset);
			// Should it fail when nobody takes entries any more, nobody handles it.
			next.catch(() => undefined);
		}
		yield* fresh;
		if (isEnd) return;
		if (!ahead) next = fetchFrom(offset);
	}
}

/** Whether a page may have come if it had been smaller. */
function isTooMuch(thrown: unknown): boolean {
	if (!(thrown instanceof ServiceFailure)) return false;
	const { reason } = thrown;
	return reason.code === 'unreachable'
		? TOO_MUCH.has(reason.fault)
		: reason.code === 'refused' && TOO_MUCH.has(reason.status);
}

/** Whether the service says that a page is the last, and the page doesn't say otherwise. */
function isLast(came: number, size: number, next: number, total: number | undefined): boolean {
	return came < size && total === next;
}

function isNew(entry: IDataObject, seen: Set<string>): boolean {
	const key = typeof entry.id === 'string' ? entry.id : JSON.stringify(entry);
	if (seen.has(key)) return false;
	seen.add(key);
	return true;
}

/**
 * Walks a list endpoint, in pages no bigger than the endpoint allows. See walkPages().
 * @param most how many entries the caller wants: infinity for all, nothing if that depends on them
 * @throws ServiceFailure, also when an answer holds no list
 */
export function listEntries(
	service: ServiceClient,
	name: ListName,
	call: Call = {},
	most?: number,
): AsyncGenerator<IDataObject> {
	return walkPages(
		async (limit, offset) =>
			await fetchList(service, name, { ...call, query: { ...call.query, limit, offset } }),
		pageSizeOf(name, service.limits.pageSize),
		{ most, ahead: most === Number.POSITIVE_INFINITY },
	);
}

/**
 * Reads one page of a list that somebody reads page by page, e.g. in the editor.
 * @returns the entries, and the offset of the next page; undefined after the last one
 * @throws ServiceFailure, also when the answer holds no list
 */
export async function readPage(
	service: ServiceClient,
	name: ListName,
	{ limit, offset, ...call }: Call & { limit: number; offset: number },
): Promise<{ entries: IDataObject[]; next?: number }> {
	const page = await fetchList(service, name, {
		...call,
		query: { ...call.query, limit, offset },
	});
	const { entries, came = entries.length, total } = page;
	const next = offset + came;
	const goesOn = came > 0 && (came >= limit || (total !== undefined && total > next));
	return { entries, ...(goesOn && { next }) };
}

/** The wanted size of a page, or what the endpoint is known to allow if that is smaller. */
export function pageSizeOf(name: EndpointName, wanted: number): number {
	const { mostPerPage = USUAL_PAGE }: Endpoint = ENDPOINTS[name];
	return Math.min(wanted, mostPerPage);
}

/**
 * How many entries of a list are needed at most. With a filter of our own, nobody knows how many will
 * be left of a page, unless all of them are wanted.
 * @returns undefined when nobody knows
 */
export function mostNeeded(limit: number, isFiltered: boolean): number | undefined {
	return isFiltered && Number.isFinite(limit) ? undefined : limit;
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

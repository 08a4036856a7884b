import type { IDataObject } from 'n8n-workflow';

import type { SharedWalks } from '../../../run/sharedWalks';
import { listPages } from '../../../transport/answers/pages';
import type { ServiceClient } from '../../../transport/client';
import type { Platform } from '../../../transport/service/endpoints';
import type { Filter } from './conditions';
import { FirstInOrder, type Order } from './order';

/* Finds transactions in the service's list, and notes how far it looked. */

/** What to look for. */
export interface Search {
	platform: Platform;
	/** Filters of the service (docs/service/transactions.md#filters-of-the-list). */
	query: IDataObject;
	/** Filters that the service doesn't have, by a name for each. */
	filters: Record<string, Filter>;
	/** How many transactions are wanted; infinity for all. */
	most: number;
	/** Without it, the service's own order: the newest first. */
	order?: Order;
}

/** What was found, and how far the list was read. */
export interface Found {
	transactions: IDataObject[];
	/** How many transactions were read. */
	read: number;
	/** Whether the list was read to its end. */
	complete: boolean;
	/** How many transactions were left out because they don't show what a filter compares. */
	unclear: Record<string, number>;
}

/**
 * Reads the list page by page until there are enough transactions. An order of our own needs the
 * whole list.
 * @throws ServiceFailure
 */
export async function findTransactions(
	walks: SharedWalks,
	service: ServiceClient,
	search: Search,
): Promise<Found> {
	const { platform, query, most, order } = search;
	const filters = Object.entries(search.filters);
	const sorted = order && new FirstInOrder(order, most);
	const found: Found = { transactions: [], read: 0, complete: true, unclear: {} };
	const visit = (transaction: IDataObject): boolean => {
		found.read += 1;
		if (!passes(transaction, filters, found.unclear)) return true;
		if (sorted !== undefined) sorted.add(transaction);
		else found.transactions.push(transaction);
		found.complete = found.transactions.length < most;
		return found.complete;
	};
	// With a filter of our own, nobody knows how many will be left of a page.
	const needed = sorted === undefined && filters.length === 0 ? most : Number.POSITIVE_INFINITY;
	const call = { platform, query };
	const pages = (largest: number) => listPages(service, 'listTransactions', call, largest);
	await walks.join(JSON.stringify(call), pages, needed, visit);
	return sorted === undefined ? found : { ...found, transactions: sorted.all() };
}

/** Whether a transaction passes all filters. One that some filter can't judge is counted. */
function passes(
	transaction: IDataObject,
	filters: Array<[string, Filter]>,
	unclear: Record<string, number>,
): boolean {
	const results = filters.map(([name, filter]) => [name, filter(transaction)] as const);
	if (results.some(([, result]) => result === false)) return false;
	const unknown = results.filter(([, result]) => result === undefined);
	for (const [name] of unknown) unclear[name] = (unclear[name] ?? 0) + 1;
	return unknown.length === 0;
}

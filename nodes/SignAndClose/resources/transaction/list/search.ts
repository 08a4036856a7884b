import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { SharedLists } from '../../../run/sharedLists';
import { streamListPages } from '../../../transport/answers/pages';
import type { ServiceClient } from '../../../transport/client';
import { toPlainText } from '../../../values/plainText';
import type { Platform } from '../../../transport/service/endpoints';
import { joinHints } from '../../../form/hints';
import type { TransactionFilter } from './conditions';
import type { ListFilters } from './filters';

/* Finds transactions in the service's list, and says how far it has read. */

/** What was found, and how far the list was read. */
interface SearchResult {
	transactions: IDataObject[];
	/** How many transactions were read. */
	readCount: number;
	/** Whether the list was read to its end. */
	isComplete: boolean;
	/** How many transactions were left out because they don't show what a filter compares. */
	leftOut: Record<string, number>;
}

/**
 * Reads the list page by page until there are enough transactions.
 * @param maxResults how many transactions are wanted; infinity for all
 * @throws ServiceFailure
 */
export async function findTransactions(
	lists: SharedLists,
	service: ServiceClient,
	platform: Platform,
	{ query, filters }: Pick<ListFilters, 'query' | 'filters'>,
	maxResults: number,
): Promise<SearchResult> {
	const result: SearchResult = { transactions: [], readCount: 0, isComplete: true, leftOut: {} };
	const visit = (transaction: IDataObject): boolean => {
		result.readCount += 1;
		if (passes(transaction, filters, result.leftOut)) result.transactions.push(transaction);
		result.isComplete = result.transactions.length < maxResults;
		return result.isComplete;
	};
	// With a filter of the node, nobody knows how many will be left of a page.
	const needed = Object.keys(filters).length === 0 ? maxResults : Infinity;
	const call = { platform, query };
	const readPages = (largest: number) =>
		streamListPages(service, 'listTransactions', call, largest);
	for await (const entries of lists.readPages(JSON.stringify(call), readPages, needed))
		if (!entries.every(visit)) break;
	return result;
}

/** Whether a transaction passes all filters. One that some filter can't judge is counted. */
function passes(
	transaction: IDataObject,
	filters: Record<string, TransactionFilter>,
	leftOut: Record<string, number>,
): boolean {
	const unknown: string[] = [];
	for (const [name, filter] of Object.entries(filters)) {
		const isPassed = filter(transaction);
		if (isPassed === false) return false;
		if (isPassed === undefined) unknown.push(name);
	}
	for (const name of unknown) leftOut[name] = (leftOut[name] ?? 0) + 1;
	return unknown.length === 0;
}

/** How far one item's search has read. */
interface SearchReport extends Omit<SearchResult, 'transactions'> {
	foundCount: number;
}

/** The reports of each run that is under way. */
const runs = new WeakMap<IExecuteFunctions, { ended: number; reports: SearchReport[] }>();

/**
 * Does the work of one item. After the last one of the run, one hint says how far all have read:
 * without it, nobody could tell whether there is nothing or whether the search ended before, and one
 * for each of many items would bury the output.
 * @param work gets what takes the report of the item's search
 */
export async function reportSearches<T>(
	context: IExecuteFunctions,
	work: (report: (search: SearchReport) => void) => Promise<T>,
): Promise<T> {
	const run = runs.get(context) ?? { ended: 0, reports: [] };
	runs.set(context, run);
	try {
		return await work((search) => void run.reports.push(search));
	} finally {
		run.ended += 1;
		if (run.ended === context.getInputData().length && run.reports.length > 0)
			// Not a hint of the results: there may be none.
			context.addExecutionHints({
				message: toPlainText(describeSearches(run.reports)),
				location: 'outputPane',
			});
	}
}

function describeSearches(reports: readonly SearchReport[]): string {
	const sum = (count: (report: SearchReport) => number) =>
		reports.reduce((total, report) => total + count(report), 0);
	const write = (count: (report: SearchReport) => number) => sum(count).toLocaleString('en-US');
	const isComplete = reports.every((report) => report.isComplete);
	const labels = [...new Set(reports.flatMap(({ leftOut }) => Object.keys(leftOut)))];
	const items = reports.length > 1 ? ` for ${reports.length} items` : '';
	return joinHints([
		`Transactions read: ${write(({ readCount }) => readCount)}${items}, ${isComplete ? 'to the end of the list' : 'until enough were found'}`,
		sum(({ foundCount }) => foundCount) === 0 ? 'None fits the filters' : undefined,
		isComplete ? undefined : "To look further, raise 'Limit' or turn on 'Return All'",
		...labels.map(
			(label) =>
				`Left out because they don't show what '${label}' compares: ${write(({ leftOut }) => leftOut[label] ?? 0)}`,
		),
	])!;
}

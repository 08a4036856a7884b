import { defineOperation } from '../../../run/operation';
import {
	defineFilters,
	limitFields,
	parseLimit,
	parsePlatform,
	platform,
} from '../../../form/commonFields';
import { listFilters, parseListFilters } from './filters';
import { findTransactions, reportSearches } from './search';
import {
	formatListedTransaction,
	parseTransactionOutput,
	transactionOutputFields,
} from '../output';

/**
 * Lists transactions, the newest first (docs/service/transactions.md#list-transactions). What the
 * service can't filter by, the node does, and says how far it has looked.
 */
export const getManyTransactions = defineOperation({
	resource: 'transaction',
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many transactions',
	description: 'List transactions by state, signer, name, number, expiration or time',
	kind: 'read',
	properties: [platform, ...limitFields, defineFilters(listFilters), ...transactionOutputFields],
	check: parseTransactionOutput,
	async execute({ context, service, params, lists }) {
		return await reportSearches(context, async (report) => {
			const chosenPlatform = parsePlatform(params);
			const search = parseListFilters(params, chosenPlatform, service.settings.organizationId);
			const limit = parseLimit(params);
			const maxResults = search.hasKey && Number.isFinite(limit) ? 1 : limit;
			const { transactions, ...searchReport } = await findTransactions(
				lists,
				service,
				chosenPlatform,
				search,
				maxResults,
			);
			if (Object.keys(search.filters).length > 0)
				report({ ...searchReport, foundCount: transactions.length });
			return transactions.map((entry) => ({ json: formatListedTransaction(params, entry) }));
		});
	},
});

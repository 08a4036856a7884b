import { defineOperation } from '../../run/operation';
import {
	filterCollection,
	many,
	parseLimit,
	parsePlatform,
	platform,
} from '../shared/commonFields';
import { listFilters, parseListFilters } from './list/filters';
import { findTransactions, reportSearches } from './list/search';
import { listedTransactionJson, parseTransactionForm, transactionOutput } from './output';

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
	properties: [platform, ...many, filterCollection(listFilters), ...transactionOutput],
	check: parseTransactionForm,
	async execute({ context, service, params, lists }) {
		return await reportSearches(context, async (report) => {
			const side = parsePlatform(params);
			const wanted = parseListFilters(params, side, service.settings.organizationId);
			const limit = parseLimit(params);
			const most = wanted.hasKey && Number.isFinite(limit) ? 1 : limit;
			const { transactions, ...how } = await findTransactions(lists, service, side, wanted, most);
			if (Object.keys(wanted.filters).length > 0) report(how);
			return transactions.map((entry) => ({ json: listedTransactionJson(params, entry) }));
		});
	},
});

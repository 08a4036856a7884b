import { defineOperation } from '../../run/operation';
import { collection } from '../shared/fields';
import { many, parseLimit, parsePlatform, platform } from '../shared/commonFields';
import { listFilters, listOptions } from './list/filters';
import { findTransactions } from './list/find';
import { readListFilters, readOrder } from './list/readFilters';
import { noteSearch } from './list/searchNotes';
import { readTransactionForm, transactionJson, transactionOutput } from './output';

/**
 * Lists transactions, the newest first (docs/service/transactions.md#list-transactions). What the
 * service can't filter by, the node does, and says how far it has looked.
 */
export const getManyTransactions = defineOperation({
	resource: 'transaction',
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many transactions',
	description: 'List transactions by state, signer, name, number, expiry or time',
	kind: 'read',
	properties: [
		platform,
		...many,
		collection('Filters', 'filters', listFilters, { placeholder: 'Add Filter' }),
		collection('Options', 'options', listOptions, { placeholder: 'Add Option' }),
		...transactionOutput,
	],
	check: readTransactionForm,
	async execute({ context, service, params, walks }) {
		return await noteSearch(context, async (tell) => {
			const side = parsePlatform(params);
			const { organizationId } = service.settings;
			const { query, filters, hasKey, unknownStates } = readListFilters(
				params,
				side,
				organizationId,
			);
			const limit = parseLimit(params);
			const order = readOrder(params);
			const endsAtKey = hasKey && order === undefined && Number.isFinite(limit);
			const most = endsAtKey ? 1 : limit;
			const { transactions, ...looked } = await findTransactions(walks, service, {
				platform: side,
				query,
				filters,
				most,
				order,
			});
			if (order !== undefined || Object.keys(filters).length > 0)
				tell({ ...looked, endedBy: endsAtKey ? 'key' : 'limit', unknownStates });
			return transactions.map((entry) => ({ json: transactionJson(params, entry) }));
		});
	},
});

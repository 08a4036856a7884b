import { defineOperation } from '../../core/operation';
import { collection } from '../../fields/shared/builders';
import { platform, readPlatform } from '../../fields/shared/platform';
import { many, readLimit } from '../../fields/shared/returnAll';
import {
	readTransactionForm,
	transactionJson,
	transactionOutput,
} from '../../fields/shared/transactionOutput';
import { listFilters, listOptions } from '../../fields/transaction/list/filters';
import { readListFilters, readOrder } from '../../fields/transaction/list/readFilters';
import { noteSearch } from '../../fields/transaction/list/searchNotes';
import { findTransactions } from '../../service/resources/transactionList/find';

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
			const side = readPlatform(params);
			const { organizationId } = service.settings;
			const { query, filters, hasKey, unknownStates } = readListFilters(
				params,
				side,
				organizationId,
			);
			const limit = readLimit(params);
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

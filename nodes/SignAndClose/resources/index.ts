import type { Operation } from '../run/operation';
import { searchDocuments } from './document/lists';
import * as list from './list';
import { searchRecords } from './notarizationRecord/lists';
import { searchNotaries } from './notary/lists';
import { getSigners, searchSigners } from './signer/lists';
import { searchTemplates } from './template/lists';
import {
	searchAgencies,
	searchJurisdictions,
	searchUnderwriters,
} from './transaction/closingLists';
import { searchTransactions } from './transaction/lists';
import { getClosingColumns, getTransactionColumns } from './transaction/row/rowFields';
import { getEvents, searchWebhooks } from './webhook/lists';

/** The operations of list.ts as an array. */
export const operations: readonly Operation[] = Object.values(list);

/** The node's `methods`, by the names that the fields of the forms use. */
export const methods = {
	listSearch: {
		searchAgencies,
		searchDocuments,
		searchJurisdictions,
		searchNotaries,
		searchRecords,
		searchSigners,
		searchTemplates,
		searchTransactions,
		searchUnderwriters,
		searchWebhooks,
	},
	loadOptions: { getEvents, getSigners },
	resourceMapping: { getClosingColumns, getTransactionColumns },
};

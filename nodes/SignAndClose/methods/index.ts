import {
	getEvents,
	searchNotaries,
	searchRecords,
	searchTemplates,
	searchWebhooks,
} from './account';
import { searchAgencies, searchJurisdictions, searchUnderwriters } from './closingChoices';
import { getClosingColumns, getTransactionColumns } from './rowColumns';
import { getSigners, searchDocuments, searchSigners } from './transactions';
import { searchTransactions } from './transactionSearch';

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

import {
	getEvents,
	searchNotaries,
	searchRecords,
	searchTemplates,
	searchWebhooks,
} from './account';
import { searchAgencies, searchJurisdictions, searchUnderwriters } from './closingChoices';
import { getSigners, searchDocuments, searchSigners, searchTransactions } from './transactions';

/** Everything that can be chosen instead of typed, by the names that fields/locators.ts uses. */
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
};

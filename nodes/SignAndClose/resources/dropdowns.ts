import { asObject, asText } from '../values/json';
import { listDocuments } from './document/api';
import { searchFormFields } from './document/places/formFields/dropdown';
import { listNotaries } from './notary/api';
import {
	fetchChosenTransaction,
	readPlatform,
	joinNameParts,
	definePagedSearch,
	readCached,
	defineSearch,
} from '../form/dropdowns';
import { formatPersonName } from '../form/output';
import { getSigners, searchSigners } from './signer/dropdowns';
import {
	searchAgencies,
	searchJurisdictions,
	searchUnderwriters,
} from './transaction/create/dropdowns';
import { searchTransactions } from './transaction/list/dropdowns';
import { getClosingColumns, getTransactionColumns } from './transaction/sheet/rowFields';
import { getEvents, searchWebhooks } from './webhook/dropdowns';

/* The dropdowns of the forms. Longer ones have files of their own. */

/** Lists the documents of the chosen transaction. */
const searchDocuments = defineSearch(async (context, connect) => {
	const documents = listDocuments(await fetchChosenTransaction(context, connect));
	return documents.map(({ id, document_name: name, requirement }) => ({
		name: joinNameParts([asText(name) ?? String(id), asText(requirement)]),
		value: asText(id),
	}));
});

/** Lists the notarization records, page by page, by day, signer and notary. */
const searchRecords = definePagedSearch({
	name: 'listRecords',
	toChoice: ({ id, meeting_start: start, notary_name: notary, signer_info: info }) => {
		const signer = asObject(info);
		const value = asText(id);
		const day = asText(start)?.slice(0, 10);
		const name = formatPersonName(signer) ?? asText(signer.email);
		return { name: joinNameParts([day, name, asText(notary)], value), value };
	},
});

/** Lists the notaries of the platform. */
const searchNotaries = defineSearch(async (context, connect) => {
	const service = await connect();
	const isBusiness = context.getCurrentNodeParameter('operation') === 'create';
	const platform = isBusiness ? 'business' : readPlatform(context);
	const { organizationId } = service.settings;
	const notaries = await readCached(
		service,
		['notaries', platform],
		async () => await listNotaries(service, { platform, organizationId }),
	);
	return notaries.map((notary) => ({
		name: joinNameParts([
			asText(notary.name) ?? formatPersonName(notary) ?? String(notary.id),
			asText(notary.us_state_abbr),
		]),
		value: asText(notary.id),
	}));
});

/**
 * Lists the templates, page by page. Their value is the permalink, because that is what `resource`
 * of a document takes (docs/service/documents.md#templates).
 */
const searchTemplates = definePagedSearch({
	name: 'listTemplates',
	toChoice: ({ id, name, permalink }) => ({
		name: asText(name) ?? String(id),
		value: asText(permalink) ?? asText(id),
		texts: [name, permalink, id],
	}),
});

/** The node's `methods`, by the names that the fields of the forms use. */
export const methods = {
	listSearch: {
		searchAgencies,
		searchDocuments,
		searchFormFields,
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

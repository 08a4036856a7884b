import { asText } from '../../values/json';
import { chosenTransaction, nameFrom, wholeSearch } from '../shared/lists';
import { documentsOf } from './api';

/** Lists the documents of the chosen transaction. */
export const searchDocuments = wholeSearch(async (context, connect) => {
	const documents = documentsOf(await chosenTransaction(context, connect));
	return documents.map(({ id, document_name: name, requirement }) => ({
		name: nameFrom([asText(name) ?? String(id), asText(requirement)]),
		value: asText(id),
	}));
});

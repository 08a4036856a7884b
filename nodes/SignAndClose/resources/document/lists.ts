import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { asText } from '../../values/json';
import { chosenTransaction, nameFrom, offered, withReason } from '../shared/lists';
import { documentsOf } from './api';

/**
 * Lists the documents of the chosen transaction.
 * @throws NodeOperationError with the remedy in its message
 */
export async function searchDocuments(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	return await withReason(this, async (connect) => {
		const documents = documentsOf(await chosenTransaction(this, connect));
		const choices = documents.map(({ id, document_name: name, requirement }) => ({
			name: nameFrom([asText(name) ?? String(id), asText(requirement)]),
			value: asText(id),
		}));
		return { results: offered(choices, filter) };
	});
}

import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { asText } from '../../values/json';
import { partOf, type ShownList, withReason } from '../shared/lists';

/**
 * Lists the templates, page by page. Their value is the permalink, because that is what `resource`
 * of a document takes (docs/service/documents.md#templates).
 * @throws NodeOperationError with the remedy in its message
 */
export async function searchTemplates(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	return await withReason(
		this,
		async (connect) => await partOf(await connect(), TEMPLATES, filter, paginationToken),
	);
}

const TEMPLATES: ShownList = {
	name: 'listTemplates',
	toChoice: ({ id, name, permalink }) => ({
		name: asText(name) ?? String(id),
		value: asText(permalink) ?? asText(id),
		texts: [name, permalink, id],
	}),
};

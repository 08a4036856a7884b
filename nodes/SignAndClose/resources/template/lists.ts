import { asText } from '../../values/json';
import { pagedSearch } from '../shared/lists';

/**
 * Lists the templates, page by page. Their value is the permalink, because that is what `resource`
 * of a document takes (docs/service/documents.md#templates).
 */
export const searchTemplates = pagedSearch({
	name: 'listTemplates',
	toChoice: ({ id, name, permalink }) => ({
		name: asText(name) ?? String(id),
		value: asText(permalink) ?? asText(id),
		texts: [name, permalink, id],
	}),
});

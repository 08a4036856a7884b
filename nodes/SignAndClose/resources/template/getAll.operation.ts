import { defineOperation } from '../../run/operation';
import { listEntries, take } from '../../transport/answers/pages';
import { many, parseLimit } from '../shared/commonFields';

/**
 * Lists the templates. A template's permalink can be the source of a document
 * (docs/service/documents.md#templates).
 */
export const getManyTemplates = defineOperation({
	resource: 'template',
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many templates',
	description: "List the templates stored in the service, which 'Document: Add' can use",
	kind: 'read',
	properties: [...many],
	async execute({ service, params }) {
		const limit = parseLimit(params);
		const templates = await take(listEntries(service, 'listTemplates', {}, limit), limit);
		return templates.map((template) => ({ json: { template_id: template.id, ...template } }));
	},
});

import { defineOperation } from '../../run/operation';
import { streamEntries, takeEntries } from '../../transport/answers/pages';
import { listResults, limitFields } from '../../form/commonFields';

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
	properties: [...limitFields],
	execute: listResults(
		'template_id',
		async ({ service }, limit) =>
			await takeEntries(streamEntries(service, 'listTemplates', {}, limit), limit),
	),
});

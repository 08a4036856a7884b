import { defineOperation } from '../../run/operation';
import { toEntry } from '../../transport/answers/shapes';
import { parsePlatform } from '../../form/commonFields';
import { defineNotaryLocator } from '../../form/locators';
import { withId } from '../../form/output';
import { defineNotaryPlatform } from './api';

/** Retrieves a notary (docs/service/notarization.md#get-a-notary). */
export const getNotary = defineOperation({
	resource: 'notary',
	value: 'get',
	name: 'Get',
	action: 'Get notary',
	description: 'Retrieve a notary, e.g. to see whether they can take meetings',
	kind: 'read',
	properties: [
		defineNotaryPlatform('The platform the notary belongs to'),
		{ ...defineNotaryLocator('notaryId', 'The notary to retrieve'), required: true },
	],
	async execute({ service, params }) {
		const notaryId = params.getRequiredLocator('notaryId');
		const call = { path: { notaryId }, platform: parsePlatform(params) };
		const notary = withId(toEntry(await service.json('getNotary', call)));
		return { json: { notary_id: notary.id, ...notary } };
	},
});

import { defineOperation } from '../../run/operation';
import {
	filterCollection,
	listResults,
	many,
	organizationId,
	parseOrganization,
	parsePlatform,
} from '../shared/commonFields';
import { parseState, stateField } from '../shared/places';
import { listNotaries, notaryPlatform } from './api';

const notaryFilters = [
	organizationId(
		'Only notaries of this organization, instead of the one in the credential. Only on business.',
	),
	stateField('State', 'us_state_abbr', 'Only notaries of this state'),
];

/**
 * Lists the notaries. The service answers with an array without pages
 * (docs/service/notarization.md#list-notaries).
 */
export const getManyNotaries = defineOperation({
	resource: 'notary',
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many notaries',
	description: 'List the notaries of your account',
	// It was the only one at first.
	initial: true,
	kind: 'read',
	properties: [
		notaryPlatform('The platform whose notaries to list'),
		...many,
		filterCollection(notaryFilters),
	],
	execute: listResults('notary_id', async ({ service, params }) => {
		const given = params.textOf(params.object('filters'), 'us_state_abbr');
		const state = given && parseState(given, params.label('us_state_abbr'));
		return await listNotaries(service, {
			platform: parsePlatform(params),
			organizationId: parseOrganization(params, service.settings, 'filters'),
			state,
		});
	}),
});

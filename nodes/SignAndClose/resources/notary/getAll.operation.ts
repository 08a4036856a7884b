import { defineOperation } from '../../run/operation';
import {
	defineFilters,
	listResults,
	limitFields,
	defineOrganizationId,
	parseOrganization,
	parsePlatform,
} from '../../form/commonFields';
import { parseState, defineStateField } from '../../form/statesAndCountries';
import { listNotaries, defineNotaryPlatform } from './api';

const notaryFilters = [
	defineOrganizationId(
		'Only notaries of this organization, instead of the one in the credential. Only on business.',
	),
	defineStateField('State', 'us_state_abbr', 'Only notaries of this state'),
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
		defineNotaryPlatform('The platform whose notaries to list'),
		...limitFields,
		defineFilters(notaryFilters),
	],
	execute: listResults('notary_id', async ({ service, params }) => {
		const stateText = params.getTextIn(params.getObject('filters'), 'us_state_abbr');
		const state = stateText && parseState(stateText, params.label('us_state_abbr'));
		return await listNotaries(service, {
			platform: parsePlatform(params),
			organizationId: parseOrganization(params, service.settings, params.getObject('filters')),
			state,
		});
	}),
});

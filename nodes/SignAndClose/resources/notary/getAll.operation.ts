import { defineOperation } from '../../run/operation';
import {
	many,
	organizationId,
	parseLimit,
	parseOrganization,
	parsePlatform,
	platform,
} from '../shared/commonFields';
import { collection } from '../shared/fields';
import { parseState, stateField } from '../shared/places';
import { listNotaries } from './api';

const filters = [
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
		{
			...platform,
			// The one that was asked before there was a choice.
			default: 'business',
			description: 'The platform whose notaries to list',
		},
		...many,
		collection('Filters', 'filters', filters, { placeholder: 'Add Filter' }),
	],
	async execute({ service, params }) {
		const limit = parseLimit(params);
		const given = params.textOf(params.object('filters'), 'us_state_abbr');
		const state = given && parseState(given, params.label('us_state_abbr'));
		const notaries = await listNotaries(service, {
			platform: parsePlatform(params),
			organizationId: parseOrganization(params, service.settings, 'filters'),
			state,
		});
		return notaries
			.slice(0, limit)
			.map((notary) => ({ json: { notary_id: notary.id, ...notary } }));
	},
});

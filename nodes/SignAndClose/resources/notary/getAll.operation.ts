import { defineOperation } from '../../run/operation';
import { collection } from '../shared/builders';
import { stateCode } from '../shared/checks';
import { organizationId, readOrganization } from '../shared/organization';
import { stateField } from '../shared/places';
import { platform, readPlatform } from '../shared/platform';
import { many, readLimit } from '../shared/returnAll';
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
		const limit = readLimit(params);
		const given = params.textOf(params.object('filters'), 'us_state_abbr');
		const state = given && stateCode(given, params.label('us_state_abbr'));
		const notaries = await listNotaries(service, {
			platform: readPlatform(params),
			organizationId: readOrganization(params, service.settings, 'filters'),
			state,
		});
		return notaries
			.slice(0, limit)
			.map((notary) => ({ json: { notary_id: notary.id, ...notary } }));
	},
});

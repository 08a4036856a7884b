import { defineOperation } from '../../core/operation';
import { stateCode } from '../../fields/shared/checks';
import { collection } from '../../fields/shared/builders';
import { organizationId, readOrganization } from '../../fields/shared/organization';
import { stateField } from '../../fields/form/places';
import { platform, readPlatform } from '../../fields/shared/platform';
import { many, readLimit } from '../../fields/shared/returnAll';
import { listNotaries } from '../../service/resources/notaries';

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

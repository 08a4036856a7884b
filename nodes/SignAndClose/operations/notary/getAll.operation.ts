import { defineOperation } from '../../core/operation';
import { stateCode } from '../../fields/shared/address';
import { collection, text } from '../../fields/shared/builders';
import { organizationId, readOrganization } from '../../fields/shared/organization';
import { many, readLimit } from '../../fields/shared/returnAll';
import { asObjects, withoutEmpty } from '../../service/values/json';

const filters = [
	organizationId('Only notaries of this organization, instead of the one in the credential'),
	text('State', 'us_state_abbr', 'MA', 'Only notaries of this state, as a two-letter code'),
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
	kind: 'read',
	properties: [...many, collection('Filters', 'filters', filters, { placeholder: 'Add Filter' })],
	async execute({ service, params }) {
		const limit = readLimit(params);
		const given = params.textOf(params.object('filters'), 'us_state_abbr');
		const state = given && stateCode(given, params.label('us_state_abbr'));
		const query = withoutEmpty({
			organization_id: readOrganization(params, service.settings, 'filters'),
			us_state_abbr: state,
		});
		const notaries = asObjects(await service.json('listNotaries', { query }));
		return notaries
			.slice(0, limit)
			.map((notary) => ({ json: { notary_id: notary.id, ...notary } }));
	},
});

import { defineOperation } from '../../core/operation';
import { stateCode } from '../../fields/shared/address';
import { collection, text } from '../../fields/shared/builders';
import { many, readLimit } from '../../fields/shared/returnAll';
import { transactionType } from '../../fields/transaction/transactionType';
import { asObject, asObjects, withoutEmpty } from '../../service/values/json';

const filters = [
	text(
		'State',
		'state_abbreviation',
		'MA',
		'Only underwriters of this state, as a two-letter code',
	),
	text(
		'Title Agent Email',
		'title_agent_email',
		'orders@title.example.com',
		'Only underwriters of this title agent',
	),
];

/** Lists the underwriters of a state (docs/service/closings.md#title-underwriters). */
export const getManyUnderwriters = defineOperation({
	resource: 'underwriter',
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many title underwriters',
	description: 'List the title underwriters for a type of closing, a state or a title agent',
	kind: 'read',
	properties: [
		transactionType,
		...many,
		collection('Filters', 'filters', filters, { placeholder: 'Add Filter' }),
	],
	async execute({ service, params }) {
		const limit = readLimit(params);
		const given = params.object('filters');
		const wanted = params.textOf(given, 'state_abbreviation');
		const state = wanted && stateCode(wanted, params.label('state_abbreviation'));
		const query = withoutEmpty({
			transaction_type: params.required('transactionType'),
			state_abbreviation: state,
			title_agent_email: params.textOf(given, 'title_agent_email'),
		});
		const { title_agent_found: found, eligible_title_underwriters: underwriters } = asObject(
			await service.json('listTitleUnderwriters', { query }),
		);
		return asObjects(underwriters)
			.slice(0, limit)
			.map((underwriter) => ({
				json: {
					title_underwriter_id: underwriter.id,
					...underwriter,
					title_agent_found: found ?? null,
				},
				hint:
					given.title_agent_email !== undefined && found === false
						? 'No title agent has this email address: these are the underwriters for the state'
						: undefined,
			}));
	},
});

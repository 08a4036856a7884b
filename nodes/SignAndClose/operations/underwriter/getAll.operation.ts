import type { IDataObject } from 'n8n-workflow';

import { InputFailure } from '../../core/explainedFailure';
import { readTogether } from '../../core/faults';
import { defineOperation } from '../../core/operation';
import type { Params } from '../../core/params';
import { addressState } from '../../fields/shared/address';
import { collection, text } from '../../fields/shared/builders';
import { stateCode } from '../../fields/shared/checks';
import { many, readLimit } from '../../fields/shared/returnAll';
import { transactionType } from '../../fields/transaction/transactionType';
import { readList } from '../../service/lists';
import { asBoolean } from '../../service/values/booleans';
import { asObject, withoutEmpty } from '../../service/values/json';

const filters = [
	// Its only place in version 0.1.0, so workflows store it here.
	text(
		'State (Earlier Field)',
		'state_abbreviation',
		'MA',
		"Two-letter code of the state. Only used if 'State' is empty.",
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
	description: 'List the title underwriters for a type of closing, a state and a title agent',
	kind: 'read',
	properties: [
		transactionType,
		...addressState({ description: 'State of the property. Required by the service.' }),
		...many,
		collection('Filters', 'filters', filters, { placeholder: 'Add Filter' }),
	],
	async execute({ service, params }) {
		const limit = readLimit(params);
		const given = params.object('filters');
		const query = withoutEmpty(
			readTogether({
				transaction_type: () => params.required('transactionType'),
				state_abbreviation: () => readState(params, given),
				title_agent_email: () => params.textOf(given, 'title_agent_email'),
			}),
		);
		const answer = await service.json('listTitleUnderwriters', { query });
		const agentFound = asBoolean(asObject(answer).title_agent_found);
		const { entries } = readList('listTitleUnderwriters', answer, (text) => service.redact(text));
		return entries.slice(0, limit).map((underwriter) => ({
			json: {
				title_underwriter_id: underwriter.id,
				...underwriter,
				title_agent_found: agentFound ?? null,
			},
			hint:
				given.title_agent_email !== undefined && agentFound === false
					? 'No title agent has this email address: these are the underwriters for the state'
					: undefined,
		}));
	},
});

function readState(params: Params, filters: IDataObject): string {
	const state = params.text('addressState') ?? params.textOf(filters, 'state_abbreviation');
	const label = params.label('addressState');
	if (state === undefined)
		throw new InputFailure(
			label,
			'is empty',
			'Choose the state of the property: the service lists underwriters by state',
		);
	return stateCode(state, label);
}

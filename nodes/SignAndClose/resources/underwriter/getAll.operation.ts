import { parseTogether } from '../../messages/inputFaults';
import { defineOperation } from '../../run/operation';
import { toList } from '../../transport/answers/lists';
import { asObject, withoutEmpty } from '../../values/json';
import { asBoolean } from '../../values/plainValues';
import { addressState } from '../address/form';
import { defineFilters, listResults, limitFields, transactionType } from '../../form/commonFields';
import { defineText } from '../../form/fields';
import { parseState } from '../../form/statesAndCountries';

const agentEmail = defineText(
	'Title Agent Email',
	'title_agent_email',
	'orders@title.example.com',
	'Only title underwriters of this title agent',
);

/** Lists the underwriters of a state (docs/service/closings.md#title-underwriters). */
export const getManyUnderwriters = defineOperation({
	resource: 'underwriter',
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many title underwriters',
	description: 'List the title underwriters for a type of closing, a state and a title agent',
	kind: 'read',
	properties: [transactionType, addressState, ...limitFields, defineFilters([agentEmail])],
	execute: listResults('title_underwriter_id', async ({ service, params }) => {
		const filterValues = params.getObject('filters');
		const query = withoutEmpty(
			parseTogether({
				transaction_type: () => params.getRequired('transactionType'),
				state_abbreviation: () =>
					parseState(params.getRequired('addressState'), params.label('addressState')),
				title_agent_email: () => params.getTextIn(filterValues, 'title_agent_email'),
			}),
		);
		const answer = await service.json('listTitleUnderwriters', { query });
		const agentFound = asBoolean(asObject(answer).title_agent_found) ?? null;
		const { entries } = toList('listTitleUnderwriters', answer, (text) => service.redact(text));
		return entries.map((underwriter) => ({ ...underwriter, title_agent_found: agentFound }));
	}),
});

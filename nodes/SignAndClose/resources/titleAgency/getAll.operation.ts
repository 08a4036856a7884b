import { InputFailure } from '../../messages/explainedFailure';
import { defineOperation } from '../../run/operation';
import { fetchList } from '../../transport/answers/lists';
import { withoutEmpty } from '../../values/json';
import { addressParameters, checkedAddress } from '../address/address';
import { many, parseLimit } from '../shared/commonFields';
import { collection, text } from '../shared/fields';
import { countryField, stateField } from '../shared/places';

const filters = [
	text('City', 'addressCity', 'Boston'),
	countryField('Country', 'addressCountry'),
	text(
		'Email',
		'email',
		'orders@title.example.com',
		'Only agencies with this email address, or with addresses of this domain',
	),
	stateField('State', 'addressState'),
	text('Street Address', 'addressLine1', '2 Long Wharf', 'Address of the agency itself'),
	text('Street Address Line 2', 'addressLine2', 'Unit 4'),
	text('Zip Code', 'addressZipCode', '02110'),
];

/**
 * Lists title agencies, by e-mail address, by address or by both
 * (docs/service/closings.md#title-agencies).
 */
export const getManyTitleAgencies = defineOperation({
	resource: 'titleAgency',
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many title agencies',
	description: 'List title agencies by email or by their own address',
	kind: 'read',
	properties: [...many, collection('Filters', 'filters', filters, { placeholder: 'Add Filter' })],
	async execute({ service, params }) {
		const limit = parseLimit(params);
		const given = params.object('filters');
		const part = (name: string) => params.textOf(given, name);
		const address = checkedAddress(
			{
				line1: part('addressLine1'),
				line2: part('addressLine2'),
				city: part('addressCity'),
				state: part('addressState'),
				postal: part('addressZipCode'),
				country: part('addressCountry'),
			},
			(field) => field,
		);
		const query = withoutEmpty({
			email: part('email'),
			...addressParameters('address', address),
		});
		if (Object.keys(query).length === 0)
			throw new InputFailure(
				params.label('filters'),
				'is empty',
				'Add the email address of the agency, or parts of its address',
			);
		const { entries: agencies } = await fetchList(service, 'listTitleAgencies', { query });
		return agencies
			.slice(0, limit)
			.map((agency) => ({ json: { title_agency_id: agency.id, ...agency } }));
	},
});

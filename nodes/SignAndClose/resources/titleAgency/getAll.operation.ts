import { InputFailure } from '../../messages/explainedFailure';
import { defineOperation } from '../../run/operation';
import { fetchList } from '../../transport/answers/lists';
import { withoutEmpty } from '../../values/json';
import { addressParameters, checkedAddress } from '../address/address';
import { filterCollection, listResults, many } from '../shared/commonFields';
import { text } from '../shared/fields';
import { countryField, stateField } from '../shared/places';

const PARTS = ['Line1', 'Line2', 'City', 'State', 'ZipCode', 'Country'];

const agencyFilters = [
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
	properties: [...many, filterCollection(agencyFilters)],
	execute: listResults('title_agency_id', async ({ service, params }) => {
		const given = params.object('filters');
		const names = ['email', ...PARTS.map((part) => `address${part}`)];
		const [email, line1, line2, city, state, postal, country] = names.map((name) =>
			params.textOf(given, name),
		);
		const parts = { line1, line2, city, state, postal, country };
		const address = checkedAddress(parts, (field) => field);
		const query = withoutEmpty({ email, ...addressParameters('address', address) });
		if (Object.keys(query).length === 0)
			throw new InputFailure(
				params.label('filters'),
				'is empty',
				'Add the email address of the agency, or parts of its address',
			);
		return (await fetchList(service, 'listTitleAgencies', { query })).entries;
	}),
});

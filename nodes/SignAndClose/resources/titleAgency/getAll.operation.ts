import { InputFailure } from '../../messages/failures';
import { defineOperation } from '../../run/operation';
import { fetchList } from '../../transport/answers/lists';
import { withoutEmpty } from '../../values/json';
import { buildAddressParameters, normalizeAddress } from '../address/form';
import { defineFilters, listResults, limitFields } from '../../form/commonFields';
import { defineText } from '../../form/fields';
import { defineCountryField, defineStateField } from '../../form/statesAndCountries';

const ADDRESS_PARTS = ['Line1', 'Line2', 'City', 'State', 'ZipCode', 'Country'];

const agencyFilters = [
	defineText('City', 'addressCity', 'Boston'),
	defineCountryField('Country', 'addressCountry'),
	defineText(
		'Email',
		'email',
		'orders@title.example.com',
		'Only agencies with this email address, or with addresses of this domain',
	),
	defineStateField('State', 'addressState'),
	defineText('Street Address', 'addressLine1', '2 Long Wharf', 'Address of the agency itself'),
	defineText('Street Address Line 2', 'addressLine2', 'Unit 4'),
	defineText('Zip Code', 'addressZipCode', '02110'),
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
	properties: [...limitFields, defineFilters(agencyFilters)],
	execute: listResults('title_agency_id', async ({ service, params }) => {
		const filterValues = params.getObject('filters');
		const names = ['email', ...ADDRESS_PARTS.map((part) => `address${part}`)];
		const [email, line1, line2, city, state, postal, country] = names.map((name) =>
			params.getTextIn(filterValues, name),
		);
		const parts = { line1, line2, city, state, postal, country };
		const address = normalizeAddress(parts, (field) => field);
		const query = withoutEmpty({ email, ...buildAddressParameters('address', address) });
		if (Object.keys(query).length === 0)
			throw new InputFailure(
				params.label('filters'),
				'is empty',
				'Add the email address of the agency, or parts of its address',
			);
		return (await fetchList(service, 'listTitleAgencies', { query })).entries;
	}),
});

import { InputFailure } from '../../core/explainedFailure';
import { defineOperation } from '../../core/operation';
import { collection, text } from '../../fields/shared/builders';
import { many, readLimit } from '../../fields/shared/returnAll';
import { asObjects, withoutEmpty } from '../../service/values/json';

const ADDRESS = {
	line1: 'addressLine1',
	line2: 'addressLine2',
	city: 'addressCity',
	state: 'addressState',
	postal: 'addressZipCode',
	country: 'addressCountry',
};

const filters = [
	text('City', 'addressCity', 'Boston'),
	text('Country', 'addressCountry', 'US', 'Two-letter code'),
	text('Email', 'email', 'orders@title.example.com', 'Only the agency with this email address'),
	text('State', 'addressState', 'MA', 'Two-letter code'),
	text(
		'Street Address',
		'addressLine1',
		'100 Harbor Street',
		'Only agencies that serve this property',
	),
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
	description: 'List the title agencies that serve an address, or find one by email',
	kind: 'read',
	properties: [...many, collection('Filters', 'filters', filters, { placeholder: 'Add Filter' })],
	async execute({ service, params }) {
		const limit = readLimit(params);
		const given = params.object('filters');
		const parts = Object.entries(ADDRESS).map(([part, name]) => [
			`address[${part}]`,
			params.textOf(given, name),
		]);
		const query = withoutEmpty({
			email: params.textOf(given, 'email'),
			...Object.fromEntries(parts),
		});
		if (Object.keys(query).length === 0)
			throw new InputFailure(
				params.label('filters'),
				'is empty',
				'Add the email address of the agency, or parts of the address of the property',
			);
		const agencies = asObjects(await service.json('listTitleAgencies', { query }));
		return agencies
			.slice(0, limit)
			.map((agency) => ({ json: { title_agency_id: agency.id, ...agency } }));
	},
});

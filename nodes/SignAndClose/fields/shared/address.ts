import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { InputFailure } from '../../core/explainedFailure';
import type { Params } from '../../core/params';
import type { ServiceSettings } from '../../service/transport/credential';
import { withoutEmpty } from '../../service/values/json';
import { text } from './builders';
import { readOrganization } from './organization';

/**
 * The fields for the address of the property (docs/service/closings.md#address-of-the-property).
 */
export const addressProperties: INodeProperties[] = [
	{
		displayName: 'Street Address',
		name: 'addressLine1',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. 100 Harbor Street',
		description: 'Street and number of the property',
	},
	{
		displayName: 'Street Address Line 2',
		name: 'addressLine2',
		type: 'string',
		default: '',
		placeholder: 'e.g. Unit 4',
		description: 'Apartment, suite or unit of the property',
	},
	{
		displayName: 'City',
		name: 'addressCity',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. Boston',
	},
	{
		displayName: 'State',
		name: 'addressState',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. MA',
		description: 'Two-letter code of the state',
	},
	{
		displayName: 'Zip Code',
		name: 'addressZipCode',
		type: 'string',
		default: '',
		placeholder: 'e.g. 02110',
		description:
			'Zip code of the property. Most services need it to find the recording jurisdiction.',
	},
];

/**
 * Reads the code of a state (docs/service/api.md#limits).
 * @returns two capital letters
 * @throws InputFailure for anything else
 */
export function stateCode(text: string, label: string): string {
	const code = text.toUpperCase();
	if (!/^[A-Z]{2}$/.test(code))
		throw new InputFailure(
			label,
			`is '${code}'`,
			'Enter the two-letter code of the state, e.g. MA',
		);
	return code;
}

interface PropertyAddress {
	line1: string;
	line2?: string;
	city: string;
	state: string;
	zipCode?: string;
}

/**
 * Reads the property's address.
 * @throws InputFailure when a part is empty, the state isn't a two-letter code or the zip code is
 *   too long
 */
export function readAddress(params: Params): PropertyAddress {
	const state = stateCode(params.required('addressState'), params.label('addressState'));
	const zipCode = params.text('addressZipCode');
	if (zipCode !== undefined && zipCode.length > 10) {
		throw new InputFailure(
			params.label('addressZipCode'),
			'is longer than 10 characters',
			'Enter only the zip code, e.g. 02110',
		);
	}
	return {
		line1: params.required('addressLine1'),
		line2: params.text('addressLine2'),
		city: params.required('addressCity'),
		state,
		zipCode,
	};
}

/** The country of the property, which is optional. */
export const addressCountry: INodeProperties = text(
	'Country',
	'country',
	'US',
	'Two-letter code of the country of the property',
);

/** Builds the query that checks an address (docs/service/closings.md#verify-an-address). */
export function addressQuery(
	transactionType: string,
	address: PropertyAddress,
	more: { country?: string; organizationId?: string } = {},
): IDataObject {
	return withoutEmpty({
		transaction_type: transactionType,
		'street_address[line1]': address.line1,
		'street_address[line2]': address.line2,
		'street_address[city]': address.city,
		'street_address[state]': address.state,
		'street_address[postal]': address.zipCode,
		'street_address[country]': more.country?.toUpperCase(),
		organization_id: more.organizationId,
	});
}

/**
 * Builds this query from an item's parameters.
 * @throws InputFailure when a part of the address can't be used
 */
export function readAddressQuery(params: Params, settings: ServiceSettings): IDataObject {
	const country = params.textOf(params.object('additionalFields'), 'country');
	return addressQuery(params.required('transactionType'), readAddress(params), {
		country,
		organizationId: readOrganization(params, settings),
	});
}

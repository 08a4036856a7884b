import type { INodeProperties } from 'n8n-workflow';

import type { Params } from '../core/params';
import { InputFailure } from '../service/failures';

/** Address of the property (interface.md §2, street_address). */
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
	{ displayName: 'City', name: 'addressCity', type: 'string', default: '', required: true, placeholder: 'e.g. Boston' },
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
		description: 'Postal code of the property. Live services require it to find the recording jurisdiction.',
	},
];

export interface PropertyAddress {
	line1: string;
	line2?: string;
	city: string;
	state: string;
	zipCode?: string;
}

/**
 * Reads the property's address.
 * @throws InputFailure when a part is empty or the state is no two-letter code (gaps.md §2)
 */
export function readAddress(params: Params): PropertyAddress {
	const state = params.required('addressState').toUpperCase();
	if (!/^[A-Z]{2}$/.test(state)) {
		throw new InputFailure(params.label('addressState'), `is '${state}'`, 'Enter the two-letter code of the state, e.g. MA');
	}
	const zipCode = params.text('addressZipCode');
	if (zipCode !== undefined && zipCode.length > 10) {
		throw new InputFailure(params.label('addressZipCode'), 'is longer than 10 characters', 'Enter the postal code alone, e.g. 02110');
	}
	return { line1: params.required('addressLine1'), line2: params.text('addressLine2'), city: params.required('addressCity'), state, zipCode };
}

import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { parseTogether } from '../../messages/inputFaults';
import type { Params } from '../../run/parameters/params';
import type { ServiceSettings } from '../../transport/service/credential';
import { withoutEmpty } from '../../values/json';
import { parsePostalCode } from '../../form/checks';
import { defineOrganizationId, parseOrganization } from '../../form/commonFields';
import { defineCollection, defineText } from '../../form/fields';
import {
	parseCountry,
	parseState,
	defineCountryField,
	defineStateField,
} from '../../form/statesAndCountries';

/** The state of the property. */
export const addressState: INodeProperties = {
	...defineStateField('State', 'addressState'),
	required: true,
};

/**
 * The fields for the address of the property (docs/service/closings.md#address-of-the-property).
 */
export const addressProperties: INodeProperties[] = [
	{
		...defineText(
			'Street Address',
			'addressLine1',
			'100 Harbor Street',
			'Street and number of the property',
		),
		required: true,
	},
	defineText(
		'Street Address Line 2',
		'addressLine2',
		'Unit 4',
		'Apartment, suite or unit of the property',
	),
	{ ...defineText('City', 'addressCity', 'Boston'), required: true },
	addressState,
	defineText(
		'Zip Code',
		'addressZipCode',
		'02110',
		'Zip code of the property. Most services need it to find the recording jurisdiction.',
	),
];

/** An address by its parts; those that aren't filled in are missing. */
export interface AddressParts {
	line1?: string;
	line2?: string;
	city?: string;
	state?: string;
	postal?: string;
	country?: string;
}

/**
 * Brings the parts of an address into the service's form (docs/service/signers.md#addresses).
 * @param getLabel returns the label of State, Zip Code or Country for messages
 * @throws InputFailure when state or country isn't a two-letter code, or the zip code isn't one
 */
export function normalizeAddress(
	parts: AddressParts,
	getLabel: (field: string) => string,
): AddressParts {
	const { state, postal, country } = parts;
	const parseCountryCode = () => country && parseCountry(country, getLabel('Country'));
	const normalized = parseTogether({
		country: parseCountryCode,
		state: () => state && parseState(state, getLabel('State')),
		// Which zip codes are right depends on the country.
		postal: () => postal && parsePostalCode(postal, parseCountryCode(), getLabel('Zip Code')),
	});
	return { ...parts, ...withoutEmpty(normalized) };
}

type PropertyAddress = AddressParts & Required<Pick<AddressParts, 'line1' | 'city' | 'state'>>;

/**
 * Reads the property's address.
 * @param country on which it depends what a zip code is
 * @throws InputFailure when a part is empty or isn't in the service's form
 */
export function parseAddress(params: Params, country?: string): PropertyAddress {
	const getLabel = (field: string) =>
		params.label(field === 'Country' ? 'country' : `address${field.replace(' ', '')}`);
	const { rest: optionalParts, ...required } = parseTogether({
		line1: () => params.getRequired('addressLine1'),
		city: () => params.getRequired('addressCity'),
		state: () => parseState(params.getRequired('addressState'), getLabel('State')),
		rest: () =>
			normalizeAddress(
				{
					line2: params.getText('addressLine2'),
					postal: params.getText('addressZipCode'),
					country,
				},
				getLabel,
			),
	});
	return { ...required, ...optionalParts };
}

/** The optional fields of the operations that check an address. */
export const addressOptions = defineCollection('Additional Fields', 'additionalFields', [
	defineCountryField('Country', 'country', 'Country of the property'),
	defineOrganizationId('Organization to check for, instead of the one in the credential'),
]);

/** Builds the query that checks an address (docs/service/closings.md#verify-an-address). */
export function buildAddressQuery(
	transactionType: string,
	address: PropertyAddress,
	organizationId: string | undefined,
): IDataObject {
	return withoutEmpty({
		transaction_type: transactionType,
		...buildAddressParameters('street_address', address),
		organization_id: organizationId,
	});
}

/** Builds the parameters of a query for an address: `street_address[line1]` and so on. */
export const buildAddressParameters = (name: string, address: AddressParts): IDataObject =>
	Object.fromEntries(Object.entries(address).map(([part, value]) => [`${name}[${part}]`, value]));

/**
 * Builds this query from an item's parameters.
 * @throws InputFailure when a part of the address can't be used
 */
export function parseAddressQuery(params: Params, settings: ServiceSettings): IDataObject {
	const country = params.getTextIn(params.getObject('additionalFields'), 'country');
	const { type, address, organizationId } = parseTogether({
		type: () => params.getRequired('transactionType'),
		address: () => parseAddress(params, country),
		organizationId: () => parseOrganization(params, settings),
	});
	return buildAddressQuery(type, address, organizationId);
}

/**
 * Builds the address of a property. The zip code goes under both of its names, `zip_code`
 * (documented) and `postal` (live services): docs/service/closings.md#address-of-the-property.
 * @returns only the parts that are filled in
 */
export const toStreetAddress = ({ line1, line2, city, state, postal }: AddressParts): IDataObject =>
	withoutEmpty({ line1, line2, city, state, zip_code: postal, postal });

import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { requireChanges } from '../../../form/checks';
import { InputFailure } from '../../../messages/failures';
import { parseEach, parseTogether } from '../../../messages/inputFaults';
import type { OperationCall } from '../../../run/operation';
import type { Params } from '../../../run/parameters/params';
import { asObject, withoutEmpty } from '../../../values/json';
import { normalizeAddress, toStreetAddress } from '../../address/form';
import { parsePlatform, transactionType } from '../../../form/commonFields';
import { defineCollection, defineRows, defineText } from '../../../form/fields';
import {
	agencyLocator,
	documentLocator,
	jurisdictionLocator,
	underwriterLocator,
} from '../../../form/locators';
import { defineStateField } from '../../../form/statesAndCountries';
import { defineSignerRows } from '../../signer/form';
import { parseSignerRows } from '../../signer/input';
import { closingChangeFields, buildLocatorParsers, parseClosingFields } from '../create/closing';
import { returnSigningLinks } from '../sendOptions';
import { businessFields, parseBusinessFields } from '../create/business';

/* The fields of a draft that can be changed (docs/service/transactions.md#update-a-draft). */

const order = defineRows('Document Order', 'documents', 'Document', [documentLocator], {
	description: 'Documents in display order',
});

const name = defineText('Transaction Name', 'transaction_name', 'Refinance 100 Harbor Street');

const businessUpdates: INodeProperties[] = [
	// A change sends nothing.
	...businessFields.filter((field) => field.name !== returnSigningLinks.name),
	name,
	order,
	defineSignerRows(
		'Signers',
		'signers',
		"All signers of the transaction. Signers you don't list are removed.",
	),
];

const address: INodeProperties = {
	displayName: 'Address',
	name: 'street_address',
	type: 'fixedCollection',
	placeholder: 'Add Address',
	default: {},
	description: 'Address of the property. Parts you leave empty keep their values.',
	options: [
		{
			displayName: 'Address',
			name: 'row',
			values: [
				defineText('Street Address', 'line1', '100 Harbor Street'),
				defineText('Street Address Line 2', 'line2', 'Unit 4'),
				defineText('City', 'city', 'Boston'),
				defineStateField('State', 'state'),
				defineText('Zip Code', 'zipCode', '02110'),
			],
		},
	],
};

/** The lists that depend on choices in the same collection. */
function moveToUpdateFields(locator: INodeProperties): INodeProperties {
	const dependsOn = locator.typeOptions?.loadOptionsDependsOn?.map(
		(name) => `updateFields.${name}`,
	);
	return { ...locator, typeOptions: { ...locator.typeOptions, loadOptionsDependsOn: dependsOn } };
}

const closingUpdates: INodeProperties[] = [
	...closingChangeFields,
	address,
	name,
	order,
	{
		...jurisdictionLocator,
		description: 'Where the deed is recorded. The list shows the jurisdictions of the closing.',
	},
	defineSignerRows(
		'Signers',
		'signers',
		"All signers of the closing, starting with the primary signer. Signers you don't list are removed.",
	),
	moveToUpdateFields(agencyLocator),
	moveToUpdateFields(underwriterLocator),
	{ ...transactionType, name: 'transaction_type' },
];

/** The fields of each platform, shown when it is chosen. */
export const updateFields: INodeProperties[] = [
	defineCollection('Update Fields', 'updateFields', businessUpdates, {
		displayOptions: { show: { platform: ['business'] } },
	}),
	defineCollection('Update Fields', 'updateFields', closingUpdates, {
		displayOptions: { show: { platform: ['realEstate'] } },
	}),
];

/**
 * Parses the changes as fields of the request.
 * @throws InputFailure when nothing is to change, or naming the field
 */
export function parseUpdates(call: OperationCall): IDataObject {
	const { params, service } = call;
	const values = params.getObject('updateFields');
	let signers: IDataObject[] = [];
	const { changes, order } = parseTogether({
		signers() {
			// A field that was added without a row isn't filled in.
			const rows = values.signers ?? {};
			({ signers } = parseSignerRows(params, 'signers', service.settings.assuranceField, rows));
		},
		changes: (): IDataObject =>
			parsePlatform(params) === 'business'
				? {
						...withoutEmpty({ transaction_name: params.getTextIn(values, 'transaction_name') }),
						...parseBusinessFields(params, values, signers),
					}
				: parseClosingUpdates(call, values),
		order: () => parseDocumentOrder(call, values.documents ?? {}),
	});
	if (signers.length > 0) changes.signers = signers;
	if (order.length > 0) changes.documents = order;
	requireChanges(params, changes);
	return changes;
}

function parseClosingUpdates({ params }: OperationCall, values: IDataObject): IDataObject {
	const {
		optional: { fields, country },
		address,
		...parsedFields
	} = parseTogether({
		optional: () => parseClosingFields(params, values, closingChangeFields),
		address: () => parseChangedAddress(params, values),
		transaction_name: () => params.getTextIn(values, 'transaction_name'),
		transaction_type: () => params.getTextIn(values, 'transaction_type'),
		...buildLocatorParsers(params, values),
	});
	const streetAddress = { ...address, ...withoutEmpty({ country }) };
	return {
		...withoutEmpty(parsedFields),
		...(Object.keys(streetAddress).length > 0 && { street_address: streetAddress }),
		...fields,
	};
}

/** Parses the parts of the address that change. */
function parseChangedAddress(params: Params, values: IDataObject): IDataObject {
	const parts = asObject(asObject(values.street_address).row);
	const names = ['line1', 'line2', 'city', 'state', 'zipCode'];
	const [line1, line2, city, state, postal] = names.map((name) => params.getTextIn(parts, name));
	const label = params.label('street_address');
	return toStreetAddress(
		normalizeAddress({ line1, line2, city, state, postal }, (field) => `${label}: ${field}`),
	);
}

/**
 * Parses the new order of documents. Positions count from 0
 * (docs/service/transactions.md#order-of-documents).
 */
function parseDocumentOrder({ params }: OperationCall, value: unknown): IDataObject[] {
	return parseEach(params.getRows('documents', value), (row, index) => {
		const id = params.parseLocator('documentId', row.documentId);
		if (id === undefined)
			throw new InputFailure(
				params.label('documents'),
				`, entry ${index + 1}: 'Document' is empty`,
				'Choose a document or remove the entry',
			);
		return { id, bundle_position: index };
	});
}

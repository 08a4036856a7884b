import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { InputFailure } from '../../../messages/explainedFailure';
import { parseEach, parseTogether } from '../../../messages/faults';
import type { OperationCall } from '../../../run/operation';
import type { Params } from '../../../run/parameters/params';
import { asObject, withoutEmpty } from '../../../values/json';
import { checkedAddress, toStreetAddress } from '../../address/address';
import { parsePlatform, transactionType } from '../../shared/commonFields';
import { collection, rows, text } from '../../shared/fields';
import {
	agencyLocator,
	documentLocator,
	jurisdictionLocator,
	underwriterLocator,
} from '../../shared/locators';
import { stateField } from '../../shared/places';
import { signerRows } from '../../signer/form';
import { parseSignerRows } from '../../signer/input';
import { closingChanges, locatorParsers, parseClosingFields } from './closing';
import { returnSigningLinks } from './sendOptions';
import { businessFields, parseBusinessFields } from './transaction';

/* The fields of a draft that can be changed (docs/service/transactions.md#update-a-draft). */

const order = rows('Document Order', 'documents', 'Document', [documentLocator], {
	description: 'Documents in display order',
});

const name = text('Transaction Name', 'transaction_name', 'Refinance 100 Harbor Street');

const businessUpdates: INodeProperties[] = [
	// A change sends nothing.
	...businessFields.filter((field) => field.name !== returnSigningLinks.name),
	name,
	order,
	signerRows(
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
				text('Street Address', 'line1', '100 Harbor Street'),
				text('Street Address Line 2', 'line2', 'Unit 4'),
				text('City', 'city', 'Boston'),
				stateField('State', 'state'),
				text('Zip Code', 'zipCode', '02110'),
			],
		},
	],
};

const closingUpdates: INodeProperties[] = [
	...closingChanges,
	address,
	name,
	order,
	{
		...jurisdictionLocator,
		description: 'Where the deed is recorded. The list shows the jurisdictions of the closing.',
	},
	signerRows(
		'Signers',
		'signers',
		"All signers of the closing, starting with the primary signer. Signers you don't list are removed.",
	),
	agencyLocator,
	underwriterLocator,
	{ ...transactionType, name: 'transaction_type' },
];

/** The fields of each platform, shown when it is chosen. */
export const updateFields: INodeProperties[] = [
	collection('Update Fields', 'updateFields', businessUpdates, {
		displayOptions: { show: { platform: ['business'] } },
	}),
	collection('Update Fields', 'updateFields', closingUpdates, {
		displayOptions: { show: { platform: ['realEstate'] } },
	}),
];

/**
 * Parses the changes as fields of the request.
 * @throws InputFailure when nothing is to change, or naming the field
 */
export function parseUpdates(call: OperationCall): IDataObject {
	const { params, service } = call;
	const values = params.object('updateFields');
	let signers: IDataObject[] = [];
	const { changes, order } = parseTogether({
		signers() {
			// A field that was added without a row isn't filled in.
			const rows = values.signers ?? {};
			signers = parseSignerRows(params, 'signers', service.settings.assuranceField, rows);
		},
		changes: (): IDataObject =>
			parsePlatform(params) === 'business'
				? {
						...withoutEmpty({ transaction_name: params.textOf(values, 'transaction_name') }),
						...parseBusinessFields(params, values, signers),
					}
				: parseClosingUpdates(call, values),
		order: () => parseOrder(call, values.documents ?? {}),
	});
	if (signers.length > 0) changes.signers = signers;
	if (order.length > 0) changes.documents = order;
	if (Object.keys(changes).length === 0)
		throw new InputFailure(
			params.label('updateFields'),
			'is empty',
			'Add at least one field to change',
		);
	return changes;
}

function parseClosingUpdates({ params }: OperationCall, values: IDataObject): IDataObject {
	const {
		optional: { fields, country },
		address,
		...named
	} = parseTogether({
		optional: () => parseClosingFields(params, values, closingChanges),
		address: () => parseNewAddress(params, values),
		transaction_name: () => params.textOf(values, 'transaction_name'),
		transaction_type: () => params.textOf(values, 'transaction_type'),
		...locatorParsers(params, values),
	});
	const place = { ...address, ...withoutEmpty({ country }) };
	return {
		...withoutEmpty(named),
		...(Object.keys(place).length > 0 && { street_address: place }),
		...fields,
	};
}

/** Parses the parts of the address that change. */
function parseNewAddress(params: Params, values: IDataObject): IDataObject {
	const parts = asObject(asObject(values.street_address).row);
	const names = ['line1', 'line2', 'city', 'state', 'zipCode'];
	const [line1, line2, city, state, postal] = names.map((name) => params.textOf(parts, name));
	const label = params.label('street_address');
	return toStreetAddress(
		checkedAddress({ line1, line2, city, state, postal }, (field) => `${label}: ${field}`),
	);
}

/**
 * Parses the new order of documents. Positions count from 0
 * (docs/service/transactions.md#order-of-documents).
 */
function parseOrder({ params }: OperationCall, value: unknown): IDataObject[] {
	return parseEach(params.rows('documents', value), (row, index) => {
		const id = params.locatorOf('documentId', row.documentId);
		if (id === undefined)
			throw new InputFailure(
				params.label('documents'),
				`, entry ${index + 1}: 'Document' is empty`,
				'Choose a document or remove the entry',
			);
		return { id, bundle_position: index };
	});
}

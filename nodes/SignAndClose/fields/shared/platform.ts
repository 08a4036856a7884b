import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { Params } from '../../core/params';
import type { Platform } from '../../service/endpoints';
import { simplifyTransaction, withTransactionIds } from '../../service/resources/transactions';

/** The two platforms of interface.md §1. */
export const platform: INodeProperties = {
	displayName: 'Platform',
	name: 'platform',
	type: 'options',
	options: [
		{ name: 'Real Estate', value: 'realEstate', description: 'Closings of loans and title' },
		{ name: 'Business', value: 'business', description: 'Any other signing or notarization' },
	],
	default: 'realEstate',
	description: 'The platform the transaction belongs to',
};

export const simplify: INodeProperties = {
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
};

export const outputField: INodeProperties = {
	displayName: 'Put Output File in Field',
	name: 'binaryPropertyName',
	type: 'string',
	default: 'data',
	required: true,
	hint: 'The name of the output binary field to put the file in',
};

/** The platform an item works on. */
export function readPlatform(params: Params): Platform {
	return params.text('platform') === 'business' ? 'business' : 'realEstate';
}

/**
 * A transaction as the item wants it: simplified, or as the service gave it with its ids at top
 * level.
 */
export function transactionJson(params: Params, transaction: IDataObject): IDataObject {
	return params.boolean('simplify')
		? simplifyTransaction(transaction)
		: withTransactionIds(transaction);
}

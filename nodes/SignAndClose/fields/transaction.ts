import type { INodeProperties } from 'n8n-workflow';

import type { Params } from '../core/params';
import type { Platform } from '../service/endpoints';

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

export const transactionLocator: INodeProperties = {
	displayName: 'Transaction',
	name: 'transactionId',
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	required: true,
	description: 'The transaction to work on',
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			placeholder: 'Select a transaction...',
			typeOptions: { searchListMethod: 'searchTransactions', searchable: true },
		},
		{ displayName: 'By ID', name: 'id', type: 'string', placeholder: 'e.g. ot_9a8b7c6d' },
	],
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

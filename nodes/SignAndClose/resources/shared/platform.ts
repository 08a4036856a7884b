import type { INodeProperties } from 'n8n-workflow';

import type { Params } from '../../run/parameters/params';
import type { Platform } from '../../transport/service/endpoints';

/** The choice between the two platforms (docs/service/README.md#the-two-platforms). */
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

/** Whether to return a simplified version of an answer. */
export const simplify: INodeProperties = {
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
};

/** The binary field that a downloaded file is put into. */
export const outputField: INodeProperties = {
	displayName: 'Put Output File in Field',
	name: 'binaryPropertyName',
	type: 'string',
	default: 'data',
	required: true,
	hint: 'The name of the output binary field to put the file in',
};

/** Reads the platform that an item works on. Operations without the choice work on real estate. */
export function readPlatform(params: Params): Platform {
	return params.choice('platform') === 'business' ? 'business' : 'realEstate';
}

import type { INodeProperties } from 'n8n-workflow';

import type { Params } from '../../run/parameters/params';
import { wholeNumber } from './checks';

/** The fields of n8n's Get Many operations: return all results, or up to a limit. */
export const many: INodeProperties[] = [
	{
		displayName: 'Return All',
		name: 'returnAll',
		type: 'boolean',
		default: false,
		description: 'Whether to return all results or only up to a given limit',
	},
	{
		displayName: 'Limit',
		name: 'limit',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 50,
		displayOptions: { show: { returnAll: [false] } },
		description: 'Max number of results to return',
	},
];

/** Reads how many results an item wants; infinity stands for all. */
export function readLimit(params: Params): number {
	if (params.boolean('returnAll')) return Number.POSITIVE_INFINITY;
	return wholeNumber(params.raw('limit') ?? 50, 1, params.label('limit'));
}

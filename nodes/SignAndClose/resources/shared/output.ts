import type { INodeProperties } from 'n8n-workflow';

import { InputFailure } from '../../messages/explainedFailure';
import type { Params } from '../../run/parameters/params';
import { textsOf } from '../../run/parameters/textOf';
import { titleOf } from './builders';

/* How much of an answer comes out. */

/**
 * Builds the choice between the simplified and the raw answer and selected fields of it.
 * @param fields the names of the fields to select from
 * @param description of the selection
 */
export function outputChoice(fields: readonly string[], description: string): INodeProperties[] {
	return [
		{
			displayName: 'Output',
			name: 'output',
			type: 'options',
			options: [
				{
					name: 'Simplified',
					value: 'simple',
					description: 'What most workflows need, without links',
				},
				{
					name: 'Raw',
					value: 'raw',
					description:
						'Everything that the service answers. Its signing links let anyone who has them sign.',
				},
				{
					name: 'Selected Fields',
					value: 'fields',
					description: 'The ID and the fields you select',
				},
			],
			default: 'simple',
			description: 'How much of the response to return',
		},
		{
			displayName: 'Fields',
			name: 'fields',
			type: 'multiOptions',
			displayOptions: { show: { output: ['fields'] } },
			options: fields
				.map((value) => ({ name: titleOf(value).replace(/\bId\b/, 'ID'), value }))
				.sort((a, b) => a.name.localeCompare(b.name)),
			default: [],
			description,
		},
	];
}

/**
 * Reads how much of an answer comes out.
 * @throws InputFailure when it is none of the choices, or no field is selected
 */
export function readOutput(params: Params): 'raw' | 'simplified' | string[] {
	const output = params.choice('output') ?? 'simple';
	if (output === 'raw') return 'raw';
	if (output === 'simple') return 'simplified';
	const fields = textsOf(params.label('fields'), params.raw('fields'));
	if (fields.length > 0) return fields;
	throw new InputFailure(
		params.label('fields'),
		'is empty',
		"Select at least one field, or choose 'Simplified' in 'Output'",
	);
}

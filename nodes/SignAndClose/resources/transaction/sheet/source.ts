import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';

import { defineChoice } from '../../../form/fields';
import type { Params } from '../../../run/parameters/params';
import type { RowKind } from './rowFields';

/* The choice between the fields of the form and the columns of a row. */

/** Shows a field where rows fill in the form. */
export const IF_ROW = { fieldsFrom: ['row', 'mapped'] } satisfies IDisplayOptions['show'];

/** Builds the choice and the columns. */
export function defineRowFields(kind: RowKind): INodeProperties[] {
	return [
		defineChoice(
			'Fields From',
			'fieldsFrom',
			[
				['Fields Below', 'form', 'Fill in the fields below'],
				[
					'Input Items (One Transaction per Item)',
					'row',
					'Each row of a sheet becomes a transaction. Columns are found by their headings, e.g. Borrower Email or Property Address.',
				],
				[
					'Input Items, Columns Mapped by Hand',
					'mapped',
					'Each row becomes a transaction. You choose which column fills in what.',
				],
			],
			`Where the data of the ${kind} comes from`,
			{ noDataExpression: true },
		),
		{
			displayName: 'Field Mapping',
			name: 'columns',
			type: 'resourceMapper',
			noDataExpression: true,
			displayOptions: { show: { fieldsFrom: ['mapped'] } },
			default: { mappingMode: 'defineBelow', value: null },
			typeOptions: {
				resourceMapper: {
					resourceMapperMethod: kind === 'closing' ? 'getClosingColumns' : 'getTransactionColumns',
					mode: 'add',
					valuesLabel: 'Field Mapping',
					fieldWords: { singular: 'field', plural: 'fields' },
					// n8n's own notice asks for columns that are named like the fields.
					supportAutoMap: false,
				},
			},
			description: 'How input columns map to fields. Drag columns from the input.',
		},
	];
}

/** Whether the form has the fields, and no row. */
export const isForm = (params: Params): boolean =>
	!IF_ROW.fieldsFrom.includes(params.getChoice('fieldsFrom') ?? '');

/** Whether columns are found by their headings. */
export const isByHeading = (params: Params): boolean => params.getChoice('fieldsFrom') === 'row';

/** Shows a field only where rows fill in the form. */
export const withRow = (field: INodeProperties): INodeProperties => ({
	...field,
	displayOptions: { ...field.displayOptions, show: IF_ROW },
});

/** Hides a field where rows fill it in. */
export const withoutRow = (field: INodeProperties): INodeProperties => ({
	...field,
	displayOptions: { ...field.displayOptions, hide: IF_ROW },
});

/** Names the choice that writes what has changed in an item to its draft. */
export const describeUpdateIt = (params: Params): string =>
	`'${params.label('ifExists') === 'ifExists' ? 'If It Differs' : 'If It Exists'}' set to Update It`;

import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';

import { choice } from '../../shared/fields';
import type { RowKind } from './rowFields';

/* The choice between the fields of the form and the columns of a row. */

/** Shows a field where a row fills in the form. */
const IF_ROW = { fieldsFrom: ['row'] } satisfies IDisplayOptions['show'];

/** Builds the choice and the columns. */
export function rowProperties(kind: RowKind): INodeProperties[] {
	return [
		choice(
			'Fields From',
			'fieldsFrom',
			[
				['Form', 'form', 'Fill in the fields below'],
				[
					'Row',
					'row',
					`Each row of a sheet or a loan system becomes a ${kind}, without expressions`,
				],
			],
			`Where the data of the ${kind} comes from`,
			{ noDataExpression: true },
		),
		{
			displayName: 'Columns',
			name: 'columns',
			type: 'resourceMapper',
			noDataExpression: true,
			displayOptions: { show: IF_ROW },
			default: { mappingMode: 'autoMapInputData', value: null },
			typeOptions: {
				resourceMapper: {
					resourceMapperMethod: kind === 'closing' ? 'getClosingColumns' : 'getTransactionColumns',
					mode: 'add',
					valuesLabel: 'Values of the Row',
					fieldWords: { singular: 'column', plural: 'columns' },
					supportAutoMap: true,
				},
			},
			description:
				"Which column fills in which field. Automatically, columns are matched by their names, e.g. 'borrower_email', 'Co-Borrower First Name', 'Property ZIP' or 'Loan #'.",
		},
	];
}

/** Shows a field only where a row fills in the form. */
export const withRow = (field: INodeProperties): INodeProperties => ({
	...field,
	displayOptions: { ...field.displayOptions, show: IF_ROW },
});

/** Hides a field where a row fills it in. */
export const withoutRow = (field: INodeProperties): INodeProperties => ({
	...field,
	displayOptions: { ...field.displayOptions, hide: IF_ROW },
});

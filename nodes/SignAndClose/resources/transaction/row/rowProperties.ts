import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';

import type { RowKind } from './rowFields';

/* The choice between the fields of the form and the columns of a row. */

/** Shows a field where a row fills in the form. */
const IF_ROW = { fieldsFrom: ['row'] } satisfies IDisplayOptions['show'];

const METHODS: Record<RowKind, string> = {
	closing: 'getClosingColumns',
	transaction: 'getTransactionColumns',
};

/**
 * Builds the choice and the columns.
 * @param created what is created, e.g. closing
 */
export function rowProperties(kind: RowKind, created: string): INodeProperties[] {
	return [
		{
			displayName: 'Fields From',
			name: 'fieldsFrom',
			type: 'options',
			noDataExpression: true,
			options: [
				{ name: 'Form', value: 'form', description: 'Fill in the fields below' },
				{
					name: 'Row',
					value: 'row',
					description: `Each row of a sheet or a loan system becomes a ${created}, without expressions`,
				},
			],
			default: 'form',
			description: `Where the data of the ${created} comes from`,
		},
		{
			displayName: 'Columns',
			name: 'columns',
			type: 'resourceMapper',
			noDataExpression: true,
			displayOptions: { show: IF_ROW },
			default: { mappingMode: 'autoMapInputData', value: null },
			typeOptions: {
				resourceMapper: {
					resourceMapperMethod: METHODS[kind],
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

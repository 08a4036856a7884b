import type { IDataObject, INodeExecutionData, INodeProperties } from 'n8n-workflow';

import { ParameterValues } from '../../../nodes/SignAndClose/run/parameters/values.ts';
import { Params } from '../../../nodes/SignAndClose/run/parameters/params.ts';
import { executionOf } from '../engine.mts';
import { choosing, madeUpOperation } from './operation.mts';

/** Parameters of a form that a test makes up, as an operation gets them. */

/** A text field. */
export const textField = (displayName: string, name: string): INodeProperties => ({
	displayName,
	name,
	type: 'string',
	default: '',
});

/**
 * Makes the parameters of an item.
 * @returns reads what the form and the items hold, through n8n's own context
 */
export const formOf =
	(properties: INodeProperties[]) =>
	(filledIn: IDataObject, items: INodeExecutionData[] = [{ json: {} }], itemIndex = 0): Params => {
		const operation = madeUpOperation({ properties });
		const parameters = { ...choosing(operation), ...filledIn };
		const context = executionOf({ operations: [operation], parameters, items })();
		return new Params(new ParameterValues(context).getItemValues(itemIndex), properties);
	};

/** What a person reads when a value can't be used. */
export function complaintOf(read: () => unknown): string {
	try {
		read();
	} catch (thrown) {
		const { message, remedy } = thrown as { message: string; remedy: string };
		return `${message}. ${remedy}`;
	}
	throw new Error('It was read without a complaint');
}

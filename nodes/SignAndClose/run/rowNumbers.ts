import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

/* Items that are rows of a sheet. n8n's nodes for sheets give each its number there, as a person sees it. */

const toRowNumber = ({ json: { row_number: number } }: INodeExecutionData): number | undefined =>
	/^\d+$/.test(String(number)) ? Number(number) : undefined;

/** The number of an item's row; undefined where the item says none. */
export const readRowNumber = (context: IExecuteFunctions, itemIndex: number): number | undefined =>
	toRowNumber(context.getInputData()[itemIndex]);

/** The numbers of the rows of all items; undefined where one says none. */
export function listRowNumbers(context: IExecuteFunctions): number[] | undefined {
	const items = context.getInputData();
	const numbers = items.flatMap((item) => toRowNumber(item) ?? []);
	return numbers.length === items.length ? numbers : undefined;
}

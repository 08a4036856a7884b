import type { IExecuteFunctions } from 'n8n-workflow';

/* Items that are rows of a sheet. n8n's nodes for sheets give each its number there, as a person sees it. */

/** The number of an item's row; undefined where the item says none. */
export function readRowNumber(context: IExecuteFunctions, itemIndex: number): number | undefined {
	const { row_number: number } = context.getInputData()[itemIndex].json;
	return /^\d+$/.test(String(number)) ? Number(number) : undefined;
}

/** The numbers of the rows of all items; undefined where one says none. */
export function listRowNumbers(context: IExecuteFunctions): number[] | undefined {
	const numbers = context.getInputData().flatMap((_, index) => readRowNumber(context, index) ?? []);
	return numbers.length === context.getInputData().length ? numbers : undefined;
}

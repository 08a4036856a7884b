import type {
	ILoadOptionsFunctions,
	ResourceMapperField,
	ResourceMapperFields,
} from 'n8n-workflow';

import { ROW_FIELDS, type RowField, type RowKind } from './rowFields';

/*
 * The fields that columns of a row can be mapped to by hand. They're the same for every account, so
 * nothing is sent.
 */

/** Lists what a row can fill in of a closing. */
export async function getClosingColumns(
	this: ILoadOptionsFunctions,
): Promise<ResourceMapperFields> {
	return await columnsOf('closing');
}

/** Lists what a row can fill in of a business transaction. */
export async function getTransactionColumns(
	this: ILoadOptionsFunctions,
): Promise<ResourceMapperFields> {
	return await columnsOf('transaction');
}

async function columnsOf(kind: RowKind): Promise<ResourceMapperFields> {
	return { fields: ROW_FIELDS[kind].map(toColumn) };
}

function toColumn({
	id,
	displayName,
	required,
	rare,
	type,
	options,
}: RowField): ResourceMapperField {
	return {
		id,
		displayName,
		required: required === true,
		defaultMatch: false,
		display: true,
		type: type ?? 'string',
		...(options && { options }),
		...(rare && { removed: true }),
	};
}

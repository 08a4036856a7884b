import type { ResourceMapperField, ResourceMapperFields } from 'n8n-workflow';

import { ROW_FIELDS, type RowKind } from './rowFields';

/*
 * The fields that columns of a row can be mapped to by hand. They're the same for every account, so
 * nothing is sent.
 */

/** Lists what a row can fill in of a closing. */
export const getClosingColumns = columnsOf('closing');

/** Lists what a row can fill in of a business transaction. */
export const getTransactionColumns = columnsOf('transaction');

function columnsOf(kind: RowKind): () => Promise<ResourceMapperFields> {
	const fields = ROW_FIELDS[kind].map(
		({ id, displayName, required, rare, type = 'string', options }): ResourceMapperField => ({
			id,
			displayName,
			required: required === true,
			defaultMatch: false,
			display: true,
			type,
			...(options && { options }),
			...(rare && { removed: true }),
		}),
	);
	return async () => await Promise.resolve({ fields });
}

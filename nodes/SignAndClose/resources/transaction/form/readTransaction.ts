import type { IDataObject } from 'n8n-workflow';

import { InputFailure } from '../../../messages/explainedFailure';
import { Faults, readTogether } from '../../../messages/faults';
import type { OperationCall } from '../../../run/operation';
import type { Params } from '../../../run/parameters/params';
import { withoutEmpty } from '../../../values/json';
import { parseFirstDocuments } from '../../document/form';
import { parseOrganization } from '../../shared/commonFields';
import { withExternalIds, parseSignerRows } from '../../signer/input';
import { readRow } from '../row/readRow';
import { readRowSigners, type RowSigner } from '../row/rowSigners';
import { readBusinessFields } from './businessOptional';

/* Reads a new business transaction (docs/service/transactions.md#create-a-business-transaction). */

/** A business transaction as it is sent. */
export interface ReadTransaction {
	fields: IDataObject;
	/** Headings of columns that fill in nothing. */
	leftOut: string[];
}

/**
 * Reads the form or the item's row.
 * @throws InputFailure naming the parameters, all faults at once
 */
export function readTransaction(call: OperationCall): ReadTransaction {
	const { settings } = call.service;
	const row = readRow(call, 'transaction');
	const params = row?.params ?? call.params;
	let known: IDataObject[] = [];
	const { signers, draft, optional, ...named } = readTogether({
		signers: () => (known = readSigners(params, settings.assuranceField, row?.signers)),
		transaction_name: () => params.text('transactionName'),
		organization_id: () => parseOrganization(params, settings),
		draft: () => params.boolean('draft', true),
		// What they need of the signers can be said only if these are right.
		optional: () => readBusinessFields(params, params.object('additionalFields'), known),
	});
	return {
		fields: { ...withoutEmpty(named), signers, draft, ...optional },
		leftOut: row?.leftOut ?? [],
	};
}

/** Reads the signers of the form, or of a row. */
function readSigners(params: Params, assuranceField: string, row?: RowSigner[]): IDataObject[] {
	const read = row
		? readRowSigners(params, row, assuranceField)
		: parseSignerRows(params, 'signers', assuranceField);
	if (read.length === 0)
		throw new InputFailure(
			params.label('signers'),
			'is empty',
			'Add at least one signer with an email address',
		);
	return withExternalIds(read).map(({ signer }) => signer);
}

/**
 * Reads the transaction and its documents.
 * @throws InputFailure naming the parameters, all faults at once
 */
export async function readTransactionAndDocuments(
	call: OperationCall,
): Promise<ReadTransaction & { documents: IDataObject[] }> {
	const faults = new Faults();
	const read = faults.read(() => readTransaction(call));
	const documents = await faults.readLater(async () => await parseFirstDocuments(call));
	faults.tell();
	return { ...read!, documents: documents! };
}

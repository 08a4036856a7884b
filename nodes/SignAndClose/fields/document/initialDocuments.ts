import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { InputFailure } from '../../core/explainedFailure';
import type { OperationCall } from '../../core/operation';
import { asError } from '../../service/errors/failure';
import { asObject, withoutEmpty } from '../../service/values/json';
import { collection, rows, text } from '../shared/builders';
import { documentDetails, readDocumentDetails, requirement } from './details';
import { fileSourceProperties, incomingFileName, PDF, readFile } from './source';

/**
 * The documents of a new business transaction (docs/service/transactions.md#documents-at-creation).
 * They have no designations, which only Document: Add can give.
 */
export const firstDocuments: INodeProperties = rows(
	'Documents',
	'documents',
	'Document',
	[
		...fileSourceProperties(PDF),
		text(
			'Document Name',
			'name',
			'Power of Attorney',
			'Name shown to signers. Leave empty to use the name of the incoming file.',
		),
		requirement,
		// Groups are left out: they consist of designations, which can't be given here.
		collection(
			'Details',
			'details',
			documentDetails.filter(({ name }) => name !== 'signing_designation_groups'),
		),
	],
	{
		description:
			"PDFs of the transaction. To place designations, create a draft and use 'Document: Add'.",
	},
);

/**
 * Reads the rows. Files of the item are streamed while the request is sent.
 * @throws InputFailure naming the row, from 1
 */
export async function readFirstDocuments(call: OperationCall): Promise<IDataObject[]> {
	const label = call.params.label('documents');
	const read: IDataObject[] = [];
	for (const [index, row] of call.params.rows('documents').entries()) {
		try {
			read.push({
				resource: (await readFile(call, PDF, row)) as unknown as string,
				...withoutEmpty({
					requirement: call.params.textOf(row, 'requirement'),
					filename: call.params.textOf(row, 'name') ?? incomingFileName(call, row),
				}),
				...readDocumentDetails(call, asObject(row.details)),
			});
		} catch (thrown) {
			throw inRow(thrown, label, index);
		}
	}
	return read;
}

function inRow(thrown: unknown, label: string, index: number): Error {
	if (!(thrown instanceof InputFailure)) return asError(thrown);
	return new InputFailure(label, `, row ${index + 1}: ${thrown.message}`, thrown.remedy);
}

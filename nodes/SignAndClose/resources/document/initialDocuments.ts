import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { InputFailure } from '../../messages/explainedFailure';
import { Faults } from '../../messages/faults';
import type { OperationCall } from '../../run/operation';
import { asObject, withoutEmpty } from '../../values/json';
import { collection, rows } from '../shared/builders';
import { rowTitle, withLook } from '../shared/rowLook';
import { documentDetails, documentName, requirement } from './form';
import { parseDetails } from './input';
import { fileSourceProperties, incomingFileName, parseFile, PDF } from './source';

/**
 * The documents of a new business transaction (docs/service/transactions.md#documents-at-creation).
 * They have no designations, which only Document: Add can give.
 */
export const firstDocuments: INodeProperties = withLook(
	rows(
		'Documents',
		'documents',
		'Document',
		[
			...fileSourceProperties(PDF),
			documentName('name', 'Power of Attorney'),
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
	),
	rowTitle('t(v.name) || t(v.fileUrl) || t(v.templateId?.cachedResultName)', "o('requirement')"),
);

/**
 * Parses the rows. Files of the item are streamed while the request is sent.
 * @throws InputFailure naming the row, from 1
 */
export async function parseFirstDocuments(call: OperationCall): Promise<IDataObject[]> {
	const label = call.params.label('documents');
	const parsed: IDataObject[] = [];
	const faults = new Faults();
	for (const [index, row] of call.params.rows('documents').entries()) {
		const ofRow = new Faults();
		const resource = await ofRow.readLater(async () => await parseFile(call, PDF, row));
		const named = ofRow.read(() =>
			withoutEmpty({
				requirement: call.params.textOf(row, 'requirement'),
				filename: call.params.textOf(row, 'name') ?? incomingFileName(call, row),
			}),
		);
		const details = ofRow.read(() => parseDetails(call, asObject(row.details)));
		for (const { message, remedy } of ofRow.all)
			faults.note(new InputFailure(label, `, row ${index + 1}: ${message}`, remedy));
		parsed.push({ resource: resource as unknown as string, ...named, ...details });
	}
	faults.tell();
	return parsed;
}

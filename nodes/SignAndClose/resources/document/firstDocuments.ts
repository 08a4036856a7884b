import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { InputFailure } from '../../messages/explainedFailure';
import { Faults } from '../../messages/faults';
import type { OperationCall } from '../../run/operation';
import { asObject, withoutEmpty } from '../../values/json';
import { collection, rows } from '../shared/fields';
import { PDF } from './fileKinds';
import { documentDetails, documentName, parseDetails, requirement } from './form';
import { fileSourceProperties, incomingFileName, parseFile } from './source';
import { checkWhere, sentFor, whereOfFirst } from './whereToSign';

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
		documentName('name', 'Power of Attorney'),
		requirement,
		// Groups are left out: they consist of designations, which can't be given here.
		collection('Details', 'details', [
			whereOfFirst,
			...documentDetails.filter(({ name }) => name !== 'signing_designation_groups'),
		]),
	],
	{
		description:
			"PDFs of the transaction. To place designations, create a draft and use 'Document: Add'.",
	},
);

/**
 * Parses the rows. Files of the item are streamed while the request is sent.
 * @throws InputFailure naming the row, from 1
 */
export async function parseFirstDocuments(call: OperationCall): Promise<IDataObject[]> {
	const { params } = call;
	const documents: IDataObject[] = [];
	const faults = new Faults();
	for (const [index, row] of params.rows('documents').entries()) {
		const ofRow = new Faults();
		const values = params.replacing({ name: undefined, requirement: undefined, ...row }, new Map());
		documents.push(await parseFirstDocument({ ...call, params: values }, row, ofRow));
		for (const { message, remedy } of ofRow.all) {
			const what = `, entry ${index + 1}: ${message}`;
			faults.note(new InputFailure(params.label('documents'), what, remedy));
		}
	}
	faults.throwIfAny();
	return documents;
}

async function parseFirstDocument(
	call: OperationCall,
	row: IDataObject,
	faults: Faults,
): Promise<IDataObject> {
	const { params } = call;
	const resource = await faults.collectLater(async () => await parseFile(call, PDF));
	const fields = faults.collect(() =>
		withoutEmpty({
			requirement: params.text('requirement'),
			filename: params.text('name') ?? incomingFileName(call),
		}),
	);
	const details = faults.collect(() => {
		const { whereToSign, ...values } = asObject(row.details);
		const where = params.choice('whereToSign', whereToSign ?? '');
		const parsed = parseDetails(call, values);
		if (where !== undefined) checkWhere(params, where, { ...fields, ...parsed }, false);
		return { ...sentFor(where), ...parsed };
	});
	return { resource: resource as unknown as string, ...fields, ...details };
}

import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { InputFailure } from '../../../messages/failures';
import { Faults } from '../../../messages/inputFaults';
import type { OperationCall } from '../../../run/operation';
import { asObject, withoutEmpty } from '../../../values/json';
import { defineCollection, defineRows } from '../../../form/fields';
import { PDF } from '../files/kinds';
import { documentDetails, defineDocumentName, parseDocumentDetails, requirement } from '../form';
import { defineFileSource, readIncomingFileName, parseFile } from '../files/source';
import { checkWhereToSign, buildChoiceFields, whereOfFirst } from '../places/whereToSign';

/**
 * The documents of a new business transaction (docs/service/transactions.md#documents-at-creation).
 * They have no designations, which only Document: Add can give.
 */
export const firstDocuments: INodeProperties = defineRows(
	'Documents',
	'documents',
	'Document',
	[
		...defineFileSource(PDF),
		defineDocumentName('name', 'Power of Attorney'),
		requirement,
		// Groups are left out: they consist of designations, which can't be given here.
		defineCollection('Details', 'details', [
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
	for (const [index, row] of params.getRows('documents').entries()) {
		const ofRow = new Faults();
		const values = params.withValues(
			{ name: undefined, requirement: undefined, ...row },
			new Map(),
		);
		documents.push(await parseFirstDocument({ ...call, params: values }, row, ofRow));
		for (const { message, remedy } of ofRow.all) {
			const problem = `, entry ${index + 1}: ${message}`;
			faults.note(new InputFailure(params.label('documents'), problem, remedy));
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
			requirement: params.getText('requirement'),
			filename: params.getText('name') ?? readIncomingFileName(call),
		}),
	);
	const details = faults.collect(() => {
		const { whereToSign, ...values } = asObject(row.details);
		const choice = params.getChoice('whereToSign', whereToSign ?? '');
		const parsed = parseDocumentDetails(call, values);
		if (choice !== undefined) checkWhereToSign(params, choice, { ...fields, ...parsed }, false);
		return { ...buildChoiceFields(choice), ...parsed };
	});
	return { resource: resource as unknown as string, ...fields, ...details };
}

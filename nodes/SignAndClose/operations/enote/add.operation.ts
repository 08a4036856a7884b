import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { defineOperation, type OperationCall } from '../../core/operation';
import { fileSourceProperties, readFileBody, XML } from '../../fields/fileSource';
import { transactionLocator } from '../../fields/transaction';
import { InputFailure } from '../../service/failures';
import { retrieveTransaction } from '../../service/transactions';
import { asObject, asObjects, withoutEmpty } from '../../service/wire';

const borrowers: INodeProperties = {
	displayName: 'Borrowers',
	name: 'borrowers',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	placeholder: 'Add Borrower',
	default: {},
	description: 'Who owes the note, when the XML does not say it',
	options: [
		{
			displayName: 'Borrower',
			name: 'borrower',
			values: [
				{ displayName: 'First Name', name: 'first_name', type: 'string', default: '' },
				{ displayName: 'Last Name', name: 'last_name', type: 'string', default: '' },
				{ displayName: 'Middle Name', name: 'middle_name', type: 'string', default: '' },
				{
					displayName: 'Social Security Number',
					name: 'ssn',
					type: 'string',
					typeOptions: { password: true },
					default: '',
					description: 'Sent to the service and shown nowhere',
				},
			],
		},
	],
};

/** interface.md §4, Add eNote (lenders, only while the transaction is a draft); fields in gaps.md §6. */
export const addEnote = defineOperation({
	resource: 'enote',
	value: 'add',
	name: 'Add',
	action: 'Add eNote',
	description: 'Add the electronic promissory note to a closing of a lender',
	kind: 'write',
	properties: [
		transactionLocator,
		...fileSourceProperties(XML),
		{
			displayName: 'eNote Type',
			name: 'enoteType',
			type: 'options',
			options: [
				{ name: 'Complete SMART Document', value: 'ENOTE', description: 'A finished eNote in SMARTDoc format 1.02' },
				{ name: 'eOriginal Container', value: 'EORIGINAL_CONTAINER', description: 'A note that already lies in a vault' },
				{ name: 'Seed XML', value: 'SCHEMA', description: 'Loan data from which the service makes the eNote' },
			],
			default: 'ENOTE',
			description: 'What the XML file holds',
		},
		borrowers,
	],
	async execute(call) {
		const { service, params } = call;
		const transactionId = params.requiredLocator('transactionId');
		const file = await readFileBody(call, XML, 'file', readFields(call));
		const answer = asObject(await service.json('addEnote', { path: { transactionId }, platform: 'realEstate', ...file }));
		return { json: toJson(transactionId, answer) };
	},
	async lookUp({ service, params }) {
		const transactionId = params.requiredLocator('transactionId');
		const transaction = await retrieveTransaction(service, transactionId, 'realEstate');
		const enote = asObjects(transaction.documents).find((document) => document.is_enote === true);
		return enote && { json: toJson(transactionId, enote) };
	},
});

/** Borrowers are left out: they hold social security numbers. */
function toJson(transactionId: string, answer: IDataObject): IDataObject {
	const document = Object.fromEntries(Object.entries(answer).filter(([name]) => name !== 'borrowers'));
	return { transaction_id: transactionId, ...(document.id !== undefined && { document_id: document.id }), ...document };
}

function readFields({ params }: OperationCall): IDataObject {
	const rows = asObjects(params.object('borrowers').borrower).map((row) => withoutEmpty(row));
	for (const [index, row] of rows.entries()) {
		if (row.first_name === undefined || row.last_name === undefined) {
			throw new InputFailure(params.label('borrowers'), `, row ${index + 1}: first or last name is empty`, 'Fill in both names or remove the row');
		}
	}
	return { type: params.required('enoteType'), ...(rows.length > 0 && { borrowers: rows }) };
}

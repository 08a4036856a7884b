import type { IDataObject } from 'n8n-workflow';

import { InputFailure } from '../../core/explainedFailure';
import { defineOperation, type OperationCall } from '../../core/operation';
import { enoteBorrowers, enoteContainer } from '../../fields/document/enote';
import { fileSourceProperties, readFile, XML } from '../../fields/document/source';
import { transactionLocator } from '../../fields/shared/locators';
import { findEnote } from '../../service/resources/transactionState';
import { isMadeSince, retrieveTransaction } from '../../service/resources/transactions';
import { toBody } from '../../service/transport/streamedJson';
import { asObject, withoutEmpty } from '../../service/values/json';

/** Adds the eNote to the draft of a lender's closing (docs/service/closings.md#add-an-enote). */
export const addEnote = defineOperation({
	resource: 'enote',
	value: 'add',
	name: 'Add',
	action: 'Add eNote',
	description: "Add the electronic promissory note to a lender's closing",
	kind: 'write',
	properties: [
		transactionLocator,
		...fileSourceProperties(XML),
		{
			displayName: 'eNote Type',
			name: 'enoteType',
			type: 'options',
			options: [
				{
					name: 'Complete SMART Document',
					value: 'ENOTE',
					description: 'A finished eNote in SMARTDoc format 1.02',
				},
				{
					name: 'eOriginal Container',
					value: 'EORIGINAL_CONTAINER',
					description: "A note that's already in a vault",
				},
				{
					name: 'Seed XML',
					value: 'SCHEMA',
					description: 'Loan data that the service creates the eNote from',
				},
			],
			default: 'ENOTE',
			description: 'What the XML file contains',
		},
		enoteContainer,
		enoteBorrowers,
	],
	async execute(call) {
		const { service, params } = call;
		const transactionId = params.requiredLocator('transactionId');
		const fields = readFields(call);
		const file = await readFile(call, XML);
		const answer = asObject(
			await service.json('addEnote', {
				path: { transactionId },
				platform: 'realEstate',
				...toBody({ ...fields, file }),
			}),
		);
		return { json: toJson(transactionId, answer) };
	},
	async lookUp({ service, params, startedAt, madeBefore }) {
		const transactionId = params.requiredLocator('transactionId');
		const transaction = await retrieveTransaction(service, transactionId, 'realEstate');
		const enote = findEnote(transaction);
		// An eNote that was there before isn't the one that was to be added.
		const ours =
			enote !== undefined &&
			isMadeSince(service, enote, startedAt) &&
			!madeBefore.has(String(enote.id));
		return ours ? { json: toJson(transactionId, enote) } : undefined;
	},
});

/** Leaves out the borrowers, who have social security numbers. */
function toJson(transactionId: string, answer: IDataObject): IDataObject {
	const document = Object.fromEntries(
		Object.entries(answer).filter(([name]) => name !== 'borrowers'),
	);
	return {
		transaction_id: transactionId,
		...(document.id !== undefined && { document_id: document.id }),
		...document,
	};
}

function readFields({ params, service }: OperationCall): IDataObject {
	const people = params
		.rows('borrowers')
		.map((row) =>
			withoutEmpty(
				Object.fromEntries(Object.keys(row).map((name) => [name, params.textOf(row, name)])),
			),
		);
	for (const [index, { first_name: first, last_name: last, ssn }] of people.entries()) {
		if (typeof ssn === 'string')
			for (const written of [ssn, ssn.replace(/\D/g, '')]) service.keepSecret(written);
		if (first === undefined || last === undefined) {
			throw new InputFailure(
				params.label('borrowers'),
				`, row ${index + 1}: first or last name is empty`,
				'Fill in both names or remove the row',
			);
		}
	}
	const vault = withoutEmpty(params.object('container'));
	return {
		type: params.required('enoteType'),
		...(people.length > 0 && { borrowers: people }),
		...(Object.keys(vault).length > 0 && { container: vault }),
	};
}

import type { IDataObject } from 'n8n-workflow';

import { parseTogether } from '../../messages/inputFaults';
import { defineOperation, defineWrite } from '../../run/operation';
import { reportDone, UNCERTAIN, type Goal } from '../../run/goals';
import { asObject, asText } from '../../values/json';
import { defineText } from '../../form/fields';
import { transactionLocator } from '../../form/locators';
import { describeTransactionCheck } from '../../form/lostAnswers';

const IMPORTING =
	"The service is importing the documents. They appear in the closing later: start a workflow with the 'Sign and Close Trigger' on 'Import Finished' and 'Import Failed'";

/**
 * Lets the service import a set of documents into a closing
 * (docs/service/documents.md#external-documents). Nothing shows which documents an import has
 * brought, or that one is under way, so there is no look-up: a lost answer stays unknown, and
 * nothing is imported twice.
 */
export const importDocuments = defineOperation({
	resource: 'document',
	value: 'import',
	name: 'Import',
	action: 'Import documents',
	description: 'Let the service import a set of documents from an outside document system',
	kind: 'write',
	passesFiles: true,
	effect: 'The documents of the outside system become part of the transaction',
	properties: [
		transactionLocator,
		{
			...defineText(
				'Document Code',
				'documentCode',
				'7001234-CLOSING',
				'Code of the document set in the document system',
			),
			required: true,
		},
		{
			...defineText('Document System', 'externalSource', 'docmagic', 'Name of the document system'),
			default: 'docmagic',
		},
	],
	write: defineWrite({
		parse: ({ params }) =>
			parseTogether({
				transactionId: () => params.getRequiredLocator('transactionId'),
				document_code: () => params.getRequired('documentCode'),
				external_source: () => params.getRequired('externalSource'),
			}),
		send: async ({ service }, { transactionId, ...body }) =>
			await service.json('importDocuments', {
				path: { transactionId },
				platform: 'realEstate',
				body,
			}),
		goal: (_call, { transactionId }) => buildImportGoal(transactionId),
		result: (_call, answer, { transactionId, ...body }) => ({
			json: { transaction_id: transactionId, ...body, import_in_progress: true, ...answer },
			hint: IMPORTING,
		}),
	}),
});

/**
 * The goal of an import: the service says that it has begun
 * (docs/service/documents.md#external-documents). Its documents have names of their own, and come
 * later, so that nothing but the answer shows it.
 */
export const buildImportGoal = (transactionId: string): Goal<IDataObject> => ({
	fromAnswer: (answer, isAnswered = true) =>
		!isAnswered || asText(asObject(answer).response) === undefined
			? UNCERTAIN
			: reportDone(asObject(answer)),
	toCheck: describeTransactionCheck(transactionId, 'whether the documents appear in the closing'),
});

import { InputFailure } from '../../../messages/failures';
import { parseInTurn } from '../../../messages/inputFaults';
import { defineOperation } from '../../../run/operation';
import { toBody } from '../../../transport/files/requestBody';
import { firstDocuments, parseFirstDocuments } from '../../document/add/firstDocuments';
import { defineSendReference } from '../../../form/commonFields';
import { defineFlag } from '../../../form/fields';
import { parseClaimed } from '../ifExists/claims';
import { defineIfFormExists, defineIfRowExists } from '../ifExists/options';
import { defineCreateWrite } from '../ifExists/createWrite';
import { businessFields, businessMainFields, parseTransaction } from './business';
import { defineSubjects } from './subjects';
import { parseTransactionOutput, transactionOutputFields } from '../output';
import { checkRows } from '../sheet/rowCheck';
import { describeRows } from '../sheet/hint';

/** Creates a business transaction (docs/service/transactions.md#create-a-business-transaction). */
export const createTransaction = defineOperation({
	resource: 'transaction',
	value: 'create',
	name: 'Create',
	action: 'Create business transaction',
	description:
		'Create a business transaction with its signers and documents, as a draft or sent at once',
	kind: 'write',
	passesFiles: true,
	effect:
		"Creates a draft that nobody is told of or, with 'Create as Draft' off, emails the signers their invitations at once",
	properties: [
		...businessMainFields,
		firstDocuments,
		{
			...defineFlag(
				'Create as Draft',
				'draft',
				"Whether to create a draft that you can add documents to before using 'Send'. If turned off, the service sends the transaction to its signers immediately.",
			),
			default: true,
		},
		...defineSubjects([
			...businessFields,
			...defineIfFormExists('transaction'),
			defineSendReference('External ID'),
		]),
		...defineIfRowExists('transaction'),
		...transactionOutputFields,
	],
	check: parseTransactionOutput,
	write: defineCreateWrite(
		async (call) => {
			const row = await checkRows(call, parseClaimed(parseTransaction));
			const { parsed, documents } = await parseInTurn({
				parsed: () => row ?? parseTransaction(call),
				documents: async () => await parseFirstDocuments(call),
			});
			if (parsed.body.draft === false && documents.length === 0)
				throw new InputFailure(
					call.params.label('documents'),
					'is empty',
					"Add a document, or turn on 'Create as Draft' and add it later",
				);
			return { ...parsed, documents };
		},
		async ({ service }, { body, documents }, reference) =>
			await service.json('createTransaction', {
				platform: 'business',
				...toBody({ ...body, ...(documents.length > 0 && { documents }), ...reference }),
			}),
	),
	summary: describeRows,
});

import { defineOperation } from '../../run/operation';
import { createAndSendFields } from './createAndSend/form';
import { parsePlan } from './createAndSend/plan';
import { partsOf } from './createAndSend/steps';
import { parseTransactionForm, transactionOutput } from './output';
import { describeRows } from './row/rowHint';

/**
 * Brings a file to a draft with all of its documents, and sends it
 * (docs/service/transactions.md#create-a-closing, docs/service/documents.md#add-a-document,
 * docs/service/transactions.md#send). Run again, it adds only what is missing.
 */
export const createAndSend = defineOperation({
	resource: 'transaction',
	value: 'createAndSend',
	name: 'Create and Send',
	action: 'Create and send transaction or closing',
	description:
		'Create a transaction or closing with all of its documents, and keep, check or send it. Run again, it adds what is missing.',
	kind: 'write',
	passesFiles: true,
	effect: "Creates a draft. Nobody is told of it: a person sends it, with 'Transaction: Send'",
	properties: [...createAndSendFields, ...transactionOutput],
	check: parseTransactionForm,
	divide: async (call) => partsOf(call, await parsePlan(call)),
	summary: describeRows,
});

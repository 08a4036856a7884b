import { defineOperation } from '../../run/operation';
import { retrieveTransaction } from '../../transport/answers/retrieveTransaction';
import { platform } from '../shared/commonFields';
import { nextStep } from '../shared/hints';
import { transactionLocator } from '../shared/locators';
import { parseTarget } from './api';
import { parseTransactionForm, transactionJson, transactionOutput } from './output';

/** Retrieves a transaction (docs/service/transactions.md#retrieve-a-transaction). */
export const getTransaction = defineOperation({
	resource: 'transaction',
	value: 'get',
	name: 'Get',
	action: 'Get transaction',
	description: 'Retrieve a transaction with its status, documents and temporary links',
	kind: 'read',
	passesFiles: true,
	properties: [platform, transactionLocator, ...transactionOutput],
	check: parseTransactionForm,
	async execute({ service, params }) {
		const { transactionId, platform } = parseTarget(params);
		const transaction = await retrieveTransaction(service, transactionId, platform);
		return { json: transactionJson(params, transaction), hint: nextStep(transaction) };
	},
});

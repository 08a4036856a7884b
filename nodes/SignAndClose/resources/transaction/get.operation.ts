import { defineOperation } from '../../run/operation';
import { retrieveTransaction } from '../../transport/answers/retrieveTransaction';
import { platform, parsePlatform } from '../shared/commonFields';
import { nextStep } from '../shared/hints';
import { transactionLocator } from '../shared/locators';
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
		const transaction = await retrieveTransaction(
			service,
			params.requiredLocator('transactionId'),
			parsePlatform(params),
		);
		return {
			json: transactionJson(params, transaction),
			hint: nextStep(transaction),
		};
	},
});

import { defineOperation } from '../../run/operation';
import { retrieveTransaction } from '../../transport/answers/retrieveTransaction';
import { transactionLocator } from '../shared/locators';
import { nextStep } from '../shared/outputHints';
import { platform, readPlatform } from '../shared/platform';
import { parseTransactionForm, transactionJson, transactionOutput } from './output';

/** Retrieves a transaction (docs/service/transactions.md#retrieve-a-transaction). */
export const getTransaction = defineOperation({
	resource: 'transaction',
	value: 'get',
	name: 'Get',
	action: 'Get transaction',
	description: 'Retrieve a transaction with its status, documents and temporary links',
	kind: 'read',
	properties: [platform, transactionLocator, ...transactionOutput],
	check: parseTransactionForm,
	async execute({ service, params }) {
		const transaction = await retrieveTransaction(
			service,
			params.requiredLocator('transactionId'),
			readPlatform(params),
		);
		return {
			json: transactionJson(params, transaction),
			hint: nextStep(transaction, service.settings.assuranceField),
		};
	},
});

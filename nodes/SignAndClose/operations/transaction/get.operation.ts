import { defineOperation } from '../../core/operation';
import { transactionLocator } from '../../fields/shared/locators';
import { nextStep } from '../../fields/shared/outputHints';
import { platform, readPlatform } from '../../fields/shared/platform';
import {
	readTransactionForm,
	transactionJson,
	transactionOutput,
} from '../../fields/shared/transactionOutput';
import { retrieveTransaction } from '../../service/resources/transactions';

/** Retrieves a transaction (docs/service/transactions.md#retrieve-a-transaction). */
export const getTransaction = defineOperation({
	resource: 'transaction',
	value: 'get',
	name: 'Get',
	action: 'Get transaction',
	description: 'Retrieve a transaction with its status, documents and temporary links',
	kind: 'read',
	properties: [platform, transactionLocator, ...transactionOutput],
	check: readTransactionForm,
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

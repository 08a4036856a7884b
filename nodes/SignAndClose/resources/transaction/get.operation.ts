import { defineOperation } from '../../run/operation';
import { retrieveTransaction } from '../../transport/answers/transaction';
import { platform } from '../../form/commonFields';
import { describeNextStep } from '../../form/hints';
import { transactionLocator } from '../../form/locators';
import { parseTransactionTarget } from './api';
import { parseTransactionOutput, formatTransaction, transactionOutputFields } from './output';

/** Retrieves a transaction (docs/service/transactions.md#retrieve-a-transaction). */
export const getTransaction = defineOperation({
	resource: 'transaction',
	value: 'get',
	name: 'Get',
	action: 'Get transaction',
	description: 'Retrieve a transaction with its status, documents and temporary links',
	kind: 'read',
	passesFiles: true,
	properties: [platform, transactionLocator, ...transactionOutputFields],
	check: parseTransactionOutput,
	async execute({ service, params }) {
		const { transactionId, platform } = parseTransactionTarget(params);
		const transaction = await retrieveTransaction(service, transactionId, platform);
		return {
			json: formatTransaction(params, transaction),
			hint: describeNextStep(transaction, 'This is a draft'),
		};
	},
});

import { defineOperation } from '../../core/operation';
import { platform, readPlatform, simplify, transactionLocator } from '../../fields/transaction';
import { isDraft } from '../../service/wire';
import { retrieveTransaction, simplifyTransaction, withTransactionIds } from '../../service/transactions';

/** interface.md §4, Retrieve Transaction. */
export const getTransaction = defineOperation({
	resource: 'transaction',
	value: 'get',
	name: 'Get',
	action: 'Get transaction',
	description: 'Retrieve a transaction with its state, documents and temporary links',
	kind: 'read',
	properties: [platform, transactionLocator, simplify],
	async execute({ service, params }) {
		const transaction = await retrieveTransaction(service, params.requiredLocator('transactionId'), readPlatform(params));
		return {
			json: params.boolean('simplify') ? simplifyTransaction(transaction) : withTransactionIds(transaction),
			hint: isDraft(transaction) ? "This transaction is a draft: add its documents, then use 'Send'" : undefined,
		};
	},
});

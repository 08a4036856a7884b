import { defineOperation } from '../../core/operation';
import { transactionLocator } from '../../fields/shared/locators';
import { platform, readPlatform } from '../../fields/shared/platform';
import { isGone, retrieveTransaction } from '../../service/resources/transactions';

/**
 * Deletes a transaction, which is possible until a signer has completed
 * (docs/service/transactions.md#delete).
 */
export const deleteTransaction = defineOperation({
	resource: 'transaction',
	value: 'delete',
	name: 'Delete',
	action: 'Delete transaction',
	description: 'Delete a transaction that no signer has completed yet, with its documents',
	kind: 'write',
	properties: [platform, transactionLocator],
	async execute({ service, params }) {
		const transactionId = params.requiredLocator('transactionId');
		await service.json('deleteTransaction', {
			path: { transactionId },
			platform: readPlatform(params),
		});
		return { json: { deleted: true, transaction_id: transactionId } };
	},
	async lookUp({ service, params }) {
		const transactionId = params.requiredLocator('transactionId');
		const gone = await isGone(
			async () => await retrieveTransaction(service, transactionId, readPlatform(params)),
		);
		return gone ? { json: { deleted: true, transaction_id: transactionId } } : undefined;
	},
});

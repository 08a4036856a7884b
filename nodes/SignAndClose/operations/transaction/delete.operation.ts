import { defineOperation, type OperationCall } from '../../core/operation';
import { evenIfSent, requireMeant } from '../../fields/shared/evenIfSent';
import { chosenTransactionLocator } from '../../fields/shared/locators';
import { platform, readPlatform } from '../../fields/shared/platform';
import { inTransaction } from '../../fields/shared/toCheck';
import { mapSeen, write } from '../../service/goals';
import { deletedGoal, retrieveTransaction } from '../../service/resources/transactions';

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
	effect: "The transaction and its documents are gone for good, and signers can't open it any more",
	properties: [
		platform,
		chosenTransactionLocator,
		evenIfSent(
			'Delete Even if Sent',
			'Whether to delete the transaction even if it was already sent. Its signers lose it, with everything they have filled in.',
		),
	],
	async execute(call) {
		const { service, params } = call;
		const transactionId = params.requiredLocator('transactionId');
		await requireMeant(call, 'delete');
		await write(
			service,
			async () =>
				await service.json('deleteTransaction', {
					path: { transactionId },
					platform: readPlatform(params),
				}),
			goalFor(call),
		);
		return { json: { deleted: true, transaction_id: transactionId } };
	},
	async lookUp(call) {
		const transactionId = call.params.requiredLocator('transactionId');
		return mapSeen(await goalFor(call).look(), () => ({
			json: { deleted: true, transaction_id: transactionId },
		}));
	},
	toCheck: inTransaction('whether the transaction is gone'),
});

const goalFor = ({ service, params }: OperationCall) =>
	deletedGoal(
		async () =>
			await retrieveTransaction(
				service,
				params.requiredLocator('transactionId'),
				readPlatform(params),
			),
	);

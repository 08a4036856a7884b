import { defineOperation, type OperationCall } from '../../run/operation';
import { mapSeen, write, deletedGoal } from '../../run/outcome/goals';
import { retrieveTransaction } from '../../transport/answers/retrieveTransaction';
import { platform, parsePlatform } from '../shared/commonFields';
import { chosenTransactionLocator } from '../shared/locators';
import { inTransaction } from '../shared/toCheck';
import { evenIfSent, requireMeant } from './form/evenIfSent';

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
					platform: parsePlatform(params),
				}),
			goalFor(call),
		);
		return { json: { deleted: true, transaction_id: transactionId } };
	},
	async lookUp(call) {
		const transactionId = call.params.requiredLocator('transactionId');
		return mapSeen(await goalFor(call).fromService(), () => ({
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
				parsePlatform(params),
			),
	);

import { defineOperation, type OperationCall } from '../../run/operation';
import { deletedGoal, mapSeen, write } from '../../run/outcome/goals';
import { retrieveTransaction } from '../../transport/answers/retrieveTransaction';
import { platform } from '../shared/commonFields';
import { flag } from '../shared/fields';
import { chosenTransactionLocator } from '../shared/locators';
import { inTransaction } from '../shared/toCheck';
import { parseTarget, requireMeant } from './api';

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
	passesFiles: true,
	effect: "The transaction and its documents are gone for good, and signers can't open it any more",
	properties: [
		platform,
		chosenTransactionLocator,
		flag(
			'Delete Even if Sent',
			'evenIfSent',
			'Whether to delete the transaction even if it was already sent. Its signers lose it, with everything they have filled in.',
		),
	],
	async execute(call) {
		const { transactionId, platform } = parseTarget(call.params);
		await requireMeant(call, 'delete');
		await write(
			call.service,
			async () =>
				await call.service.json('deleteTransaction', { path: { transactionId }, platform }),
			goalFor(call),
		);
		return deleted(call);
	},
	async lookUp(call) {
		return mapSeen(await goalFor(call).fromService(), () => deleted(call));
	},
	toCheck: inTransaction('whether the transaction is gone'),
});

function goalFor({ service, params }: OperationCall) {
	const { transactionId, platform } = parseTarget(params);
	return deletedGoal(async () => await retrieveTransaction(service, transactionId, platform));
}

const deleted = ({ params }: OperationCall) => ({
	json: { deleted: true, transaction_id: params.requiredLocator('transactionId') },
});

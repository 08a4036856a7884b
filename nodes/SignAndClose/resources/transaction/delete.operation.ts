import { defineOperation, defineWrite } from '../../run/operation';
import { platform } from '../../form/commonFields';
import { defineFlag } from '../../form/fields';
import { chosenTransactionLocator } from '../../form/locators';
import { buildGoneGoal, parseTransactionTarget, requireConfirmation, sendDeletion } from './api';

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
		defineFlag(
			'Delete Even if Sent',
			'evenIfSent',
			'Whether to delete the transaction even if it was already sent. Its signers lose it, with everything they have filled in.',
		),
	],
	write: defineWrite({
		parse: ({ params }) => parseTransactionTarget(params),
		prepare: async (call) => await requireConfirmation(call, 'delete'),
		send: async ({ service }, target) => await sendDeletion(service, target),
		goal: ({ service }, target) => buildGoneGoal(service, target),
		result: (_call, _shown, { transactionId }) => ({
			json: { deleted: true, transaction_id: transactionId },
		}),
		repeats: true,
	}),
});

import { parseTogether } from '../../../messages/inputFaults';
import { defineOperation, defineWrite } from '../../../run/operation';
import { retrieveTransaction } from '../../../transport/answers/transaction';
import { platform, parsePlatform } from '../../../form/commonFields';
import { describeChange, joinHints, describeNextStep } from '../../../form/hints';
import { transactionLocator } from '../../../form/locators';
import { parseUpdates, updateFields } from './changeFields';
import { parseHiddenSettings, defineHiddenSettings } from '../../draft/hiddenSettings';
import { noteConsent } from '../executionNotes';
import { parseTransactionOutput, formatTransaction, transactionOutputFields } from '../output';
import { planDraftUpdate, sendDraftUpdate, buildDraftUpdateGoal } from '../../draft/draftUpdate';

/**
 * Updates a draft: by PATCH on business. On real estate, PUT may reset what isn't sent, so the
 * closing is read, merged and written as a whole (docs/service/transactions.md#update-a-draft).
 */
export const updateTransaction = defineOperation({
	resource: 'transaction',
	value: 'update',
	name: 'Update',
	action: 'Update transaction',
	description: 'Update a draft. Fields you leave out keep their values.',
	kind: 'write',
	passesFiles: true,
	effect: 'Changes what the signers will get. A list of signers replaces the former one',
	properties: [
		platform,
		transactionLocator,
		...updateFields,
		...defineHiddenSettings({ platform: ['realEstate'] }),
		...transactionOutputFields,
	],
	check: parseTransactionOutput,
	write: defineWrite({
		parse: (call) => ({
			platform: parsePlatform(call.params),
			...parseTogether({
				transactionId: () => call.params.getRequiredLocator('transactionId'),
				changes: () => parseUpdates(call),
				notShown: () => parseHiddenSettings(call.params, call.service.settings.assuranceField),
			}),
		}),
		async prepare({ service }, { transactionId, platform, changes, notShown }) {
			const before = await retrieveTransaction(service, transactionId, platform);
			return planDraftUpdate(service.settings, before, platform, { fields: changes, notShown });
		},
		send: async ({ service }, _wish, update) => await sendDraftUpdate(service, update),
		goal: ({ service }, wish, update) => buildDraftUpdateGoal(service, update ?? wish),
		result(call, { transaction, ...outcome }, { changes }, update) {
			noteConsent(call, transaction, update?.request.body ?? changes);
			return {
				json: formatTransaction(call.params, transaction),
				hint: joinHints([
					describeNextStep(transaction, 'This is a draft'),
					describeChange(call.params, outcome),
				]),
			};
		},
	}),
});

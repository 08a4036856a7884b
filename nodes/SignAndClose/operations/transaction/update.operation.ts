import { readTogether } from '../../core/faults';
import { defineOperation, type OperationCall, type OperationResult } from '../../core/operation';
import { transactionLocator } from '../../fields/shared/locators';
import { differenceHint, joined, nextStep, notSentHint } from '../../fields/shared/outputHints';
import { platform, readPlatform } from '../../fields/shared/platform';
import {
	readTransactionForm,
	transactionJson,
	transactionOutput,
} from '../../fields/shared/transactionOutput';
import { inTransaction } from '../../fields/shared/toCheck';
import { readUpdates, updateFields } from '../../fields/transaction/updateFields';
import { mapSeen } from '../../service/goals';
import { readSettingsNotShown, settingsNotShown } from '../../fields/transaction/settingsNotShown';
import type { Changed } from '../../service/resources/drafts/changes';
import { planUpdate, sendUpdate, updatedGoal } from '../../service/resources/drafts/draftUpdate';
import { retrieveTransaction } from '../../service/resources/transactions';

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
	effect: 'Changes what the signers will get. A list of signers replaces the former one',
	properties: [
		platform,
		transactionLocator,
		...updateFields,
		...settingsNotShown({ platform: ['realEstate'] }),
		...transactionOutput,
	],
	check: readTransactionForm,
	async execute(call) {
		const { service, params } = call;
		const { assuranceField } = service.settings;
		const platform = readPlatform(params);
		const { transactionId, fields, notShown } = readTogether({
			transactionId: () => params.requiredLocator('transactionId'),
			fields: () => readUpdates(call),
			notShown: () => readSettingsNotShown(params, assuranceField),
		});
		const before = await retrieveTransaction(service, transactionId, platform);
		const update = planUpdate(before, platform, assuranceField, { fields, notShown });
		return toResult(call, await sendUpdate(service, update));
	},
	async lookUp(call) {
		const goal = updatedGoal(call.service, {
			transactionId: call.params.requiredLocator('transactionId'),
			platform: readPlatform(call.params),
			changes: readUpdates(call),
		});
		return mapSeen(await goal.look(), (changed) => toResult(call, changed));
	},
	toCheck: inTransaction('whether the transaction shows the change'),
});

function toResult(
	{ params, service }: OperationCall,
	{ transaction, differing, notSent }: Changed,
): OperationResult {
	return {
		json: transactionJson(params, transaction),
		hint: joined([
			nextStep(transaction, service.settings.assuranceField),
			differenceHint(params, differing),
			notSentHint(notSent),
		]),
	};
}

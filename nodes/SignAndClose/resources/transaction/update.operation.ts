import { parseTogether } from '../../messages/faults';
import { defineOperation, type OperationCall, type OperationResult } from '../../run/operation';
import { mapSeen } from '../../run/outcome/goals';
import { retrieveTransaction } from '../../transport/answers/retrieveTransaction';
import { platform, parsePlatform } from '../shared/commonFields';
import { changeHint, joined, nextStep } from '../shared/hints';
import { transactionLocator } from '../shared/locators';
import { inTransaction } from '../shared/toCheck';
import { parseTarget } from './api';
import { parseUpdates, updateFields } from './form/changes';
import { parseSettingsNotShown, settingsNotShown } from '../drafts/settingsNotShown';
import { parseTransactionForm, transactionJson, transactionOutput } from './output';
import type { Changed } from '../drafts/changes';
import { planUpdate, sendUpdate, updatedGoal } from '../drafts/draftUpdate';

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
		...settingsNotShown({ platform: ['realEstate'] }),
		...transactionOutput,
	],
	check: parseTransactionForm,
	async execute(call) {
		const { service, params } = call;
		const { assuranceField } = service.settings;
		const platform = parsePlatform(params);
		const { transactionId, fields, notShown } = parseTogether({
			transactionId: () => params.requiredLocator('transactionId'),
			fields: () => parseUpdates(call),
			notShown: () => parseSettingsNotShown(params, assuranceField),
		});
		const before = await retrieveTransaction(service, transactionId, platform);
		const update = planUpdate(before, platform, assuranceField, { fields, notShown });
		return toResult(call, await sendUpdate(service, update));
	},
	async lookUp(call) {
		const goal = updatedGoal(call.service, {
			...parseTarget(call.params),
			changes: parseUpdates(call),
		});
		return mapSeen(await goal.fromService(), (changed) => toResult(call, changed));
	},
	toCheck: inTransaction('whether the transaction shows the change'),
});

function toResult(
	{ params }: OperationCall,
	{ transaction, ...changed }: Changed,
): OperationResult {
	return {
		json: transactionJson(params, transaction),
		hint: joined([nextStep(transaction), changeHint(params, changed)]),
	};
}

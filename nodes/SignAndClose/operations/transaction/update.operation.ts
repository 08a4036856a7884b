import type { IDataObject } from 'n8n-workflow';

import { readTogether } from '../../core/faults';
import { defineOperation, type OperationCall, type OperationResult } from '../../core/operation';
import { transactionLocator } from '../../fields/shared/locators';
import { joined, nextStep } from '../../fields/shared/outputHints';
import { platform, readPlatform } from '../../fields/shared/platform';
import { showTransaction } from '../../fields/shared/shownDone';
import {
	readTransactionForm,
	transactionJson,
	transactionOutput,
} from '../../fields/shared/transactionOutput';
import { noEffectHint } from '../../fields/transaction/closingOptional';
import { readUpdates, updateFields } from '../../fields/transaction/updateFields';
import { mapSeen } from '../../service/goals';
import { unansweredNotice } from '../../fields/transaction/unanswered';
import { changesGoal, updateDraft } from '../../service/resources/drafts/draftUpdate';
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
		unansweredNotice,
		...updateFields,
		...transactionOutput,
	],
	check: readTransactionForm,
	async execute(call) {
		const { service, params } = call;
		const { transactionId, changes } = readTogether({
			transactionId: () => params.requiredLocator('transactionId'),
			changes: () => readUpdates(call),
		});
		const side = readPlatform(params);
		const before = await retrieveTransaction(service, transactionId, side);
		return toResult(call, await updateDraft(service, side, before, changes));
	},
	async lookUp(call) {
		const goal = changesGoal(call.service, {
			transactionId: call.params.requiredLocator('transactionId'),
			platform: readPlatform(call.params),
			changes: readUpdates(call),
		});
		return mapSeen(await goal.look(), (transaction) => toResult(call, transaction));
	},
	toCheck: 'whether the transaction shows the change',
	showDone: showTransaction,
});

function toResult({ params, service }: OperationCall, transaction: IDataObject): OperationResult {
	return {
		json: transactionJson(params, transaction),
		hint: joined([
			nextStep(transaction, service.settings.assuranceField),
			readPlatform(params) === 'realEstate'
				? noEffectHint(params.object('updateFields'), true)
				: undefined,
		]),
	};
}

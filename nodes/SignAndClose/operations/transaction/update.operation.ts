import type { IDataObject } from 'n8n-workflow';

import { defineOperation, type OperationCall, type OperationResult } from '../../core/operation';
import { transactionLocator } from '../../fields/shared/locators';
import { nextStep } from '../../fields/shared/outputHints';
import { platform, readPlatform, simplify, transactionJson } from '../../fields/shared/platform';
import { readUpdates, updateFields } from '../../fields/transaction/updateFields';
import { updateDraft } from '../../service/resources/closings';
import { retrieveTransaction, shows } from '../../service/resources/transactions';

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
	properties: [platform, transactionLocator, ...updateFields, simplify],
	async execute(call) {
		const { service, params } = call;
		const transactionId = params.requiredLocator('transactionId');
		const changes = readUpdates(call);
		const side = readPlatform(params);
		const current =
			side === 'realEstate'
				? await retrieveTransaction(service, transactionId, side)
				: { id: transactionId };
		return toResult(call, await updateDraft(service, side, current, changes));
	},
	async lookUp(call) {
		const transaction = await retrieveTransaction(
			call.service,
			call.params.requiredLocator('transactionId'),
			readPlatform(call.params),
		);
		return shows(transaction, readUpdates(call)) ? toResult(call, transaction) : undefined;
	},
});

function toResult({ params, service }: OperationCall, transaction: IDataObject): OperationResult {
	return {
		json: transactionJson(params, transaction),
		hint: nextStep(transaction, service.settings.assuranceField),
	};
}

import type { IDataObject } from 'n8n-workflow';

import { defineOperation, type OperationResult } from '../../core/operation';
import type { Params } from '../../core/params';
import { collection } from '../../fields/shared/builders';
import { transactionLocator } from '../../fields/shared/locators';
import { assuranceHint } from '../../fields/shared/outputHints';
import { platform, readPlatform, simplify, transactionJson } from '../../fields/shared/platform';
import { readSendOptions, sendOptions } from '../../fields/transaction/sendOptions';
import { isDraft } from '../../service/resources/transactionState';
import { retrieveTransaction, sendDraft } from '../../service/resources/transactions';
import { asObjects } from '../../service/values/json';

/** Sends a draft to its signers (docs/service/transactions.md#send). */
export const sendTransaction = defineOperation({
	resource: 'transaction',
	value: 'send',
	name: 'Send',
	action: 'Send transaction',
	description: 'Send a draft to its signers. To change it afterwards, you have to recall it.',
	kind: 'write',
	properties: [
		platform,
		transactionLocator,
		collection('Additional Fields', 'additionalFields', sendOptions),
		simplify,
	],
	async execute({ service, params }) {
		const transactionId = params.requiredLocator('transactionId');
		const side = readPlatform(params);
		const transaction = await sendDraft(
			service,
			transactionId,
			side,
			readSendOptions(params, side),
		);
		return toResult(params, transaction, service.settings.assuranceField);
	},
	async lookUp({ service, params }) {
		const transaction = await retrieveTransaction(
			service,
			params.requiredLocator('transactionId'),
			readPlatform(params),
		);
		return isDraft(transaction)
			? undefined
			: toResult(params, transaction, service.settings.assuranceField);
	},
});

function toResult(
	params: Params,
	transaction: IDataObject,
	assuranceField: string,
): OperationResult {
	const hint = assuranceHint(
		asObjects(transaction.signers),
		asObjects(transaction.documents),
		assuranceField,
	);
	return { json: transactionJson(params, transaction), hint };
}

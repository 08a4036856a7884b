import type { IDataObject } from 'n8n-workflow';

import { defineOperation, type OperationResult } from '../../run/operation';
import { mapSeen } from '../../run/outcome/goals';
import type { Params } from '../../run/parameters/params';
import { asObjects } from '../../values/json';
import { collection } from '../shared/fields';
import { transactionLocator } from '../shared/locators';
import { assuranceHint, joined } from '../shared/hints';
import { platform, parsePlatform } from '../shared/commonFields';
import { inTransaction } from '../shared/toCheck';
import { sentGoal } from './api';
import { sendWhenProcessed } from './documentProcessing';
import { withAccessLinks } from './form/accessLinks';
import { documentWait, readDocumentWait, readSendOptions, sendOptions } from './form/sendOptions';
import { readTransactionForm, transactionJson, transactionOutput } from './output';

/** Sends a draft to its signers (docs/service/transactions.md#send). */
export const sendTransaction = defineOperation({
	resource: 'transaction',
	value: 'send',
	name: 'Send',
	action: 'Send transaction or closing',
	description: 'Send a draft to its signers. To change it afterwards, you have to recall it.',
	kind: 'write',
	effect: 'Invites the signers by email, and contacts of a closing may be told, too',
	properties: [
		platform,
		transactionLocator,
		collection('Additional Fields', 'additionalFields', [...sendOptions, documentWait]),
		...transactionOutput,
	],
	check: readTransactionForm,
	async execute({ context, service, params }) {
		const transactionId = params.requiredLocator('transactionId');
		const side = parsePlatform(params);
		const { transaction, waitedMs } = await sendWhenProcessed(service, transactionId, side, {
			options: readSendOptions(params, side),
			limitMs: readDocumentWait(params),
			signal: context.getExecutionCancelSignal(),
		});
		return toResult(params, transaction, service.settings.assuranceField, waitedMs);
	},
	async lookUp({ service, params }) {
		const goal = sentGoal(service, params.requiredLocator('transactionId'), parsePlatform(params));
		return mapSeen(await goal.look(), (transaction) =>
			toResult(params, transaction, service.settings.assuranceField),
		);
	},
	toCheck: inTransaction('whether the transaction is sent'),
});

function toResult(
	params: Params,
	transaction: IDataObject,
	assuranceField: string,
	waitedMs = 0,
): OperationResult {
	const seconds = Math.round(waitedMs / 1000);
	const hint = joined([
		seconds > 0
			? `The node waited ${seconds} seconds until the service had processed the documents`
			: undefined,
		assuranceHint(asObjects(transaction.signers), asObjects(transaction.documents), assuranceField),
	]);
	return withAccessLinks({ json: transactionJson(params, transaction), hint }, transaction, params);
}

import type { IDataObject } from 'n8n-workflow';

import { defineOperation } from '../../run/operation';
import { mapSeen } from '../../run/outcome/goals';
import type { Params } from '../../run/parameters/params';
import { platform } from '../shared/commonFields';
import { flag, longText } from '../shared/fields';
import { transactionLocator } from '../shared/locators';
import { inTransaction } from '../shared/toCheck';
import { parseTarget, phaseGoal, recall, requireMeant } from './api';
import { parseTransactionForm, transactionJson, transactionOutput } from './output';

const NEXT =
	"The transaction is a draft again: change it with 'Transaction: Update', then use 'Transaction: Send'";

/** Makes a sent transaction a draft again (docs/service/transactions.md#recall). */
export const recallTransaction = defineOperation({
	resource: 'transaction',
	value: 'recall',
	name: 'Recall',
	action: 'Recall transaction',
	description: 'Recall a sent transaction to a draft, so you can change it',
	kind: 'write',
	passesFiles: true,
	effect: "Takes the transaction back from its signers, who can't go on until it's sent again",
	properties: [
		platform,
		transactionLocator,
		flag(
			'Recall from Signers',
			'evenIfSent',
			"Whether to take the transaction back from its signers. Until it's sent again, they can't sign.",
		),
		longText(
			'Reason',
			'recallReason',
			'Why the transaction is recalled. The service stores the reason.',
		),
		...transactionOutput,
	],
	check: parseTransactionForm,
	async execute(call) {
		const { service, params } = call;
		await requireMeant(call, 'recall');
		return toResult(
			params,
			await recall(service, parseTarget(params), params.text('recallReason')),
		);
	},
	async lookUp({ service, params }) {
		const goal = phaseGoal(service, 'recallTransaction', parseTarget(params));
		return mapSeen(await goal.fromService(), (transaction) => toResult(params, transaction));
	},
	toCheck: inTransaction('whether the transaction is a draft again'),
});

const toResult = (params: Params, transaction: IDataObject) => ({
	json: transactionJson(params, transaction),
	hint: NEXT,
});

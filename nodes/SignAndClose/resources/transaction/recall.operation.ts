import { defineOperation, type OperationCall, type OperationResult } from '../../run/operation';
import { mapSeen } from '../../run/outcome/goals';
import type { TransactionAnswer } from '../../transport/answers/answers';
import { platform } from '../shared/commonFields';
import { flag, longText } from '../shared/fields';
import { transactionLocator } from '../shared/locators';
import { inTransaction } from '../shared/toCheck';
import { parseTarget, phaseGoal, recall, requireMeant } from './api';
import { parseTransactionForm, transactionJson, transactionOutput } from './output';
import { noteRecall } from './ownDoings';

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
		return toResult(call, await recall(service, parseTarget(params), params.text('recallReason')));
	},
	async lookUp(call) {
		const goal = phaseGoal(call.service, 'recallTransaction', parseTarget(call.params));
		return mapSeen(await goal.fromService(), (transaction) => toResult(call, transaction));
	},
	toCheck: inTransaction('whether the transaction is a draft again'),
});

function toResult(call: OperationCall, transaction: TransactionAnswer): OperationResult {
	noteRecall(call, transaction.id);
	return { json: transactionJson(call.params, transaction), hint: NEXT };
}

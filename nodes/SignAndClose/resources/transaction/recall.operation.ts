import { defineOperation, defineWrite } from '../../run/operation';
import { platform } from '../shared/commonFields';
import { flag, longText } from '../shared/fields';
import { transactionLocator } from '../shared/locators';
import { parseTarget, phaseGoal, recallQuery, requireMeant, sendMove } from './api';
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
	write: defineWrite({
		parse: ({ params }) => ({ ...parseTarget(params), reason: params.text('recallReason') }),
		prepare: async (call) => await requireMeant(call, 'recall'),
		send: async ({ service }, { reason, ...target }) =>
			await sendMove(service, 'recallTransaction', target, recallQuery(reason)),
		goal: ({ service }, target) => phaseGoal(service, 'recallTransaction', target),
		result(call, transaction) {
			noteRecall(call, transaction.id);
			return { json: transactionJson(call.params, transaction), hint: NEXT };
		},
		repeats: true,
	}),
});

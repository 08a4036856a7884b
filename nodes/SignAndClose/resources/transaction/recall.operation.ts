import type { INodeProperties } from 'n8n-workflow';

import { defineOperation, defineWrite } from '../../run/operation';
import { platform } from '../../form/commonFields';
import { defineFlag, defineLongText } from '../../form/fields';
import { transactionLocator } from '../../form/locators';
import {
	parseTransactionTarget,
	buildPhaseGoal,
	buildRecallRequest,
	requireConfirmation,
	sendMove,
} from './api';
import { parseTransactionOutput, formatTransaction, transactionOutputFields } from './output';
import { noteRecall } from './executionNotes';

/** docs/service/transactions.md#recall */
const recallNotice: INodeProperties = {
	displayName:
		"Sent again, a closing waits for the closing team once more, which can take hours. There's no recall once a signer has completed or a meeting was attempted.",
	name: 'recallNotice',
	type: 'notice',
	default: '',
};

const NEXT =
	"The transaction is a draft again: change it with 'Transaction: Update', then use 'Transaction: Send'";

/**
 * Makes a sent transaction a draft again (docs/service/transactions.md#recall). It isn't sent again after
 * a lost answer: the first request could come late, and recall what was sent by then.
 */
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
		recallNotice,
		platform,
		transactionLocator,
		defineFlag(
			'Recall from Signers',
			'evenIfSent',
			"Whether to take the transaction back from its signers. Until it's sent again, they can't sign.",
		),
		defineLongText(
			'Reason',
			'recallReason',
			'Why the transaction is recalled. The service stores the reason.',
		),
		...transactionOutputFields,
	],
	check: parseTransactionOutput,
	write: defineWrite({
		parse: ({ params }) => ({
			...parseTransactionTarget(params),
			reason: params.getText('recallReason'),
		}),
		prepare: async (call) => await requireConfirmation(call, 'recall'),
		send: async ({ service }, { reason, ...target }) =>
			await sendMove(service, 'recallTransaction', target, buildRecallRequest(reason)),
		goal: ({ service }, target) => buildPhaseGoal(service, 'recallTransaction', target),
		result(call, transaction) {
			noteRecall(call, transaction.id);
			return { json: formatTransaction(call.params, transaction), hint: NEXT };
		},
	}),
});

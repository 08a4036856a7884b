import type { INodeProperties } from 'n8n-workflow';

import { defineOperation, defineWrite } from '../../run/operation';
import type { Goal } from '../../run/goals';
import type { TransactionAnswer } from '../../transport/answers/shapes';
import type { ServiceClient } from '../../transport/client';
import { platform } from '../../form/commonFields';
import { transactionLocator } from '../../form/locators';
import { parseTransactionTarget, buildPhaseGoal, sendMove, type TransactionTarget } from './api';
import { parseTransactionOutput, formatTransaction, transactionOutputFields } from './output';

const testOnly: INodeProperties = {
	displayName:
		'For tests only. The service completes the transaction without its signers and its notary, and refuses to do so outside of its test environments.',
	name: 'testEnvironmentNotice',
	type: 'notice',
	default: '',
};

/**
 * Completes a sent transaction as if its signers had signed, in a test environment
 * (docs/service/transactions.md#force-complete). The service answers before it's completed, so this
 * waits for it.
 */
export const forceCompleteTransaction = defineOperation({
	resource: 'transaction',
	value: 'forceComplete',
	name: 'Force Complete',
	action: 'Force complete transaction',
	description:
		'Complete a sent transaction without its signers. Only test environments of the service allow it.',
	kind: 'write',
	passesFiles: true,
	effect: 'Completes the transaction as if everybody had signed',
	properties: [testOnly, platform, transactionLocator, ...transactionOutputFields],
	check: parseTransactionOutput,
	write: defineWrite({
		parse: ({ params }) => parseTransactionTarget(params),
		send: async ({ service }, target) => await sendMove(service, 'forceComplete', target),
		goal: ({ service }, target) => buildCompletionGoal(service, target),
		result: ({ params }, transaction) => ({ json: formatTransaction(params, transaction) }),
		// A completed transaction refuses it.
		repeats: true,
	}),
});

/** The goal: the transaction is completed, which may take some time after the answer. */
function buildCompletionGoal(
	service: ServiceClient,
	target: TransactionTarget,
): Goal<TransactionAnswer> {
	const goal = buildPhaseGoal(service, 'forceComplete', target);
	return {
		...goal,
		shownAfterMs: service.limits.completionMs,
		async look(options) {
			const seen = await goal.look(options);
			return options.isAnswered && !options.isLate && seen?.state === 'notDone' ? undefined : seen;
		},
	};
}

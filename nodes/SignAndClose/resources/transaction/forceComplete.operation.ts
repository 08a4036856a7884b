import type { INodeProperties } from 'n8n-workflow';

import { defineOperation, defineWrite } from '../../run/operation';
import type { Goal } from '../../run/outcome/goals';
import type { TransactionAnswer } from '../../transport/answers/answers';
import type { ServiceClient } from '../../transport/client';
import { platform } from '../shared/commonFields';
import { transactionLocator } from '../shared/locators';
import { parseTarget, phaseGoal, sendMove, type Target } from './api';
import { parseTransactionForm, transactionJson, transactionOutput } from './output';

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
	properties: [testOnly, platform, transactionLocator, ...transactionOutput],
	check: parseTransactionForm,
	write: defineWrite({
		parse: ({ params }) => parseTarget(params),
		send: async ({ service }, target) => await sendMove(service, 'forceComplete', target),
		goal: ({ service }, target) => completedGoal(service, target),
		result: ({ params }, transaction) => ({ json: transactionJson(params, transaction) }),
		// A completed transaction refuses it.
		repeats: true,
	}),
});

/** The goal: the transaction is completed, which may take some time after the answer. */
function completedGoal(service: ServiceClient, target: Target): Goal<TransactionAnswer> {
	const goal = phaseGoal(service, 'forceComplete', target);
	return {
		...goal,
		shownAfterMs: service.limits.completionMs,
		async look(how) {
			const seen = await goal.look(how);
			return how.answered && !how.isLate && seen?.state === 'notDone' ? undefined : seen;
		},
	};
}

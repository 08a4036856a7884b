import { sleep, type INodeProperties } from 'n8n-workflow';

import { defineOperation, type OperationCall } from '../../run/operation';
import { mapSeen, UNKNOWN, write, type Goal, type Seen } from '../../run/outcome/goals';
import type { TransactionAnswer } from '../../transport/answers/answers';
import { retrieveTransaction } from '../../transport/answers/retrieveTransaction';
import { hasLapsed } from '../../transport/answers/transactionState';
import { asObject } from '../../values/json';
import { platform } from '../shared/commonFields';
import { transactionLocator } from '../shared/locators';
import { inTransaction } from '../shared/toCheck';
import { parseTarget, phaseGoal } from './api';
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
	async execute(call) {
		const { service, params } = call;
		const { transactionId, platform } = parseTarget(params);
		const transaction = await write(
			service,
			async () => await service.json('forceComplete', { path: { transactionId }, platform }),
			completedGoal(call),
		);
		return { json: transactionJson(params, transaction) };
	},
	async lookUp(call) {
		return mapSeen(await completedGoal(call).fromService(), (transaction) => ({
			json: transactionJson(call.params, transaction),
		}));
	},
	toCheck: inTransaction('whether the transaction is completed'),
});

/** Milliseconds between two requests for a transaction that is being completed. */
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5_000;

/**
 * The goal: the transaction is completed, which may take some time after the answer. Doing it again
 * can't do it twice: a completed transaction refuses it.
 */
function completedGoal(call: OperationCall): Required<Goal<TransactionAnswer>> {
	const { context, service, params } = call;
	const target = parseTarget(params);
	const { transactionId, platform } = target;
	const goal = phaseGoal(service, 'forceComplete', target);
	const fromAnswer = (shown: unknown): Seen<TransactionAnswer> => {
		const seen = goal.fromAnswer(shown);
		return hasLapsed(asObject(shown)) ? UNKNOWN : seen;
	};
	const fromService = async () => {
		const end = Date.now() + service.limits.completionMs;
		for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
			const seen = fromAnswer(await retrieveTransaction(service, transactionId, platform));
			if (seen.state !== 'notDone' || Date.now() + pause > end) return seen;
			await sleep(pause, context.getExecutionCancelSignal());
		}
	};
	return { fromAnswer, fromService };
}

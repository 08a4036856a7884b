import type { INodeProperties } from 'n8n-workflow';

import { defineOperation } from '../../run/operation';
import { mapSeen } from '../../run/outcome/goals';
import { transactionLocator } from '../shared/locators';
import { platform, parsePlatform } from '../shared/commonFields';
import { inTransaction } from '../shared/toCheck';
import { completedGoal, forceComplete } from './api';
import { readTransactionForm, transactionJson, transactionOutput } from './output';

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
	effect: 'Completes the transaction as if everybody had signed',
	properties: [testOnly, platform, transactionLocator, ...transactionOutput],
	check: readTransactionForm,
	async execute({ context, service, params }) {
		const transaction = await forceComplete(
			service,
			params.requiredLocator('transactionId'),
			parsePlatform(params),
			context.getExecutionCancelSignal(),
		);
		return { json: transactionJson(params, transaction) };
	},
	async lookUp({ context, service, params }) {
		const goal = completedGoal(
			service,
			params.requiredLocator('transactionId'),
			parsePlatform(params),
			context.getExecutionCancelSignal(),
		);
		return mapSeen(await goal.look(), (transaction) => ({
			json: transactionJson(params, transaction),
		}));
	},
	toCheck: inTransaction('whether the transaction is completed'),
});

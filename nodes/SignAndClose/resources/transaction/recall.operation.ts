import { defineOperation } from '../../run/operation';
import { mapSeen, write } from '../../run/outcome/goals';
import type { TransactionAnswer } from '../../transport/answers/answers';
import type { ServiceClient } from '../../transport/client';
import type { Platform } from '../../transport/service/endpoints';
import { platform, parsePlatform } from '../shared/commonFields';
import { longText } from '../shared/fields';
import { transactionLocator } from '../shared/locators';
import { inTransaction } from '../shared/toCheck';
import { phaseGoal } from './api';
import { evenIfSent, requireMeant } from './form/evenIfSent';
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
	effect: "Takes the transaction back from its signers, who can't go on until it's sent again",
	properties: [
		platform,
		transactionLocator,
		evenIfSent(
			'Recall from Signers',
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
		const transaction = await recall(
			service,
			params.requiredLocator('transactionId'),
			parsePlatform(params),
			params.text('recallReason'),
		);
		return { json: transactionJson(params, transaction), hint: NEXT };
	},
	async lookUp({ service, params }) {
		const goal = recalledGoal(
			service,
			params.requiredLocator('transactionId'),
			parsePlatform(params),
		);
		return mapSeen(await goal.fromService(), (transaction) => ({
			json: transactionJson(params, transaction),
			hint: NEXT,
		}));
	},
	toCheck: inTransaction('whether the transaction is a draft again'),
});

/** The goal of Recall: the transaction is a draft. */
const recalledGoal = (service: ServiceClient, transactionId: string, side: Platform) =>
	phaseGoal(service, transactionId, side, { reached: ['draft'], missed: 'sent' });

/**
 * Makes a sent transaction a draft again.
 * @returns the transaction as it is now
 * @throws ServiceFailure `notDone` when it is still sent; with `flags.unknownOutcome` when it may have been
 *   recalled
 */
export async function recall(
	service: ServiceClient,
	transactionId: string,
	side: Platform,
	reason?: string,
): Promise<TransactionAnswer> {
	const query = reason === undefined ? undefined : { recall_reason: reason };
	return await write(
		service,
		async () =>
			await service.json('recallTransaction', { path: { transactionId }, platform: side, query }),
		recalledGoal(service, transactionId, side),
	);
}

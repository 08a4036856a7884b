import { defineOperation } from '../../../run/operation';
import { compareItem } from './itemComparison';
import { asCreateCall, createAndSendFields } from './form';
import { parseClosingItem } from './item';
import { planItem } from './plan';
import { requireFeasible } from './refusals';
import { buildParts, buildPlanOutput, describeItemSigners } from './parts';
import { findClaimed } from '../ifExists/claims';
import { parseTransactionOutput, transactionOutputFields } from '../output';
import { describeRows } from '../sheet/hint';

/**
 * Brings a file to a draft with all of its documents, and sends it
 * (docs/service/transactions.md#create-a-closing, docs/service/documents.md#add-a-document,
 * docs/service/transactions.md#send). Run again, it adds only what is missing.
 */
export const createAndSend = defineOperation({
	resource: 'transaction',
	value: 'createAndSend',
	name: 'Create and Send',
	action: 'Create and send transaction or closing',
	description:
		'Create a transaction or closing with all of its documents, and keep, check or send it. Run again, it adds what is missing.',
	kind: 'write',
	passesFiles: true,
	effect: "Creates a draft. Nobody is told of it: a person sends it, with 'Transaction: Send'",
	properties: [...createAndSendFields, ...transactionOutputFields],
	check: parseTransactionOutput,
	async divide(call) {
		const item = await parseClosingItem(call);
		const existing = await findClaimed(
			asCreateCall(call),
			item.transaction,
			item.key,
			item.options,
		);
		const comparison = existing && (await compareItem(call, item, existing));
		const plan = planItem(call, item, comparison);
		if (item.then === 'plan')
			return buildPlanOutput(call, item, plan, comparison, {
				note: item.transaction.note,
				hint: describeItemSigners(item, comparison),
			});
		requireFeasible(plan, item, comparison);
		return buildParts(call, item, plan, comparison);
	},
	summary: describeRows,
});

import { defineOperation } from '../../run/operation';
import { compareItem } from './createAndSend/compare';
import { asCreate, createAndSendFields } from './createAndSend/form';
import { parseItem } from './createAndSend/item';
import { planItem } from './createAndSend/plan';
import { requireDoable } from './createAndSend/refusals';
import { partsOf, planOnly } from './createAndSend/steps';
import { findClaimed } from './existing/ifExists';
import { parseTransactionForm, transactionOutput } from './output';
import { describeRows } from './row/rowHint';

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
	properties: [...createAndSendFields, ...transactionOutput],
	check: parseTransactionForm,
	async divide(call) {
		const item = await parseItem(call);
		const existing = await findClaimed(asCreate(call), item.transaction, item.key, item.options);
		const found = existing && (await compareItem(call, item, existing));
		const plan = planItem(call, item, found);
		if (item.then === 'plan') return planOnly(call, item, plan, found);
		requireDoable(plan, item, found);
		return partsOf(call, item, plan, found);
	},
	summary: describeRows,
});

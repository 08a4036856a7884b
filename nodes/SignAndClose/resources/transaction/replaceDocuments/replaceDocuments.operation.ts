import { defineOperation } from '../../../run/operation';
import { joinHints } from '../../../form/hints';
import { retrieveTransaction } from '../../../transport/answers/transaction';
import { buildPlanOutput, listStops } from '../createAndSend/parts';
import { keepsAll } from '../createAndSend/steps/plannedSteps';
import { parseTransactionOutput, transactionOutputFields } from '../output';
import { comparePapers } from './comparison';
import { parseReplaceForm, replaceDocumentsFields } from './form';
import { claimTransaction, readReplacementItem } from './item';
import {
	buildReplacementParts,
	describeKept,
	describeNothingNew,
	describeReplaced,
	describeStanding,
	listPapers,
} from './output';
import { planReplacement } from './plan';
import { requireReplaceable } from './refusals';

/**
 * Replaces documents of a transaction, even after sending (docs/service/transactions.md#recall,
 * docs/service/documents.md#add-a-document, docs/service/transactions.md#send). Run again, it does only
 * what is left.
 */
export const replaceDocuments = defineOperation({
	resource: 'transaction',
	value: 'replaceDocuments',
	name: 'Replace Documents',
	action: 'Replace documents of transaction',
	description:
		'Compare new files with the documents of a transaction, and replace those that have changed, even after sending',
	kind: 'write',
	passesFiles: true,
	isExclusive: true,
	effect: 'Writes nothing: it says what a run would do. A person runs it',
	properties: [...replaceDocumentsFields, ...transactionOutputFields],
	check: parseTransactionOutput,
	async divide(call) {
		const form = parseReplaceForm(call);
		const { transactionId, platform, then } = form;
		claimTransaction(call, transactionId);
		const transaction = await retrieveTransaction(call.service, transactionId, platform);
		const item = await readReplacementItem(call, form, transaction);
		const comparison = await comparePapers(call, item, transaction);
		const plan = planReplacement(call, item, comparison);
		const stands = describeStanding(comparison);
		const isDone = keepsAll(plan.steps) && listStops(item, plan).length === 0;
		const changes = [stands, describeReplaced(comparison, 'would be replaced')];
		if (then === 'plan')
			return buildPlanOutput(call, item, plan, comparison, {
				json: { papers: listPapers(comparison) },
				hint: joinHints([
					...(isDone ? [describeNothingNew(comparison)] : changes),
					describeKept(comparison, item),
				]),
			});
		requireReplaceable(plan, item, comparison, stands);
		return buildReplacementParts(call, item, plan, comparison);
	},
});

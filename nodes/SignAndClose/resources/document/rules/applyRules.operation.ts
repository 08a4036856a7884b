import {
	defineOperation,
	type OperationCall,
	type OperationResult,
	type WritePart,
	type RunSummary,
} from '../../../run/operation';
import { normalizeId } from '../../../values/ids';
import { platform } from '../../../form/commonFields';
import { transactionLocator } from '../../../form/locators';
import { describeFile } from '../api';
import { applyFields, parseApplyForm, type ApplyForm } from './form';
import { buildDocumentParts } from './documentParts';
import { documentRules } from './ruleFields';
import { planOrder, buildOrderPart } from './order';
import type { RulePlan } from './replacement';
import { listUnmetRules } from './rules';
import { awaitDocuments, type RuledDraft } from './split';

/**
 * Sets what a table of rules says of the documents of a draft, e.g. of those that a split has made
 * (docs/service/documents.md#bookmarked-pdfs).
 */
export const applyRules = defineOperation({
	resource: 'document',
	value: 'applyRules',
	name: 'Apply Rules',
	action: 'Apply rules to documents',
	description:
		'Set requirement, flags and positions of the documents of a draft by their names, e.g. after a PDF was split at its bookmarks',
	kind: 'write',
	passesFiles: true,
	effect: 'Changes what the signers have to do with these documents',
	properties: [platform, transactionLocator, documentRules, ...applyFields],
	async divide(call) {
		const form = parseApplyForm(call);
		const draft = await awaitDocuments(call, form);
		return {
			parts: draft.isWaiting ? [buildWaitingPart(call, form, draft)] : listParts(call, form, draft),
			resumeAdvice: 'A new run of the workflow does only what is left',
			details: () => ({ transaction_id: form.transactionId }),
		};
	},
	summary: describeUnnamed,
});

/** The one output of an item whose split is running. */
const buildWaitingPart = (
	{ params }: OperationCall,
	{ transactionId, expected }: ApplyForm,
	draft: RuledDraft,
): WritePart => ({
	key: 'split',
	name: 'Split',
	params,
	existing: {
		json: {
			transaction_id: transactionId,
			// A document that is still processed takes no requirement yet.
			split_running: draft.isSplitting === false ? true : draft.isSplitting,
			ready: false,
			document_count: draft.documents.length,
			expected_count: expected ?? null,
		},
		isFound: true,
	},
});

function listParts(call: OperationCall, form: ApplyForm, draft: RuledDraft): WritePart[] {
	const { planned, documents, transaction } = draft;
	const getName = ({ document }: RulePlan) => describeFile(document).name;
	const unnamed = planned.filter(({ rule }) => rule === undefined).map(getName);
	const unmet = listUnmetRules(form.rules, planned.map(getName));
	const order = planOrder(planned, (transaction.documents ?? []).length - documents.length);
	const parts = planned.flatMap((plan) => {
		const base = {
			key: normalizeId(String(plan.document.id)),
			name: getName(plan),
			params: call.params,
			complete: (result: OperationResult) => ({ ...result, note: unnamed }),
		};
		const position = order?.get(plan) ?? plan.now.bundle_position;
		return buildDocumentParts(base, form, draft, plan, position, unmet);
	});
	return order === undefined ? parts : [buildOrderPart(call, form, draft, order), ...parts];
}

/** Names the documents that no rule names. */
function describeUnnamed(notes: readonly string[][]): RunSummary {
	const names = [...new Set(notes.flat())];
	if (names.length === 0) return {};
	return {
		ofItems: [`No rule names: ${names.join(', ')}. What isn't to stay as it is needs a rule`],
	};
}

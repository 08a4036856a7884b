import type { IDataObject } from 'n8n-workflow';

import { joinSentences } from '../../../values/words';
import { explain } from '../../../messages/explanations';
import type { OperationCall } from '../../../run/operation';
import { namesTitleAgency } from '../../../form/hints';
import type { DocumentAnswer, TransactionAnswer } from '../../../transport/answers/shapes';
import { asError, findFailure } from '../../../transport/failure/failure';
import { listExpectedSigners } from '../../draft/signerComparison';
import { describeDifference } from '../../draft/difference';
import { listDocuments } from '../../document/api';
import { buildDraftChange } from '../../draft/draftChange';
import { formatSignerName } from '../../signer/api';
import { getExternalId } from '../../signer/people';
import { listKeptDifferences, type DocumentDeletion, type ItemComparison } from './itemComparison';
import { buildItemDocuments, buildStableReference, type ItemDocument } from './itemDocuments';
import { createAndSendFields } from './form';
import type { ClosingItem } from './item';
import { isMadeByNode } from '../ifExists/identity';
import {
	listUnplaced,
	refuseDifferences,
	refuseDraft,
	refuseForeign,
	refuseHiddenIds,
} from './refusals';
import { keepsAll, toKeptStep, type Plan, type PlannedStep } from './steps/plannedSteps';
import { buildAddStep, buildDeleteStep, buildUpdateStep } from './steps/documentSteps';
import { verifyDraft } from './steps/draftVerification';
import { buildEndStep } from './steps/endStep';
import { buildEnoteDeletion, buildEnoteStep } from './steps/enoteStep';
import { buildChangeStep, buildCreateStep } from './steps/transactionSteps';

/* From the differences to what is done about them: an ordered plan, or why there is none. */

/**
 * Plans what is left of an item.
 * @param comparison the transaction that is there
 */
export function planItem(
	call: OperationCall,
	item: ClosingItem,
	comparison: ItemComparison | undefined,
): Plan {
	const { platform, transaction, documents, enote } = item;
	const signers = listExpectedSigners(transaction.body);
	const people = signers.map(formatSignerName).join(' and ');
	const kind = platform === 'business' ? 'transaction' : 'closing';
	const create = buildCreateStep(item, `Create the ${kind} for ${people}`);
	const plan: Plan = { steps: [create], refusals: [], sendRefusals: [] };
	if (comparison === undefined) {
		const ids = new Map(signers.map(getExternalId).map((id) => [id, id]));
		plan.steps.push(
			...buildItemDocuments(documents, ids).map((document) => buildAddStep(document)),
		);
		if (enote !== undefined) plan.steps.push(buildEnoteStep(enote));
	} else planExisting(call, item, comparison, plan);
	const unplaced = comparison?.isSent === true ? [] : listUnplaced(item, comparison);
	if (platform === 'business') plan.sendRefusals.push(...unplaced);
	// The closing team may add a place.
	const warnings = platform === 'business' ? [] : unplaced;
	const lacksTitleAgency = comparison === undefined && !namesTitleAgency(transaction.body);
	const verify = async (write: OperationCall, draft: TransactionAnswer) =>
		await verifyDraft(write, item, comparison, plan, draft);
	plan.steps.push(
		buildEndStep(item, { plan, people, existing: comparison, lacksTitleAgency, warnings, verify }),
	);
	return plan;
}

/** Plans what is left to do with a transaction that is there, and notes what stands against it. */
function planExisting(
	call: OperationCall,
	item: ClosingItem,
	comparison: ItemComparison,
	plan: Plan,
): void {
	const { isSent, updates, transaction } = comparison;
	refuseDifferences(item, comparison, plan);
	if (!isSent) refuseDraft(call, item, comparison, plan);
	const transactionStep = toKeptStep(plan.steps[0], 'transaction');
	const changes = updates ? planChanges(call, item, comparison, plan) : [];
	const { additions: addedSteps, deletions } = planDocumentSteps(comparison, plan);
	const steps = [
		...[...changes, ...addedSteps, ...planEnoteSteps(item, comparison)],
		...deletions.map((deletion) =>
			buildDeleteStep(item, deletion, deletions, listDocuments(transaction)),
		),
	];
	const isUnchanged = keepsAll(steps);
	const unchanged = listKeptDifferences(comparison).length > 0 ? 'different' : 'equal';
	const counted = isSent ? 'already sent' : isUnchanged ? unchanged : 'updated';
	const existing = { json: { transaction_id: transaction.id, existing: true }, counted };
	plan.steps = [{ ...transactionStep, sentence: `${transaction.id} is there`, existing }, ...steps];
	const isAdding = addedSteps.some(({ action }) => action === 'add' || action === 'replace');
	if (!isSent && isAdding) refuseHiddenIds(comparison, plan);
}

/** By whose form messages name fields. */
const FORM_OF_MESSAGES = {
	operation: 'transaction/createAndSend',
	properties: createAndSendFields,
};

/** @returns the change of the draft, if there's something to change and nothing is lost by it */
function planChanges(
	call: OperationCall,
	item: ClosingItem,
	comparison: ItemComparison,
	plan: Plan,
): PlannedStep[] {
	const { assuranceField } = call.service.settings;
	const isOwn = isMadeByNode(comparison.transaction, item.transaction);
	const changes = buildDraftChange(comparison, assuranceField, item.options.removes, isOwn);
	if (changes === undefined) return [];
	const { id } = comparison.transaction;
	const texts = comparison.differences
		.filter(({ about, kind }) => kind !== 'unknown' && TRANSACTION_SUBJECTS.has(about))
		.map((difference) => describeDifference(difference, id));
	try {
		return [
			buildChangeStep(call, item, comparison, changes, `Change the draft: ${texts.join('; ')}`),
		];
	} catch (thrown) {
		const failure = findFailure(thrown);
		if (failure === undefined) throw asError(thrown);
		const { message, remedy } = explain(failure, FORM_OF_MESSAGES);
		plan.refusals.push(joinSentences(message, remedy));
		return [];
	}
}

/** What a change of the transaction itself is about. */
const TRANSACTION_SUBJECTS: ReadonlySet<string> = new Set([
	'field',
	'property',
	'signer',
	'person',
]);

/** What an update sets of a document at every service. */
const UPDATABLE_FIELDS: Record<string, string> = { Name: 'name', Requirement: 'requirement' };

/** What becomes of each document of the item, and which go once the others are there. */
function planDocumentSteps(
	comparison: ItemComparison,
	plan: Plan,
): { additions: PlannedStep[]; deletions: DocumentDeletion[] } {
	const { isSent, updates, spare, extra, transaction } = comparison;
	// Nothing of the item explains them, or twice is once too often.
	const unneeded = extra
		.filter(({ isOurs }) => isOurs && updates)
		.map(({ document }) => ({ document, reason: 'the item no longer has it' }));
	const deletions: DocumentDeletion[] = isSent ? [] : [...spare, ...unneeded];
	const usedReferences = new Set(
		transaction.documents?.map(({ tracking_id: reference }) => reference),
	);
	const addStep = (expected: ItemDocument, replaced?: DocumentAnswer) =>
		buildAddStep(expected, replaced, buildStableReference(expected, usedReferences));
	const additions = comparison.documents.flatMap((document): PlannedStep[] => {
		const { expected, actual: match, content, differences } = document;
		const { file } = expected.planned;
		if (match === undefined) {
			const failedDocument = spare.find(
				({ content: reference }) => reference === expected.content,
			)?.document;
			return isSent ? [] : [addStep(expected, failedDocument)];
		}
		const changedValues = differences.filter(({ kind }) => kind !== 'unknown');
		if (!updates || content === 'unknown' || changedValues.length === 0)
			return [toKeptStep(buildAddStep(expected), file)];
		if (content === 'equal' && changedValues.every(({ field }) => field in UPDATABLE_FIELDS)) {
			const changes = changedValues.map(({ field, expected }) => [
				UPDATABLE_FIELDS[field],
				expected,
			]);
			return [buildUpdateStep(file, match, Object.fromEntries(changes) as IDataObject)];
		}
		refuseForeign(match, content === 'other', comparison, plan);
		deletions.push({ document: match, reason: 'another one takes its place' });
		return [addStep(expected, match)];
	});
	return { additions, deletions };
}

function planEnoteSteps({ enote }: ClosingItem, comparison: ItemComparison): PlannedStep[] {
	if (enote === undefined) return [];
	const isThere = comparison.enotes.length > 0;
	const isReplaced =
		comparison.updates &&
		comparison.differences.some(({ about, kind }) => about === 'enote' && kind === 'different');
	const add = buildEnoteStep(enote);
	if (isReplaced) return [buildEnoteDeletion(), add];
	if (isThere) return [toKeptStep(add, 'eNote')];
	return comparison.isSent ? [] : [add];
}

import type { IDataObject } from 'n8n-workflow';

import { joinSentences } from '../../../values/words';
import type { OperationCall, OperationResult, WriteParts } from '../../../run/operation';
import { asObjects, withoutEmpty } from '../../../values/json';
import {
	describeDifference,
	describeDifferingFields,
	toDifferenceOutput,
	type ItemDifference,
} from '../../draft/difference';
import type { TransactionAnswer } from '../../../transport/answers/shapes';
import { isStillDraft } from '../documentWait';
import { describeOtherRoles } from '../../draft/signerComparison';
import { describeLeftOutPlaces, toLeftOutOutput } from '../../document/places/leftOut';
import { joinHints } from '../../../form/hints';
import { addRemark, isOnlyItem, nameItem, type RowNote } from '../sheet/hint';
import { listKeptDifferences, type ItemComparison } from './itemComparison';
import { ifItDiffersChoice } from './choices';
import type { ClosingItem, PapersItem } from './item';
import { listLeftOutPlaces } from './itemDocuments';
import { describeNotNamed, listUnplaced } from './refusals';
import { buildStepParts, readTransactionId, type Plan } from './steps/plannedSteps';

/* What comes out of an item: the steps of its plan, and what they've come to. */

/** What becomes of a draft whose item has changed since. */
const AFTER_A_CHANGE = {
	stop: `If you change the item, set '${ifItDiffersChoice.displayName}' to Update It, or change the draft with 'Transaction: Update' instead`,
	update: 'If you change the item, the draft is changed, too',
	keep: "If you change the item, the draft stays as it is: change it with 'Transaction: Update'",
};

/** The parts of an item. */
export function buildParts(
	call: OperationCall,
	item: ClosingItem,
	plan: Plan,
	comparison: ItemComparison | undefined,
): WriteParts {
	return {
		parts: buildStepParts(call, plan),
		resumeAdvice: (results, { isUnknown }) => {
			const id = readTransactionId(results);
			return joinSentences(
				id !== undefined && `The draft ${id} is kept`,
				// A create that may have been done is done once more by a new run.
				isUnknown
					? 'Look at the service before you run the workflow again'
					: `Run the workflow again: it goes on where it stopped. ${AFTER_A_CHANGE[item.ifItDiffers]}`,
			);
		},
		details: (results) => withoutEmpty({ transaction_id: readTransactionId(results) }),
		join: (results) => join(call, item, comparison, results),
	};
}

/** What a person should know of an item: of a row in its note. */
interface ItemRemarks {
	hint?: string;
	note?: RowNote;
}

/**
 * Says which places the documents don't have: of a row in its note, otherwise in a hint, which names the
 * item if there are several.
 */
export function describeItemPlaces(
	call: OperationCall,
	item: PapersItem,
	note?: RowNote,
): ItemRemarks {
	const text = describeLeftOutPlaces(listLeftOutPlaces(item));
	if (note !== undefined || text === undefined) return { note: addRemark(note, text) };
	return { hint: isOnlyItem(call) ? text : `${nameItem(call)}: ${text}` };
}

/**
 * The files of an item that become no document, and why, in sentences.
 * @param transaction what is there, if it is
 */
export function describeFilesLeftOut(
	item: PapersItem,
	transaction: TransactionAnswer | undefined,
): string | undefined {
	const isSent = transaction !== undefined && !isStillDraft(transaction);
	const { leavesFilesOut, then, platform } = item;
	const { pdfs, otherFiles, fitting, unmet } = item.leftOut;
	const foreign = otherFiles.filter((file) => !fitting.includes(file));
	const describeFiles = (names: string[], reason: string) =>
		names.length === 0
			? undefined
			: `${reason} ${names.join(', ')}, so ${names.length === 1 ? 'it was' : 'they were'} left out`;
	return joinHints([
		leavesFilesOut || pdfs.length === 0
			? describeFiles(pdfs, 'No rule names')
			: describeNotNamed(pdfs, platform, isSent),
		describeFiles(fitting, 'Only PDFs become documents, though a rule is for'),
		describeFiles(foreign, 'Only PDFs become documents, not'),
		...(then === 'draft' ? unmet : []),
	]);
}

/**
 * Says which signers have no place, as the closing team may add one, and whose external ID says another
 * role than the item.
 * @param isChecked a check has said the first
 */
export const describeItemSigners = (
	item: ClosingItem,
	comparison: ItemComparison | undefined,
	isChecked = false,
): string | undefined =>
	joinHints([
		...describeOtherRoles(comparison?.people ?? [], item.transaction.roles),
		...(item.platform === 'realEstate' && !isChecked ? listUnplaced(item, comparison) : []),
	]);

/** Says in what a transaction differs that stays as it is: of a row in its note, otherwise in a hint. */
function describeKeptDifferences(
	call: OperationCall,
	{ transaction: { note } }: ClosingItem,
	comparison: ItemComparison | undefined,
): ItemRemarks {
	const differences = comparison === undefined ? [] : listKeptDifferences(comparison);
	const itemNote = note && { ...note, isFound: comparison !== undefined };
	if (comparison === undefined || differences.length === 0) return { note: itemNote };
	if (itemNote !== undefined)
		return { note: addRemark(itemNote, describeDifferingFields(differences)) };
	const { id } = comparison.transaction;
	const texts = differences.map((difference) => describeDifference(difference, id));
	return { hint: `${nameItem(call)} differs from what is there: ${texts.join('; ')}` };
}

/** What every output of an item has. */
export const buildSharedOutput = (
	{ leftOut: { pdfs, otherFiles }, ...item }: PapersItem,
	differences: ItemDifference[] = [],
): IDataObject => ({
	differences: differences.map(toDifferenceOutput),
	files_left_out: [...pdfs, ...otherFiles],
	left_out: toLeftOutOutput(listLeftOutPlaces(item)),
});

/** One output of all steps. */
function join(
	call: OperationCall,
	item: ClosingItem,
	comparison: ItemComparison | undefined,
	results: OperationResult[],
): OperationResult {
	const { transaction_id, existing } = results[0].json;
	const { shown: output, check } = results[results.length - 1].json as IDataObject;
	const collectField = (field: string) => results.flatMap(({ json }) => asObjects(json[field]));
	const remarks = describeKeptDifferences(call, item, comparison);
	const places = describeItemPlaces(call, item, remarks.note);
	return {
		json: {
			...(check !== undefined && { check }),
			transaction_id,
			existing,
			...(output as IDataObject),
			steps: collectField('steps'),
			documents_added: collectField('documents'),
			...buildSharedOutput(item, comparison?.differences),
		},
		// What a check or a send has come to is what a person wants to know first.
		hint: joinHints([
			...new Set([results.at(-1)?.hint, remarks.hint, ...results.map(({ hint }) => hint)]),
			places.hint,
			describeFilesLeftOut(item, comparison?.transaction),
			describeItemSigners(item, comparison, check !== undefined),
		]),
		note: places.note,
		counted: results.flatMap(({ counted }) => counted ?? []).at(-1),
		isFoundAgain: true,
	};
}

/** What keeps an item from being sent, in sentences without a final period. */
export const listStops = (
	{ incomplete }: Pick<PapersItem, 'incomplete'>,
	{ refusals, sendRefusals }: Plan,
): string[] => [...refusals, ...sendRefusals, ...incomplete];

/**
 * The one output of an item of which only the plan is shown.
 * @param comparison what is there, if it is
 * @param details what else comes out
 */
export function buildPlanOutput(
	call: OperationCall,
	item: PapersItem,
	plan: Plan,
	comparison: Pick<ItemComparison, 'transaction' | 'differences'> | undefined,
	{ json, hint, note }: ItemRemarks & { json?: IDataObject } = {},
): WriteParts {
	const { params } = call;
	const stops = listStops(item, plan);
	const places = describeItemPlaces(call, item, note);
	const result: OperationResult = {
		json: {
			transaction_id: comparison?.transaction.id ?? null,
			existing: comparison !== undefined,
			plan: plan.steps
				.filter(({ action }) => action !== 'keep')
				.map(({ action, what, sentence }) => ({ action, what, sentence })),
			stops,
			...json,
			...buildSharedOutput(item, comparison?.differences),
		},
		hint: joinHints([
			hint,
			stops.length === 0 ? undefined : `It can't be sent like this: ${stops.join('. ')}`,
			places.hint,
			describeFilesLeftOut(item, comparison?.transaction),
		]),
		note: places.note,
		counted: 'planned',
		isFound: true,
	};
	const toGoOn = 'Run the workflow again';
	return { parts: [{ key: 'plan', name: 'Plan', params, existing: result }], resumeAdvice: toGoOn };
}

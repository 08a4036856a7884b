import type { IDataObject } from 'n8n-workflow';

import { joinSentences } from '../../../values/words';
import {
	ExistingResult,
	type OperationCall,
	type OperationResult,
	type WritePart,
	type WriteParts,
} from '../../../run/operation';
import { asObjects, withoutEmpty } from '../../../values/json';
import {
	describeDifference,
	describeDifferingFields,
	toDifferenceOutput,
} from '../../draft/difference';
import { describeLeftOutPlaces } from '../../document/places/signers';
import { joinHints } from '../../../form/hints';
import { addRemark, nameItem } from '../sheet/hint';
import { listKeptDifferences, type ItemComparison } from './itemComparison';
import { ifItDiffersChoice } from './choices';
import type { ClosingItem } from './item';
import { listLeftOutPlaces } from './itemDocuments';
import { describeNotNamed, listUnplaced, type Refusals } from './refusals';

/*
 * The steps of a plan. Each of them is a write that's remembered and looked up by itself, and knows of
 * those before it what they've come to.
 */

/** A step of a plan. */
export interface PlannedStep extends Pick<WritePart, 'key' | 'write' | 'existing'> {
	action: 'create' | 'recall' | 'add' | 'change' | 'replace' | 'delete' | 'keep' | 'check' | 'send';
	what: string;
	/** What messages call it, if that isn't what it's about. */
	name?: string;
	/** What is done, for a person. */
	sentence: string;
}

/** What a run does, and what stands against it. */
export interface Plan extends Refusals {
	/** In this order. */
	steps: PlannedStep[];
}

/** The ID of the transaction, once it's found or created. */
export const readTransactionId = ([first]: OperationResult[]) =>
	first?.json.transaction_id as string | undefined;

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
		resumeAdvice: (results, isUnknown) => {
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

/** A part for each step. The first one says which transaction it is. */
export function buildStepParts({ params }: OperationCall, { steps }: Plan): WritePart[] {
	const buildParams = (before: OperationResult[]) =>
		params.withValues({ transactionId: readTransactionId(before) }, new Map());
	return steps.map((step, index) => ({
		...withStep(step),
		params: index === 0 ? params : buildParams,
	}));
}

/** Adds to what a step has come to the step itself. */
export function withStep({
	key,
	action,
	what,
	name = what,
	sentence,
	write,
	existing,
}: PlannedStep): Omit<WritePart, 'params'> {
	const outcome = action === 'keep' ? 'found' : 'done';
	const addStepTo = (result: OperationResult): OperationResult => {
		const step = { action, what, sentence, when: new Date().toISOString(), outcome };
		return { ...result, json: { ...result.json, steps: what === '' ? [] : [step] } };
	};
	return {
		key,
		name,
		existing: existing && addStepTo(existing),
		write: write && {
			...write,
			async send(...all): Promise<unknown> {
				const answer = (await write.send(...all)) as unknown;
				return answer instanceof ExistingResult
					? new ExistingResult(addStepTo(answer.result))
					: answer;
			},
			result: async (...all) => addStepTo(await write.result(...all)),
		},
	};
}

/**
 * The places that the documents don't have and the files that become no document, and why, in
 * sentences. The closing team may add a place for a signer who has none.
 */
function describeLeftOut(
	item: ClosingItem,
	comparison: ItemComparison | undefined,
): string | undefined {
	const { leavesFilesOut, then, platform } = item;
	const { pdfs, otherFiles, fitting, unmet } = item.leftOut;
	const foreign = otherFiles.filter((file) => !fitting.includes(file));
	const describeFiles = (names: string[], reason: string) =>
		names.length === 0
			? undefined
			: `${reason} ${names.join(', ')}, so ${names.length === 1 ? 'it was' : 'they were'} left out`;
	return joinHints([
		describeLeftOutPlaces(listLeftOutPlaces(item)),
		...(platform === 'realEstate' ? listUnplaced(item, comparison) : []),
		leavesFilesOut || pdfs.length === 0
			? describeFiles(pdfs, 'No rule names')
			: describeNotNamed(pdfs, platform),
		describeFiles(fitting, 'Only PDFs become documents, though a rule is for'),
		describeFiles(foreign, 'Only PDFs become documents, not'),
		...(then === 'draft' ? unmet : []),
	]);
}

/** Says in what a transaction differs that stays as it is: of a row in its note, otherwise in a hint. */
function describeKeptDifferences(
	call: OperationCall,
	{ transaction: { note } }: ClosingItem,
	comparison: ItemComparison | undefined,
): Pick<OperationResult, 'hint' | 'note'> {
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
const buildSharedOutput = (
	{ leftOut: { pdfs, otherFiles }, ...item }: ClosingItem,
	comparison: ItemComparison | undefined,
): IDataObject => ({
	differences: (comparison?.differences ?? []).map(toDifferenceOutput),
	files_left_out: [...pdfs, ...otherFiles],
	left_out: listLeftOutPlaces(item),
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
	return {
		json: {
			...(check !== undefined && { check }),
			transaction_id,
			existing,
			...(output as IDataObject),
			steps: collectField('steps'),
			documents_added: collectField('documents'),
			...buildSharedOutput(item, comparison),
		},
		// What a check or a send has come to is what a person wants to know first.
		hint: joinHints([
			...new Set([results.at(-1)?.hint, remarks.hint, ...results.map(({ hint }) => hint)]),
			describeLeftOut(item, comparison),
		]),
		note: remarks.note,
		counted: results.flatMap(({ counted }) => counted ?? []).at(-1),
		isFoundAgain: true,
	};
}

/** The one output of an item of which only the plan is shown. */
export function buildPlanOutput(
	{ params }: OperationCall,
	item: ClosingItem,
	{ steps, refusals, sendRefusals }: Plan,
	comparison: ItemComparison | undefined,
): WriteParts {
	const stops = [...refusals, ...sendRefusals, ...item.incomplete];
	const result: OperationResult = {
		json: {
			transaction_id: comparison?.transaction.id ?? null,
			existing: comparison !== undefined,
			plan: steps
				.filter(({ action }) => action !== 'keep')
				.map(({ action, what, sentence }) => ({ action, what, sentence })),
			stops,
			...buildSharedOutput(item, comparison),
		},
		hint: joinHints([
			stops.length === 0 ? undefined : `It can't be sent like this: ${stops.join('. ')}`,
			describeLeftOut(item, comparison),
		]),
		note: item.transaction.note,
		counted: 'planned',
		isFound: true,
	};
	const toGoOn = 'Run the workflow again';
	return { parts: [{ key: 'plan', name: 'Plan', params, existing: result }], resumeAdvice: toGoOn };
}

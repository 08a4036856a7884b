import type { IDataObject } from 'n8n-workflow';

import { sentences } from '../../../messages/explainedFailure';
import {
	Found,
	type OperationCall,
	type OperationResult,
	type Part,
	type Parts,
} from '../../../run/operation';
import { asObjects, withoutEmpty } from '../../../values/json';
import { describeDifference, toOutput } from '../../drafts/difference';
import { joined } from '../../shared/hints';
import type { FoundTransaction } from './compare';
import type { Item } from './item';
import type { Refusals } from './refusals';

/*
 * The steps of a plan. Each of them is a write that's remembered and looked up by itself, and knows of
 * those before it what they've come to.
 */

/** A step of a plan. */
export interface PlannedStep extends Pick<Part, 'key' | 'write' | 'found'> {
	action: 'create' | 'add' | 'change' | 'replace' | 'delete' | 'keep' | 'check' | 'send';
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
const idIn = ([first]: OperationResult[]) => first?.json.transaction_id as string | undefined;

/** The parts of an item. */
export function partsOf(
	{ params }: OperationCall,
	item: Item,
	plan: Plan,
	found: FoundTransaction | undefined,
): Parts {
	const paramsOf = (before: OperationResult[]) =>
		params.replacing({ transactionId: idIn(before) }, new Map());
	return {
		parts: plan.steps.map((step, index) => ({
			...withStep(step),
			params: index === 0 ? params : paramsOf,
		})),
		toGoOn: (done, isUnknown) => {
			const id = idIn(done);
			return sentences(
				id !== undefined && `The draft ${id} is kept`,
				// A create that may have been done is done once more by a new run.
				isUnknown
					? 'Look at the service before you run the workflow again'
					: 'Run the workflow again: it goes on where it stopped',
			);
		},
		details: (done) => withoutEmpty({ transaction_id: idIn(done) }),
		join: (results) => join(item, found, results),
	};
}

/** Adds to what a step has come to the step itself. */
function withStep({
	key,
	action,
	what,
	name = what,
	sentence,
	write,
	found,
}: PlannedStep): Omit<Part, 'params'> {
	const outcome = action === 'keep' ? 'found' : 'done';
	const told = (result: OperationResult): OperationResult => {
		const step = { action, what, sentence, when: new Date().toISOString(), outcome };
		return { ...result, json: { ...result.json, steps: what === '' ? [] : [step] } };
	};
	return {
		key,
		name,
		found: found && told(found),
		write: write && {
			...write,
			async send(...all): Promise<unknown> {
				const answer = (await write.send(...all)) as unknown;
				return answer instanceof Found ? new Found(told(answer.result)) : answer;
			},
			result: async (...all) => told(await write.result(...all)),
		},
	};
}

/** The files of an item that become no document, and why, in sentences. */
function leftOutHint({
	leftOut: { pdfs, others, fitting, unmet },
	then,
}: Item): string | undefined {
	const foreign = others.filter((shown) => !fitting.includes(shown));
	const listed = (names: string[], why: string) =>
		names.length === 0 ? undefined : `${why} ${names.join(', ')}, so they were left out`;
	return joined([
		listed(pdfs, 'No rule names'),
		listed(fitting, 'Only PDFs become documents, though a rule is for'),
		listed(foreign, 'Only PDFs become documents, not'),
		...(then === 'draft' ? unmet : []),
	]);
}

/** Says in what a transaction differs that stays as it is. */
function keptHint(found: FoundTransaction | undefined): string | undefined {
	if (found === undefined || found.updates) return undefined;
	const known = found.differences.filter(({ kind }) => kind === 'different' || kind === 'extra');
	const texts = known.map((one) => describeDifference(one, found.transaction.id));
	return texts.length === 0 ? undefined : `It differs from the item: ${texts.join('; ')}`;
}

/** What every output of an item has. */
const outputOf = (
	{ leftOut: { pdfs, others } }: Item,
	found: FoundTransaction | undefined,
): IDataObject => ({
	differences: (found?.differences ?? []).map(toOutput),
	files_left_out: [...pdfs, ...others],
});

/** One output of all steps. */
function join(
	item: Item,
	found: FoundTransaction | undefined,
	results: OperationResult[],
): OperationResult {
	const { transaction_id, existing } = results[0].json;
	const { shown, check } = results[results.length - 1].json as IDataObject;
	const all = (field: string) => results.flatMap(({ json }) => asObjects(json[field]));
	return {
		json: {
			transaction_id,
			existing,
			...(shown as IDataObject),
			...(check !== undefined && { check }),
			steps: all('steps'),
			documents_added: all('documents'),
			...outputOf(item, found),
		},
		hint: joined([...new Set(results.map(({ hint }) => hint)), keptHint(found), leftOutHint(item)]),
		note: item.transaction.note,
		counted: results.flatMap(({ counted }) => counted ?? []).at(-1),
	};
}

/** The one output of an item of which only the plan is shown. */
export function planOnly(
	{ params }: OperationCall,
	item: Item,
	{ steps, refusals, sendRefusals }: Plan,
	found: FoundTransaction | undefined,
): Parts {
	const stops = [...refusals, ...sendRefusals, ...item.incomplete];
	const result: OperationResult = {
		json: {
			transaction_id: found?.transaction.id ?? null,
			existing: found !== undefined,
			plan: steps
				.filter(({ action }) => action !== 'keep')
				.map(({ action, what, sentence }) => ({ action, what, sentence })),
			stops,
			...outputOf(item, found),
		},
		hint: joined([
			stops.length === 0 ? undefined : `It can't be sent like this: ${stops.join('. ')}`,
			leftOutHint(item),
		]),
		note: item.transaction.note,
		counted: 'planned',
		isFound: true,
	};
	const toGoOn = 'Run the workflow again';
	return { parts: [{ key: 'plan', name: 'Plan', params, found: result }], toGoOn };
}

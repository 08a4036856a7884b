import type { IDataObject } from 'n8n-workflow';

import {
	Found,
	type AnyWrite,
	type OperationCall,
	type OperationResult,
	type Part,
	type Parts,
} from '../../../run/operation';
import { sentences } from '../../../messages/explainedFailure';
import { describeDifference, toOutput, type Difference } from '../../drafts/comparison';
import { joined } from '../../shared/hints';
import type { FoundTransaction } from './compare';
import type { Item } from './item';

/*
 * The steps of a plan. Each of them is a write that's remembered and looked up by itself, and knows of
 * those before it what they've come to.
 */

/** A step of a plan. */
export interface PlannedStep extends Pick<Part, 'write' | 'found'> {
	/** What tells it from the others of the item, in every try. */
	key: string;
	action: 'create' | 'add' | 'change' | 'replace' | 'delete' | 'keep' | 'check' | 'send';
	what: string;
	/** What is done, for a person. */
	sentence: string;
}

/** What a run does. */
export interface Plan {
	/** In this order. */
	steps: PlannedStep[];
	/** All in which the transaction differs from the item. */
	differences: Difference[];
	/** Whether the transaction is changed to what the item says. */
	updates: boolean;
	/** Why the item can't be done, and why it can't be sent: sentences without a final period. */
	refusals: string[];
	sendRefusals: string[];
}

/**
 * Something is there as it's wanted.
 * @param step what would bring it about: an earlier try may have done so, and have lost the answer
 */
export const kept = (
	{ key, write }: PlannedStep,
	what: string,
	result: OperationResult = { json: {} },
): PlannedStep => ({
	key,
	write,
	action: 'keep',
	what,
	sentence: `${what} is there`,
	found: result,
});

/** What is known of the transaction once it's found or created. */
interface Begun {
	transaction_id: string;
	existing: boolean;
}

const begunIn = ([first]: OperationResult[]) => first?.json as unknown as Begun | undefined;

/** The parts of an item. */
export function partsOf(
	{ params }: OperationCall,
	item: Item,
	plan: Plan,
	found: FoundTransaction | undefined,
): Parts {
	const paramsOf = (before: OperationResult[]) =>
		params.replacing({ transactionId: begunIn(before)?.transaction_id }, new Map());
	return {
		parts: plan.steps.map((step, index) => ({
			...withStep(step),
			params: index === 0 ? params : paramsOf,
		})),
		toGoOn: (done, isUnknown) => {
			const id = begunIn(done)?.transaction_id;
			const kept = id !== undefined && `The draft ${id} is kept`;
			// A create that may have been done is done once more by a new run.
			return sentences(
				kept,
				isUnknown
					? 'Look at the service before you run the workflow again'
					: 'Run the workflow again: it goes on where it stopped',
			);
		},
		details: (done) => {
			const id = begunIn(done)?.transaction_id;
			return id === undefined ? undefined : { transaction_id: id };
		},
		join: (results) => join(item, plan, found, results),
	};
}

/** What messages call steps of the transaction itself. */
const NAMES: Record<string, string> = {
	'create transaction': 'Transaction',
	'keep transaction': 'Transaction',
	'change transaction': 'Change',
	'check transaction': 'Check',
	'send transaction': 'Send',
	draft: 'Draft',
};

/** Adds to what a step has come to the step itself. */
function withStep({
	key,
	action,
	what,
	sentence,
	write,
	found,
}: PlannedStep): Omit<Part, 'params'> {
	const told = (result: OperationResult): OperationResult => {
		const outcome = action === 'keep' ? 'found' : 'done';
		const step = { action, what, sentence, when: new Date().toISOString(), outcome };
		return { ...result, json: { ...result.json, steps: what === '' ? [] : [step] } };
	};
	return {
		key,
		name: NAMES[action === 'keep' && what === '' ? 'draft' : `${action} ${what}`] ?? what,
		write: write && tellingWrite(write, told),
		found: found && told(found),
	};
}

/** The same write, whose results are changed. */
const tellingWrite = (
	write: AnyWrite,
	told: (result: OperationResult) => OperationResult,
): AnyWrite => ({
	...write,
	async send(...all): Promise<unknown> {
		const answer = (await write.send(...all)) as unknown;
		return answer instanceof Found ? new Found(told(answer.result)) : answer;
	},
	result: async (...all) => told(await write.result(...all)),
});

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
function keptHint(
	{ differences, updates }: Plan,
	found: FoundTransaction | undefined,
): string | undefined {
	const known = differences.filter(({ kind }) => kind === 'different' || kind === 'extra');
	return found === undefined || updates || known.length === 0
		? undefined
		: `It differs from the item: ${known.map((one) => describeDifference(one, found.transaction.id)).join('; ')}`;
}

/** What every output of an item has. */
const outputOf = ({ leftOut: { pdfs, others } }: Item, { differences }: Plan): IDataObject => ({
	differences: differences.map(toOutput),
	files_left_out: [...pdfs, ...others],
});

/** One output of all steps. */
function join(
	item: Item,
	plan: Plan,
	found: FoundTransaction | undefined,
	results: OperationResult[],
): OperationResult {
	const { transaction_id: id, existing } = begunIn(results)!;
	const { shown, check } = results[results.length - 1].json as IDataObject;
	const all = (field: string) =>
		results.flatMap(({ json }) => (json[field] as IDataObject[] | undefined) ?? []);
	return {
		json: {
			transaction_id: id,
			existing,
			...(shown as IDataObject),
			...(check !== undefined && { check }),
			steps: all('steps'),
			documents_added: all('documents'),
			...outputOf(item, plan),
		},
		hint: joined([
			...new Set(results.map(({ hint }) => hint)),
			keptHint(plan, found),
			leftOutHint(item),
		]),
		note: item.transaction.note,
		counted: results
			.map(({ counted }) => counted)
			.filter(Boolean)
			.at(-1),
	};
}

/** The one output of an item of which only the plan is shown. */
export function planOnly(
	{ params }: OperationCall,
	item: Item,
	plan: Plan,
	found: FoundTransaction | undefined,
): Parts {
	const stops = [...plan.refusals, ...plan.sendRefusals, ...item.incomplete];
	const shown = plan.steps
		.filter(({ action }) => action !== 'keep')
		.map(({ action, what, sentence }) => ({ action, what, sentence }));
	const result: OperationResult = {
		json: {
			transaction_id: found?.transaction.id ?? null,
			existing: found !== undefined,
			plan: shown,
			stops,
			...outputOf(item, plan),
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

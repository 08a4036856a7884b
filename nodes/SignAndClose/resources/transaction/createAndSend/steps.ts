import type { IDataObject } from 'n8n-workflow';

import type { OperationCall, OperationResult, Part, Parts } from '../../../run/operation';
import { joined } from '../../shared/hints';
import { asCreate } from './form';
import type { Plan } from './plan';
import { begin } from './begin';
import { begunIn, type StepWrite } from './step';
import { add, addEnote, end } from './writes';

/*
 * The steps of an item. Each of them is a write that's remembered and looked up by itself, and knows of
 * those before it what they've come to.
 */

/** The parts of an item. */
export function partsOf(call: OperationCall, plan: Plan): Parts {
	const { params } = call;
	const of = (before: OperationResult[]) =>
		params.replacing({ transactionId: begunIn(before)?.transaction_id }, new Map());
	const part = (key: string, name: string, own: StepWrite): Part => ({
		key,
		name,
		params: of,
		ifLost: own.ifLost,
		prepare: async () =>
			await Promise.resolve(
				async (now: OperationCall, before: OperationResult[]) =>
					await own.write(now, begunIn(before)!),
			),
	});
	const last = { draft: 'Draft', check: 'Check', send: 'Send' }[plan.then];
	return {
		parts: [
			begin(asCreate(call), plan),
			...plan.documents.map((document) =>
				part(`document-${document.digest}-${document.before}`, document.file, add(plan, document)),
			),
			...(plan.enote === undefined ? [] : [part('enote', 'eNote', addEnote(plan.enote))]),
			part(plan.then, last, end(plan)),
		],
		toGoOn: (done) => {
			const id = begunIn(done)?.transaction_id;
			const kept = id === undefined ? '' : `The draft ${id} is kept. `;
			return `${kept}Run the workflow again: it goes on where it stopped`;
		},
		details: (done) => {
			const id = begunIn(done)?.transaction_id;
			return id === undefined ? undefined : { transaction_id: id };
		},
		join: (results) => join(plan, results),
	};
}

/** One output of all steps. */
function join({ leftOut }: Plan, results: OperationResult[]): OperationResult {
	const { transaction_id: id, existing } = begunIn(results)!;
	const { shown, check } = results[results.length - 1].json as IDataObject;
	const all = (field: string) =>
		results.flatMap(({ json }) => (json[field] as IDataObject[] | undefined) ?? []);
	const left =
		leftOut.length > 0 ? `No rule names ${leftOut.join(', ')}, so they were left out` : undefined;
	return {
		json: {
			transaction_id: id,
			existing,
			...(shown as IDataObject),
			...(check !== undefined && { check }),
			steps: all('steps'),
			documents_added: all('documents'),
			files_left_out: leftOut,
		},
		hint: joined([...new Set(results.map(({ hint }) => hint)), left]),
		note: results[0].note,
		counted: results
			.map(({ counted }) => counted)
			.filter(Boolean)
			.at(-1),
	};
}

import {
	ExistingResult,
	type OperationCall,
	type OperationResult,
	type WritePart,
} from '../../../../run/operation';
import {
	asError,
	findFailure,
	ServiceFailure,
	type Failure,
} from '../../../../transport/failure/failure';
import type { Refusals } from '../refusals';

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

/**
 * Something is there as it's wanted.
 * @param step what would bring it about: an earlier try may have done so, and have lost the answer
 */
export const toKeptStep = (step: PlannedStep, what: string): PlannedStep => ({
	...step,
	action: 'keep',
	what,
	sentence: `${what} is there`,
	existing: { json: {} },
});

/**
 * The same step. If the service refuses it, what is shown then says why, where no new run can go on.
 * @param explain gives what is told instead, if that's so
 */
export function withStepReason(
	{ write, ...step }: PlannedStep,
	explain: (call: OperationCall, refusal: ServiceFailure) => Promise<Failure | undefined>,
): PlannedStep {
	return {
		...step,
		write: write && {
			...write,
			async send(...all): Promise<unknown> {
				try {
					return (await write.send(...all)) as unknown;
				} catch (thrown) {
					const failure = findFailure(thrown);
					const isRefused = failure instanceof ServiceFailure && failure.flags.final === true;
					throw asError((isRefused && (await explain(all[0], failure))) || thrown);
				}
			},
		},
	};
}

/** Whether nothing is written. */
export const keepsAll = (steps: readonly PlannedStep[]): boolean =>
	steps.every(({ action }) => action === 'keep');

/** The ID of the transaction, once it's found or created. */
export const readTransactionId = ([first]: OperationResult[]) =>
	first?.json.transaction_id as string | undefined;

/** A part for each step. The first one says which transaction it is. */
export function buildStepParts(
	{ params }: OperationCall,
	{ steps }: Pick<Plan, 'steps'>,
): WritePart[] {
	const buildParams = (before: OperationResult[]) =>
		params.withValues({ transactionId: readTransactionId(before) }, new Map());
	return steps.map((step, index) => ({
		...withStep(step),
		params: index === 0 ? params : buildParams,
	}));
}

/** Adds to what a step has come to the step itself. */
function withStep({
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

import type { IDataObject } from 'n8n-workflow';

import { InputFailure } from '../../../messages/explainedFailure';
import { stateInWords } from '../../../messages/wrongState';
import {
	defineWrite,
	Found,
	type OperationCall,
	type OperationResult,
} from '../../../run/operation';
import {
	done,
	mapGoal,
	notDone,
	UNKNOWN,
	type Goal,
	type StepMemory,
} from '../../../run/outcome/goals';
import type { TransactionAnswer } from '../../../transport/answers/answers';
import { retrieveTransaction } from '../../../transport/answers/retrieveTransaction';
import { isDraft } from '../../../transport/answers/transactionState';
import { compareTransaction } from '../../drafts/comparison';
import { toOutput, type Difference } from '../../drafts/difference';
import {
	changesFor,
	planUpdate,
	requestUpdate,
	updatedGoal,
	type Changed,
	type DraftUpdate,
} from '../../drafts/draftUpdate';
import { changeHint, joined } from '../../shared/hints';
import { inTransaction } from '../../shared/toCheck';
import { createdGoal, createdResult, resultOf, sendNew, type NewTransaction } from '../created';
import { rowName } from '../row/parseRow';
import { findExisting, keyOf, typeOf, type Existing } from './find';
import {
	orAnother,
	parseIfExists,
	removeSignersNotNamed,
	type ExistingOptions,
	type IfExists,
	type Key,
} from './form';
import { refusing } from './identity';
import { checkNumber } from './numbers';

/* Creates that can be run again: one that exists is returned, updated or refused instead. */

/** How an item is created: by a create, or by an update of what exists. */
interface Way {
	update?: DraftUpdate;
	counted?: string;
}

/**
 * The write of an operation that creates a transaction unless it exists.
 * @param parse parses the item
 * @param send sends it with further fields, and returns the parsed answer
 */
export const createWrite = <T extends NewTransaction>(
	parse: (call: OperationCall) => Promise<T>,
	send: (call: OperationCall, parsed: T, reference: IDataObject) => Promise<unknown>,
) =>
	defineWrite<T, Changed, Way>({
		parse,
		prepare: wayOf,
		async send(call, parsed, { update }) {
			if (update === undefined)
				return await sendNew(call, parsed, async (more) => await send(call, parsed, more));
			return await requestUpdate(call.service, update);
		},
		goal(call, parsed, way) {
			if (way?.update !== undefined) return updatedGoal(call.service, way.update);
			const id = updatedId(call.steps);
			if (id !== undefined) return asWantedGoal(call, parsed, id);
			const goal = createdGoal({ ...call, ...parsed });
			return mapGoal(goal, (transaction): Changed => ({ transaction, differing: [] }));
		},
		result: (call, { transaction, ...changed }, parsed, way) => {
			if (updatedId(call.steps) === undefined)
				return { ...createdResult(call, transaction, parsed), counted: way?.counted };
			const left = compareTransaction(call, parsed, transaction).differences;
			const hints = [changeHint(call.params, changed)];
			return { ...existingResult(call, transaction, parsed, left, hints), counted: 'updated' };
		},
	});

/**
 * Looks how an item is created.
 * @returns what is there, where it stays as it is
 * @throws InputFailure when it's refused because another one exists, or is in the same run
 * @throws ServiceFailure `existingUnknown` when nobody can tell whether it exists
 */
async function wayOf(call: OperationCall, parsed: NewTransaction): Promise<Way | Found> {
	const wish = parseIfExists(call.params, parsed.platform);
	if (wish === undefined) return {};
	const key = keyOf(parsed, wish.numbers);
	if (key === undefined) return { counted: 'created without a number, so again in every run' };
	const existing = await findClaimed(call, parsed, key, wish);
	if (existing !== undefined) return useExisting(call, parsed, wish, key, existing);
	call.steps.add(CREATING);
	return { counted: 'created' };
}

/**
 * Finds the transaction that an item was created as before. No other item of the run is for it.
 * @throws as wayOf()
 */
export async function findClaimed(
	call: OperationCall,
	parsed: NewTransaction,
	key: Key,
	options: ExistingOptions,
): Promise<Existing | undefined> {
	const { platform, body } = parsed;
	const { field, value } = key;
	checkNumber(call.params.label(field), value);
	claim(call, JSON.stringify([platform, body.organization_id, field, value, typeOf(parsed)]), key);
	const existing = await findExisting(call, parsed, key, options);
	// Another item may have found it by another number.
	if (existing !== undefined) claim(call, existing.transaction.id, key);
	return existing;
}

/** The goal of an update that an earlier try has sent: the transaction is as the item says. */
const asWantedGoal = (call: OperationCall, parsed: NewTransaction, id: string): Goal<Changed> => ({
	fromAnswer: () => UNKNOWN,
	async look({ isLate }) {
		const transaction = await retrieveTransaction(call.service, id, parsed.platform);
		const known = knownOf(compareTransaction(call, parsed, transaction).differences);
		if (known.length === 0) return done({ transaction, differing: [] });
		return isLate ? notDone({ unchanged: known.map(({ field }) => field) }) : undefined;
	},
	toCheck: inTransaction(id, 'whether the transaction shows the change'),
});

const knownOf = (differences: Difference[]) => differences.filter(({ kind }) => kind !== 'unknown');

/** Noted before a create leaves. Before an update leaves, the ID of the transaction is. */
const CREATING = 'creating';

/** The transaction that the item was about to update last. */
function updatedId(steps: StepMemory): string | undefined {
	const last = steps.all().at(-1);
	return last === CREATING ? undefined : last;
}

/** @throws InputFailure when another item of the run is for the same transaction */
function claim(call: OperationCall, key: string, { field, value }: Key): void {
	const other = call.claimKey(key);
	if (other === undefined) return;
	const [own, earlier] = [call.itemIndex, other].map((index) => rowName(call, index));
	throw new InputFailure(
		call.params.label(field),
		`of ${own} is ${value}, which is the same transaction as ${earlier}`,
		`Nothing was created for ${own}. Leave one of the two out${orAnother(call.params, 'or')}`,
	);
}

/** @returns the update of a transaction that exists, or the transaction, if it stays as it is */
function useExisting(
	call: OperationCall,
	parsed: NewTransaction,
	{ mode, removes, notShown }: IfExists,
	key: Key,
	{ transaction, tie }: Existing,
): Way | Found {
	const { settings } = call.service;
	const { id } = transaction;
	const refuse = refusing(call, key, mode === 'stop' ? 'created' : 'changed');
	if (mode === 'stop')
		refuse(
			`as in ${id}, which exists already`,
			"Leave the item out, or choose something else in 'If It Exists'",
		);
	const compared = compareTransaction(call, parsed, transaction);
	const changes =
		mode === 'update' ? changesFor(compared, settings.assuranceField, removes) : undefined;
	if (changes === undefined)
		return new Found(foundResult(call, transaction, parsed, compared.differences));
	if (!isDraft(transaction))
		refuse(
			`as in ${id}, which is no draft (${stateInWords(transaction) ?? 'it shows no state'})`,
			"Take it back with 'Transaction: Recall' first, leave the item out, or set 'If It Exists' to Return It",
		);
	if (tie === 'property' && !removes)
		refuse(
			`as in ${id}, which is for the same property and has other signers`,
			`To replace them, turn on '${removeSignersNotNamed.displayName}'`,
		);
	const update = planUpdate(settings, transaction, parsed.platform, { ...changes, notShown });
	call.steps.add(id);
	return { update };
}

/** What is found and stays as it is, with all in which the item differs. */
function foundResult(
	call: OperationCall,
	transaction: TransactionAnswer,
	parsed: NewTransaction,
	differences: Difference[],
): OperationResult {
	const { note } = parsed;
	const result = existingResult(call, transaction, parsed, differences, []);
	const known = knownOf(differences);
	if (known.length === 0) return { ...result, counted: 'equal', isFound: true };
	const fields = [...new Set(known.map(({ field, subject }) => field || subject))].join(', ');
	const remark = `differs from what is there: ${fields}`;
	return {
		...result,
		counted: 'different',
		note: note && { ...note, remarks: [...note.remarks, remark] },
		hint: note === undefined ? joined([result.hint, `Differs: ${fields}`]) : result.hint,
		isFound: true,
	};
}

/** @param differences all in which the item still differs */
function existingResult(
	call: OperationCall,
	transaction: TransactionAnswer,
	parsed: NewTransaction,
	differences: Difference[],
	hints: Array<string | undefined>,
): OperationResult {
	const { json, ...result } = resultOf(call, transaction, parsed, true, hints);
	return { ...result, json: { ...json, differences: differences.map(toOutput) } };
}

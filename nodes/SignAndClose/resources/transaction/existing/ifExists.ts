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
import type { Changed } from '../../drafts/changes';
import { changesFor, compareTransaction, toOutput, type Difference } from '../../drafts/comparison';
import { planUpdate, requestUpdate, updatedGoal, type DraftUpdate } from '../../drafts/draftUpdate';
import { changeHint, joined } from '../../shared/hints';
import { inTransaction } from '../../shared/toCheck';
import { createdGoal, createdResult, resultOf, sendNew, type NewTransaction } from '../created';
import { rowName } from '../row/parseRow';
import type { RowNote } from '../row/rowHint';
import { findExisting, keyOf, typeOf, type Existing } from './find';
import {
	orAnother,
	parseIfExists,
	removeSignersNotNamed,
	type IfExists,
	type Key,
	type Recognition,
} from './form';
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
		goal(call, parsed, way): Goal<Changed> {
			if (way?.update !== undefined) return updatedGoal(call.service, way.update);
			const id = updatedId(call.steps);
			if (id !== undefined) return asWantedGoal(call, parsed, id);
			return mapGoal(createdGoal({ ...call, ...parsed }), (transaction) => ({
				transaction,
				differing: [],
			}));
		},
		result: (call, changed, parsed, way) =>
			updatedId(call.steps) === undefined
				? { ...createdResult(call, changed.transaction, parsed), counted: way?.counted }
				: updatedResult(call, changed, parsed),
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
	const existing = await findClaimed(call, parsed, key, wish.recognition);
	if (existing !== undefined) return useExisting(call, parsed, { wish, key, existing });
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
	recognition: Recognition,
): Promise<Existing | undefined> {
	const { platform, body } = parsed;
	checkNumber(call.params.label(key.field), key.value);
	const own = JSON.stringify([
		platform,
		body.organization_id,
		key.field,
		key.value,
		typeOf(parsed),
	]);
	claim(call, own, key);
	const existing = await findExisting(call, parsed, key, recognition);
	// Another item may have found it by another number.
	if (existing !== undefined) claim(call, existing.transaction.id, key);
	return existing;
}

/** The goal of an update that an earlier try has sent: the transaction is as the item says. */
function asWantedGoal(call: OperationCall, parsed: NewTransaction, id: string): Goal<Changed> {
	const { service, params } = call;
	return {
		fromAnswer: () => UNKNOWN,
		async look({ isLate }) {
			const transaction = await retrieveTransaction(service, id, parsed.platform);
			const { assuranceField } = service.settings;
			const { differences } = compareTransaction(parsed, transaction, assuranceField, params);
			const known = differences.filter(({ kind }) => kind !== 'unknown');
			if (known.length === 0) return done({ transaction, differing: [] });
			return isLate ? notDone({ unchanged: known.map(({ field }) => field) }) : undefined;
		},
		toCheck: inTransaction(id, 'whether the transaction shows the change'),
	};
}

/** Noted before the request leaves. */
export const CREATING = 'creating';
const UPDATING = 'updating ';

/** The transaction that the item was about to update last. */
function updatedId(steps: StepMemory): string | undefined {
	const last = steps.all().at(-1);
	return last?.startsWith(UPDATING) ? last.slice(UPDATING.length) : undefined;
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
	{ wish, key, existing }: { wish: IfExists; key: Key; existing: Existing },
): Way | Found {
	const { service, params, steps } = call;
	const { transaction, tie } = existing;
	const label = params.label(key.field);
	if (wish.mode === 'stop')
		throw new InputFailure(
			label,
			`is ${key.value}, as in ${transaction.id}, which exists already`,
			"Nothing was created. Leave the item out, or choose something else in 'If It Exists'",
		);
	const { assuranceField } = service.settings;
	const compared = compareTransaction(parsed, transaction, assuranceField, params);
	const found = () => new Found(asFound(call, transaction, parsed, compared.differences));
	if (wish.mode === 'return') return found();
	const changes = changesFor(compared, transaction, assuranceField, wish.removes);
	if (changes === undefined) return found();
	if (!isDraft(transaction))
		throw new InputFailure(
			label,
			`is ${key.value}, as in ${transaction.id}, which is no draft (${stateInWords(transaction) ?? 'it shows no state'})`,
			"Nothing was changed. Take it back with 'Transaction: Recall' first, leave the item out, or set 'If It Exists' to Return It",
		);
	if (tie === 'property' && !wish.removes)
		throw new InputFailure(
			label,
			`is ${key.value}, as in ${transaction.id}, which is for the same property and has other signers`,
			`Nothing was changed. To replace them, turn on '${removeSignersNotNamed.displayName}'`,
		);
	const update = planUpdate(transaction, parsed.platform, assuranceField, {
		...changes,
		notShown: wish.notShown,
	});
	steps.add(UPDATING + transaction.id);
	return { update };
}

/** What was updated, with all in which the item still differs. */
function updatedResult(
	call: OperationCall,
	{ transaction, ...changed }: Changed,
	parsed: NewTransaction,
): OperationResult {
	const { assuranceField } = call.service.settings;
	const left = compareTransaction(parsed, transaction, assuranceField, call.params).differences;
	const result = resultOf(call, transaction, parsed, true, [changeHint(call.params, changed)]);
	return { ...withDifferences(result, left), counted: 'updated' };
}

/** What is found and stays as it is, with all in which the item differs. */
function asFound(
	call: OperationCall,
	transaction: TransactionAnswer,
	parsed: NewTransaction,
	differences: Difference[],
): OperationResult {
	const known = differences.filter(({ kind }) => kind !== 'unknown');
	const result = withDifferences(resultOf(call, transaction, parsed, true, []), differences);
	const fields = [...new Set(known.map(({ field, subject }) => field || subject))].join(', ');
	return {
		...result,
		counted: known.length === 0 ? 'equal' : 'different',
		...(known.length > 0 && {
			note: noteDiffering(parsed, fields),
			hint: parsed.note === undefined ? joined([result.hint, `Differs: ${fields}`]) : result.hint,
		}),
		isFound: true,
	};
}

/** Adds to the note of a row in what it differs. */
const noteDiffering = ({ note }: NewTransaction, fields: string): RowNote | undefined =>
	note && { ...note, remarks: [...note.remarks, `differs from what is there: ${fields}`] };

const withDifferences = (
	{ json, ...result }: OperationResult,
	differences: Difference[],
): OperationResult => ({ ...result, json: { ...json, differences: differences.map(toOutput) } });

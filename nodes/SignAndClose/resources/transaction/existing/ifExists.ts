import { InputFailure } from '../../../messages/explainedFailure';
import { stateInWords } from '../../../messages/wrongState';
import type { Operation, OperationCall, OperationResult } from '../../../run/operation';
import { done, UNKNOWN, type Seen, type StepMemory } from '../../../run/outcome/goals';
import type { TransactionAnswer } from '../../../transport/answers/answers';
import { retrieveTransaction } from '../../../transport/answers/retrieveTransaction';
import { isDraft } from '../../../transport/answers/transactionState';
import { changesFor, compareTransaction, toOutput, type Difference } from '../../drafts/comparison';
import { changeHint, joined } from '../../shared/hints';
import { transactionByReference } from '../../shared/toCheck';
import { create, lookUpCreated, resultOf, type NewTransaction } from '../created';
import { rowName } from '../row/parseRow';
import { planUpdate, sendUpdate } from '../../drafts/draftUpdate';
import type { RowNote } from '../row/reading';
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

/**
 * Creates a transaction unless it exists.
 * @param send as for create()
 * @throws InputFailure when it's refused because another one exists, or is in the same run
 * @throws ServiceFailure `existingUnknown` when nobody can tell whether it exists
 */
export async function createUnlessExists(
	call: OperationCall,
	parsed: NewTransaction,
	send: Parameters<typeof create>[2],
): Promise<OperationResult> {
	const wish = parseIfExists(call.params, parsed.platform);
	if (wish === undefined) return await create(call, parsed, send);
	const key = keyOf(parsed, wish.numbers);
	if (key === undefined)
		return {
			...(await create(call, parsed, send)),
			counted: 'created without a number, so again in every run',
		};
	const existing = await findClaimed(call, parsed, key, wish.recognition);
	if (existing !== undefined) return await useExisting(call, parsed, { wish, key, existing });
	return { ...(await createClaimed(call, parsed, send)), counted: 'created' };
}

/**
 * Finds the transaction that an item was created as before. No other item of the run is for it.
 * @throws as createUnlessExists()
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

/** Creates a transaction that findClaimed() hasn't found, as create(). */
export async function createClaimed(...all: Parameters<typeof create>): Promise<OperationResult> {
	const [call] = all;
	call.steps.add(CREATING);
	const created = await create(...all);
	call.claimKey(String(created.json.transaction_id));
	return created;
}

/** Looks up a create, or the update in its place, whose answer was lost. */
export async function lookUpCreate(
	call: OperationCall,
	parsed: NewTransaction,
): Promise<Seen<OperationResult>> {
	const id = updatedId(call.steps);
	if (id === undefined) return await lookUpCreated(call, parsed);
	const transaction = await retrieveTransaction(call.service, id, parsed.platform);
	const { assuranceField } = call.service.settings;
	const compared = compareTransaction(parsed, transaction, assuranceField, call.params);
	if (compared.differences.some(({ kind }) => kind !== 'unknown')) return UNKNOWN;
	return done({ ...resultOf(call, transaction, parsed, true, []), counted: 'updated' });
}

/** Where a person looks when the outcome of a create, or of the update in its place, is unknown. */
export function createToCheck(
	given: (call: OperationCall) => unknown,
): Required<Pick<Operation, 'canTell' | 'toCheck'>> {
	const created = transactionByReference(given);
	return {
		canTell: (call) => updatedId(call.steps) !== undefined || created.canTell(call),
		toCheck(call) {
			const id = updatedId(call.steps);
			return id === undefined
				? created.toCheck(call)
				: `Check whether the transaction shows the change: 'Transaction: Get' shows ${id}`;
		},
	};
}

/** Noted before the request leaves. */
const CREATING = 'creating';
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

async function useExisting(
	call: OperationCall,
	parsed: NewTransaction,
	{ wish, key, existing }: { wish: IfExists; key: Key; existing: Existing },
): Promise<OperationResult> {
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
	const found = (): OperationResult => asFound(call, transaction, parsed, compared.differences);
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
	const { transaction: after, ...changed } = await sendUpdate(service, update);
	const left = compareTransaction(parsed, after, assuranceField, params).differences;
	const hints = [changeHint(params, changed)];
	return {
		...withDifferences(resultOf(call, after, parsed, true, hints), left),
		counted: 'updated',
	};
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

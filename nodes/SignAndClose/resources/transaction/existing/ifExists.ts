import { InputFailure } from '../../../messages/explainedFailure';
import { stateInWords } from '../../../messages/wrongState';
import type { Operation, OperationCall, OperationResult } from '../../../run/operation';
import { done, UNKNOWN, type Seen, type StepMemory } from '../../../run/outcome/goals';
import type { TransactionAnswer } from '../../../transport/answers/answers';
import { retrieveTransaction } from '../../../transport/answers/retrieveTransaction';
import { isDraft } from '../../../transport/answers/transactionState';
import { isEmpty } from '../../../values/same';
import { differenceHint, notSentHint } from '../../shared/hints';
import { transactionByReference } from '../../shared/toCheck';
import { create, lookUpCreated, resultOf, type NewTransaction } from '../created';
import { rowName } from '../row/parseRow';
import { planUpdate, sendUpdate } from '../../drafts/draftUpdate';
import { changesOf, type ItemChanges } from './changes';
import { findExisting, keyOf, typeOf, type Key } from './find';
import { checkNumber } from './numbers';
import { orAnother, parseIfExists, type IfExists } from './form';

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
	const id = await findClaimed(call, parsed, key, wish.days);
	if (id !== undefined) return await useExisting(call, parsed, { wish, key, id });
	return { ...(await createClaimed(call, parsed, send)), counted: 'created' };
}

/**
 * Finds the transaction that an item was created as before. No other item of the run is for it.
 * @param days as for findExisting()
 * @throws as createUnlessExists()
 */
export async function findClaimed(
	call: OperationCall,
	parsed: NewTransaction,
	key: Key,
	days: number,
): Promise<string | undefined> {
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
	const id = await findExisting(call, parsed, key, days);
	// Another item may have found it by another number.
	if (id !== undefined) claim(call, id, key);
	return id;
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
	const { transaction, changes } = await compare(call, parsed, id);
	if (!isEmpty(changes.fields)) return UNKNOWN;
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
	{ wish: { mode, notShown }, key, id }: { wish: IfExists; key: Key; id: string },
): Promise<OperationResult> {
	const { service, params, steps } = call;
	const label = params.label(key.field);
	if (mode === 'stop')
		throw new InputFailure(
			label,
			`is ${key.value}, as in ${id}, which exists already`,
			"Nothing was created. Leave the item out, or choose something else in 'If It Exists'",
		);
	const { transaction, changes } = await compare(call, parsed, id);
	const found = (): OperationResult => ({
		...resultOf(call, transaction, parsed, true, []),
		counted: 'found',
		isFound: true,
	});
	if (mode === 'return') return found();
	if (!isDraft(transaction))
		throw new InputFailure(
			label,
			`is ${key.value}, as in ${id}, which is no draft (${stateInWords(transaction) ?? 'it shows no state'})`,
			"Nothing was changed. Take it back with 'Transaction: Recall' first, leave the item out, or set 'If It Exists' to Return It",
		);
	if (isEmpty(changes.fields)) return found();
	const { assuranceField } = service.settings;
	const update = planUpdate(transaction, parsed.platform, assuranceField, { ...changes, notShown });
	steps.add(UPDATING + id);
	const { transaction: after, differing, notSent } = await sendUpdate(service, update);
	const hints = [differenceHint(params, differing), notSentHint(notSent)];
	return { ...resultOf(call, after, parsed, true, hints), counted: 'updated' };
}

/** Retrieves a transaction, and says what the item changes of it. */
async function compare(
	{ service }: OperationCall,
	parsed: NewTransaction,
	id: string,
): Promise<{ transaction: TransactionAnswer; changes: ItemChanges }> {
	const transaction = await retrieveTransaction(service, id, parsed.platform);
	const changes = changesOf(parsed, transaction, service.settings.assuranceField);
	return { transaction, changes };
}

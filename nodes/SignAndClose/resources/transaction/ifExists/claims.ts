import { InputFailure, RowFailure } from '../../../messages/failures';
import type { OperationCall, OperationResult } from '../../../run/operation';
import { asError } from '../../../transport/failure/failure';
import type { NewTransaction } from './creation';
import { toCapitalized } from '../../../values/words';
import { nameRow } from '../sheet/hint';
import {
	findExistingTransaction,
	findNumberKey,
	readExpectedType,
	type ExistingTransaction,
} from './lookup';
import { parseIfTransactionExists, type ExistingOptions, type NumberKey } from './options';
import { checkTransactionNumber } from './numberCheck';

/* Claims what an item is for, so that no other item of the run writes the same transaction. */

/**
 * Finds the transaction that an item was created as before. No other item of the run is for it.
 * @throws InputFailure when another item of the run is for it; as claimNumber()
 * @throws as findExistingTransaction()
 */
export async function findClaimed(
	call: OperationCall,
	parsed: NewTransaction,
	key: NumberKey,
	options: ExistingOptions,
): Promise<ExistingTransaction | undefined> {
	claimNumber(call, parsed, key);
	const existing = await findExistingTransaction(call, parsed, key, options);
	// Another item may have found it by another number.
	if (existing !== undefined)
		requireUnclaimed(call, parsed, key, call.claimKey(existing.transaction.id));
	return existing;
}

/** Whether a new run finds what was created of an item, and takes it for the item's. */
export function describeNextRun(
	{ params }: OperationCall,
	parsed: NewTransaction,
): Pick<OperationResult, 'isFoundAgain'> {
	const ifExists = parseIfTransactionExists(params, parsed.platform);
	const isFound =
		ifExists !== undefined &&
		ifExists.mode !== 'stop' &&
		findNumberKey(parsed, ifExists.numbers) !== undefined;
	return isFound ? { isFoundAgain: true } : {};
}

/**
 * Reads rows, and claims their numbers before anything is written.
 * @param parse parses a row
 * @returns reads the row of an item, and throws as claimNumber()
 */
export const parseClaimed =
	<T extends NewTransaction>(parse: (call: OperationCall) => T) =>
	(call: OperationCall): T => {
		const parsed = parse(call);
		const ifExists = parseIfTransactionExists(call.params, parsed.platform);
		const key = ifExists && findNumberKey(parsed, ifExists.numbers);
		if (key !== undefined) claimNumber(call, parsed, key);
		return parsed;
	};

/**
 * Claims the number of an item.
 * @throws InputFailure as checkTransactionNumber(), or when another item of the run has claimed it
 */
export function claimNumber(call: OperationCall, parsed: NewTransaction, key: NumberKey): void {
	const { platform, body } = parsed;
	try {
		checkTransactionNumber(call.params.label(key.field), key.value);
	} catch (thrown) {
		throw thrown instanceof InputFailure ? nameFault(parsed, thrown) : asError(thrown);
	}
	const buildClaim = ({ field, value }: NumberKey, isFurther = false) =>
		JSON.stringify([
			platform,
			body.organization_id,
			field,
			value,
			readExpectedType(parsed),
			isFurther,
		]);
	const findOwner = (claim: string) => (call.isClaimed(claim) ? call.claimKey(claim) : undefined);
	requireUnclaimed(call, parsed, key, call.claimKey(buildClaim(key)));
	// A loan number also stands for the closing of a row that has an External ID beside it.
	const loan: NumberKey = { field: 'loan_number', value: String(body.loan_number ?? '') };
	if (key.field === 'external_id' && loan.value !== '') {
		requireUnclaimed(call, parsed, loan, findOwner(buildClaim(loan)));
		call.claimKey(buildClaim(loan, true));
	} else requireUnclaimed(call, parsed, key, findOwner(buildClaim(key, true)));
}

/** @throws InputFailure when another item of the run is for the same transaction */
function requireUnclaimed(
	call: OperationCall,
	parsed: NewTransaction,
	{ field, value }: NumberKey,
	otherIndex: number | undefined,
): void {
	if (otherIndex === undefined) return;
	throw new RowFailure(
		parsed.note?.row ?? toCapitalized(nameRow(call, call.itemIndex)),
		new InputFailure(
			call.params.label(field),
			`is ${value}, which is the same transaction as ${nameRow(call, otherIndex)}`,
			'Leave one of the two out, or correct the number',
		),
	);
}

/** A fault of an item, with the name of its row, if it has one. */
export const nameFault = ({ note }: NewTransaction, fault: InputFailure): InputFailure =>
	note === undefined ? fault : new RowFailure(note.row, fault);

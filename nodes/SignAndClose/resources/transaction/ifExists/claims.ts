import { InputFailure, RowFailure } from '../../../messages/failures';
import type { OperationCall } from '../../../run/operation';
import type { NewTransaction } from './creation';
import { toCapitalized } from '../../../values/words';
import { nameRow } from '../sheet/hint';
import { findExistingTransaction, readExpectedType, type ExistingTransaction } from './lookup';
import { describeCreateAnother, type ExistingOptions, type NumberKey } from './options';
import { checkTransactionNumber } from './numberCheck';

/* Claims what an item is for, so that no other item of the run writes the same transaction. */

/**
 * Finds the transaction that an item was created as before. No other item of the run is for it.
 * @throws InputFailure when another item of the run is for it; as checkTransactionNumber()
 * @throws as findExistingTransaction()
 */
export async function findClaimed(
	call: OperationCall,
	parsed: NewTransaction,
	key: NumberKey,
	options: ExistingOptions,
): Promise<ExistingTransaction | undefined> {
	const { platform, body } = parsed;
	const { field, value } = key;
	checkTransactionNumber(call.params.label(field), value);
	claimTransaction(
		call,
		JSON.stringify([platform, body.organization_id, field, value, readExpectedType(parsed)]),
		key,
	);
	const existing = await findExistingTransaction(call, parsed, key, options);
	// Another item may have found it by another number.
	if (existing !== undefined) claimTransaction(call, existing.transaction.id, key);
	return existing;
}

/** @throws InputFailure when another item of the run is for the same transaction */
function claimTransaction(call: OperationCall, key: string, { field, value }: NumberKey): void {
	const otherIndex = call.claimKey(key);
	if (otherIndex === undefined) return;
	const [ownRow, otherRow] = [call.itemIndex, otherIndex].map((index) => nameRow(call, index));
	throw new RowFailure(
		toCapitalized(ownRow),
		new InputFailure(
			call.params.label(field),
			`is ${value}, which is the same transaction as ${otherRow}`,
			`Nothing was created for ${ownRow}. Leave one of the two out${describeCreateAnother(call.params, 'or')}`,
		),
	);
}

import type { OperationCall } from '../../run/operation';
import { referenceOf, type Goal } from '../../run/outcome/goals';

/* Where a person looks when the outcome of a write is unknown. */

/**
 * Says which operation shows what became of a transaction.
 * @param what continues "Check", e.g. "whether the transaction is sent"
 */
export const inTransaction = (transactionId: string, what: string): string =>
	`Check ${what}: 'Transaction: Get' shows ${transactionId}`;

/** Says that nothing at the service shows what became of a write. */
export const outside = (what: string): string => `The service doesn't show it. Check ${what}`;

/** Where to check, and whether the work can be found later. */
type Checked = Required<Pick<Goal<unknown>, 'canTell' | 'toCheck'>>;

/**
 * What finds an item that was to be created, and where a person sets it.
 * @param given the reference that a person gave
 * @param found says where the reference finds it; without one, a person looks through `list`
 */
function byReference(
	{ sending }: Pick<OperationCall, 'sending'>,
	given: unknown,
	list: string,
	found: (reference: string) => string,
): Checked {
	const reference = referenceOf(sending, given);
	return {
		canTell: reference !== undefined,
		toCheck:
			reference === undefined
				? `Check with '${list}' whether it's there`
				: `Check whether it's there: ${found(reference)}`,
	};
}

/** The same for a transaction. */
export const transactionByReference = (call: Pick<OperationCall, 'sending'>, given: unknown) =>
	byReference(
		call,
		given,
		'Transaction: Get Many',
		(reference) => `set the filter 'External ID' of 'Transaction: Get Many' to ${reference}`,
	);

/** The same for a document. */
export const documentByReference = (call: Pick<OperationCall, 'sending'>, given: unknown) =>
	byReference(
		call,
		given,
		'Document: Get Many',
		(reference) =>
			`'Document: Get Many' with 'Simplify' off shows it with the tracking_id ${reference}`,
	);

import type { Operation, OperationCall } from '../../run/operation';
import { referenceOf } from '../../run/outcome/goals';

/* Where a person looks when the outcome of a write is unknown. */

type ToCheck = NonNullable<Operation['toCheck']>;

/**
 * Says which operation shows what became of a transaction.
 * @param what continues "Check", e.g. "whether the transaction is sent"
 */
export const inTransaction =
	(what: string): ToCheck =>
	({ params }) =>
		`Check ${what}: 'Transaction: Get' shows ${params.locator('transactionId') ?? 'it'}`;

/** Says that nothing at the service shows what became of a write. */
export const outside =
	(what: string): ToCheck =>
	() =>
		`The service doesn't show it. Check ${what}`;

/**
 * What finds an item that was to be created, and where a person sets it.
 * @param given reads the reference that a person gave
 * @param found says where the reference finds it; without one, a person looks through `list`
 */
export function byReference(
	given: (call: OperationCall) => unknown,
	list: string,
	found: (reference: string) => string,
): Required<Pick<Operation, 'canTell' | 'toCheck'>> {
	const wanted = (call: OperationCall) => referenceOf(call.sending, given(call));
	return {
		canTell: (call) => wanted(call) !== undefined,
		toCheck(call) {
			const reference = wanted(call);
			return reference === undefined
				? `Check with '${list}' whether it's there`
				: `Check whether it's there: ${found(reference)}`;
		},
	};
}

/** The same for a transaction. */
export const transactionByReference = (given: (call: OperationCall) => unknown) =>
	byReference(
		given,
		'Transaction: Get Many',
		(reference) => `set the filter 'External ID' of 'Transaction: Get Many' to ${reference}`,
	);

/** The same for a document. */
export const documentByReference = (given: (call: OperationCall) => unknown) =>
	byReference(
		given,
		'Document: Get Many',
		(reference) =>
			`'Document: Get Many' with 'Simplify' off shows it with the tracking_id ${reference}`,
	);

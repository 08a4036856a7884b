import type { OperationCall } from '../run/operation';
import { findReference, type Goal } from '../run/goals';

/* Where a person looks when the outcome of a write is unknown. */

/**
 * Says which operation shows what became of a transaction.
 * @param subject continues "Check", e.g. "whether the transaction is sent"
 */
export const describeTransactionCheck = (transactionId: string, subject: string): string =>
	`Check ${subject}: 'Transaction: Get' shows ${transactionId}`;

/** Says that nothing at the service shows what became of a write. */
export const describeOutsideCheck = (subject: string): string =>
	`The service doesn't show it. Check ${subject}`;

/** How a person finds what was to be created: in a list, or by its reference. */
const CREATED_ITEMS = {
	transaction: {
		list: 'Transaction: Get Many',
		describeMatch: (reference: string) =>
			`set the filter 'External ID' of 'Transaction: Get Many' to ${reference}`,
	},
	document: {
		list: 'Document: Get Many',
		describeMatch: (reference: string) =>
			`'Document: Get Many' with 'Simplify' off shows it with the Tracking ID ${reference}`,
	},
};

/**
 * What finds an item that was to be created, and where a person sets it.
 * @param givenReference the reference that a person gave
 */
export function describeReferenceCheck(
	kind: keyof typeof CREATED_ITEMS,
	{ sending }: Pick<OperationCall, 'sending'>,
	givenReference: unknown,
): Required<Pick<Goal<unknown>, 'canTell' | 'toCheck'>> {
	const { list, describeMatch } = CREATED_ITEMS[kind];
	const reference = findReference(sending, givenReference);
	if (reference === undefined)
		return { canTell: false, toCheck: `Check with '${list}' whether it's there` };
	return { canTell: true, toCheck: `Check whether it's there: ${describeMatch(reference)}` };
}

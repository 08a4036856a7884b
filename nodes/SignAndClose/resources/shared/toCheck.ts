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

/** How a person finds what was to be created: in a list, or by its reference. */
const CREATED = {
	transaction: {
		list: 'Transaction: Get Many',
		finding: (reference: string) =>
			`set the filter 'External ID' of 'Transaction: Get Many' to ${reference}`,
	},
	document: {
		list: 'Document: Get Many',
		finding: (reference: string) =>
			`'Document: Get Many' with 'Simplify' off shows it with the tracking_id ${reference}`,
	},
};

/**
 * What finds an item that was to be created, and where a person sets it.
 * @param given the reference that a person gave
 */
export function byReference(
	kind: keyof typeof CREATED,
	{ sending }: Pick<OperationCall, 'sending'>,
	given: unknown,
): Required<Pick<Goal<unknown>, 'canTell' | 'toCheck'>> {
	const { list, finding } = CREATED[kind];
	const reference = referenceOf(sending, given);
	if (reference === undefined)
		return { canTell: false, toCheck: `Check with '${list}' whether it's there` };
	return { canTell: true, toCheck: `Check whether it's there: ${finding(reference)}` };
}

import type { Operation, OperationCall } from '../../core/operation';

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
 * Says how to find what was to be created.
 * @param search names the operation that lists what there is
 * @param field where a reference stands, as forms call it
 * @param given the reference that a person gave
 */
export function byReference(
	{ sending }: OperationCall,
	search: string,
	field: string,
	given: string | undefined,
): string {
	const reference = sending.get()?.reference ?? given;
	return reference === undefined
		? `Check with ${search} whether it's there`
		: `Check with ${search} whether it's there: its '${field}' is ${reference}`;
}

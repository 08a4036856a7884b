import type { Delivery } from '../../service/resources/deliveries';
import type { Confirmation } from '../authenticity/confirmation';
import { needTransaction } from '../conditions/conditions';
import type { TriggerParameters } from '../parameters';
import { meetsConditions, transactionOf } from '../subject';
import { warnings } from '../warnings';
import { hasFilters, passes } from './filters';

/* Which events start the workflow: filters of version 1, conditions of version 2. */

type Context = Parameters<typeof warnings.once>[0];
type Settings = Pick<TriggerParameters, 'conditions' | 'filters'>;

/**
 * Whether an event starts the workflow. One whose transaction couldn't be seen passes no filter and
 * meets no condition on the transaction, because nobody knows what it would be.
 */
export function isWanted(
	delivery: Delivery,
	confirmation: Confirmation | undefined,
	{ conditions, filters }: Settings,
): boolean {
	const transaction = transactionOf(confirmation);
	const isPassed = transaction === undefined ? !hasFilters(filters) : passes(transaction, filters);
	return isPassed && meetsConditions(conditions, delivery, transaction);
}

/** Says that an event was left out because its transaction can't be seen. */
export function warnUnseen(
	context: Context,
	{ event }: Delivery,
	confirmation: Confirmation | undefined,
	{ conditions, filters }: Settings,
): void {
	if (transactionOf(confirmation) !== undefined) return;
	if (!hasFilters(filters) && !needTransaction(conditions)) return;
	const what = conditions === undefined ? 'the filters' : "'Only Run If'";
	warnings.once(
		context,
		`${event} was left out, because its transaction can't be retrieved to compare it with ${what}`,
	);
}

/** Says that events wait because the service has refused the key. */
export function warnRefused(context: Context, confirmation: Confirmation): void {
	if (confirmation.kind === 'later' && confirmation.refused === true)
		warnings.once(context, `events wait until they can be confirmed. ${confirmation.reason}`);
}

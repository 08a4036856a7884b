import type { Delivery } from '../../service/resources/deliveries';
import { readInstant } from '../../service/values/times';
import type { Confirmation } from '../authenticity/confirmation';
import { needTransaction } from '../conditions/conditions';
import type { TriggerParameters } from '../parameters';
import { meetsConditions, transactionOf } from '../subject';
import { warnings } from '../warnings';

/* Which events start the workflow. */

type Context = Parameters<typeof warnings.once>[0];
type Settings = Pick<TriggerParameters, 'conditions'>;

/**
 * Whether an event starts the workflow. One whose transaction couldn't be seen meets no condition on
 * the transaction, because nobody knows what it would be.
 */
export function isWanted(
	delivery: Delivery,
	confirmation: Confirmation | undefined,
	{ conditions }: Settings,
): boolean {
	return meetsConditions(conditions, delivery, transactionOf(confirmation));
}

/**
 * Whether an event of the past can't be compared with the conditions any more, because its
 * transaction has changed since: it may have been left out at first.
 * @param at ISO 8601, when its delivery was answered
 */
export function isLeftOut(
	at: string,
	confirmation: Confirmation | undefined,
	{ conditions }: Settings,
): boolean {
	if (!needTransaction(conditions)) return false;
	const updated = readInstant(transactionOf(confirmation)?.date_updated);
	return updated === undefined || updated > Date.parse(at);
}

/** Says that an event was left out because its transaction can't be seen. */
export function warnUnseen(
	context: Context,
	{ event }: Delivery,
	confirmation: Confirmation | undefined,
	{ conditions }: Settings,
): void {
	if (transactionOf(confirmation) !== undefined || !needTransaction(conditions)) return;
	warnings.once(
		context,
		`${event} was left out, because its transaction can't be retrieved to compare it with 'Only Run If'`,
	);
}

/** Says that events wait because the service has refused the key. */
export function warnRefused(context: Context, confirmation: Confirmation): void {
	if (confirmation.kind === 'later' && confirmation.refused === true)
		warnings.once(context, `events wait until they can be confirmed. ${confirmation.reason}`);
}

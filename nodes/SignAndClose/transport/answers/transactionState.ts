import type { IDataObject } from 'n8n-workflow';

import { isSameId } from '../../values/ids';
import { asObject, asText } from '../../values/json';
import { ServiceFailure, type FailureReason } from '../failure/failure';
import type { TransactionAnswer } from './shapes';

/* Reads what a transaction says about itself: how far it is, and its record. */

/**
 * Finds the ID of the notarization record, which a service gives as text, as an object with `id`,
 * or as the last entry of an array
 * (docs/service/transactions.md#notarization-record-of-a-transaction).
 */
export function findRecordId(transaction: IDataObject): string | undefined {
	const { notarization_record: single, notarization_records: all } = transaction;
	const last = Array.isArray(all) ? (all.at(-1) as unknown) : undefined;
	return [single, asObject(single).id, last, asObject(last).id].map(asText).find(Boolean);
}

/** Finds the IDs of all notarization records: a transaction may have several meetings. */
export function listRecordIds(transaction: IDataObject): string[] {
	const { notarization_records: all } = transaction;
	const ids = (Array.isArray(all) ? (all as unknown[]) : []).flatMap(
		(record) => asText(record) ?? asText(asObject(record).id) ?? [],
	);
	const last = findRecordId(transaction);
	return last === undefined || ids.some((id) => isSameId(id, last)) ? ids : [...ids, last];
}

/** How far a transaction is. */
export type Phase = 'draft' | 'sent' | 'finished';

/** States by phase: statuses and detailed statuses (docs/service/states.md). */
export const PHASES: Record<Phase, ReadonlySet<string>> = {
	draft: new Set(['draft', 'recalled']),
	sent: new Set(
		(
			'sent received partially_completed active sent_to_closing_ops sent_to_title_agency ' +
			'order_placed sent_to_title_agent sent_to_signer viewed partially_complete attempted ' +
			'open_order review_now sign_now meeting_in_progress esign_complete on_hold ' +
			'converted_to_wet_sign ready_for_review held_for_review processing'
		).split(' '),
	),
	finished: new Set(
		(
			'completed completed_with_rejections expired canceled complete complete_with_rejections ' +
			'wet_sign_complete identify_complete_idv_passed identify_complete_idv_failed declined ' +
			'awaiting_payment payment_required'
		).split(' '),
	),
};

/** The state of what the service or a person has called off (docs/service/states.md#canceled). */
export const CANCELED = 'canceled';

/** Whether a transaction was called off. Nobody says which of the two fields shows it. */
export const isCanceled = ({ status, detailed_status: detailed }: IDataObject): boolean =>
	[status, detailed].includes(CANCELED);

/**
 * How far a transaction is. The detailed status may be missing, so the status counts too
 * (docs/service/states.md#detailed-status).
 * @returns undefined when neither is there, or both are unknown here
 */
export function derivePhase({ status, detailed_status: detailed }: IDataObject): Phase | undefined {
	const isWithin = (phase: Phase) =>
		PHASES[phase].has(String(detailed)) || PHASES[phase].has(String(status));
	if (isCanceled({ status, detailed_status: detailed })) return 'finished';
	// A draft has the status "started", whatever its detailed status.
	if (status === 'started' || isWithin('draft')) return 'draft';
	return isWithin('finished') ? 'finished' : isWithin('sent') ? 'sent' : undefined;
}

/**
 * Creates the failure for a step that isn't done in the state of a transaction.
 * @param shown the transaction as the service shows it
 */
export function buildWrongState(
	step: Extract<FailureReason, { code: 'wrongState' }>['step'],
	{ status, detailed_status: detailed }: TransactionAnswer,
): ServiceFailure {
	const current = { status, detailed_status: detailed };
	return new ServiceFailure(
		{ code: 'wrongState', step, current },
		{ final: true, unresumable: derivePhase(current) === 'finished' },
	);
}

/** Whether a transaction is positively a draft. */
export function isDraft(transaction: IDataObject): boolean {
	return derivePhase(transaction) === 'draft';
}

/** The states of what has ended without being completed. */
export const ENDED_UNFINISHED: ReadonlySet<string> = new Set([
	'expired',
	'declined',
	CANCELED,
	'deleted',
]);

/** Whether a transaction has ended without being completed, so that another one may take its place. */
export function hasEndedUnfinished({ status, detailed_status: detailed }: IDataObject): boolean {
	return ENDED_UNFINISHED.has(String(status)) || ENDED_UNFINISHED.has(String(detailed));
}

const PARTLY_COMPLETED = new Set(['partially_completed', 'partially_complete']);

/**
 * Whether a signer has completed: then, a transaction can't be deleted or recalled any more
 * (docs/service/transactions.md#delete).
 */
export const hasCompletedSigner = (transaction: IDataObject): boolean =>
	[transaction.status, transaction.detailed_status].some((state) =>
		PARTLY_COMPLETED.has(String(state)),
	) ||
	(derivePhase(transaction) === 'finished' && !hasEndedUnfinished(transaction));

/** Completed for the service, but its documents wait for a payment. */
const UNPAID = new Set(['awaiting_payment', 'payment_required']);

/**
 * Whether a status says that a transaction is over. States that aren't known here don't: a transaction
 * that is over is noticed, one that is missing isn't.
 */
const isOver = (status: unknown) =>
	(PHASES.finished.has(String(status)) && !UNPAID.has(String(status))) ||
	ENDED_UNFINISHED.has(String(status));

/** Whether there is something left to happen to a transaction. A draft is open, too. */
export function isOpen({ status, detailed_status: detailed }: IDataObject): boolean {
	if (UNPAID.has(String(detailed))) return !ENDED_UNFINISHED.has(String(status));
	return !isOver(detailed) && !isOver(status);
}

/**
 * Whether a transaction has ended: completed, expired, declined, canceled or deleted.
 * @returns undefined when it shows no state that is known here
 */
export function hasEnded(transaction: IDataObject): boolean | undefined {
	if (!isOpen(transaction)) return true;
	return derivePhase(transaction) === undefined ? undefined : false;
}

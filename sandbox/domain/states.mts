/**
 * Every state of a transaction, and how it gets from one to the next (docs/service/states.md). A
 * new state needs its names here, a row in STATES, and an action (actors/) or an operation
 * (operations/) that moves transactions there.
 */

import { refuse, TEXTS } from './refusal.mts';
import type { Signer, Transaction, World } from '../world/world.mts';

export type Status =
	| 'started'
	| 'sent_to_closing_ops'
	| 'sent_to_title_agency'
	| 'sent'
	| 'received'
	| 'partially_completed'
	| 'active'
	| 'completed'
	| 'completed_with_rejections'
	| 'expired';

export type DetailedStatus =
	| 'draft'
	| 'recalled'
	| 'order_placed'
	| 'ready_for_review'
	| 'sent_to_title_agent'
	| 'sent_to_signer'
	| 'viewed'
	| 'partially_complete'
	| 'esign_complete'
	| 'converted_to_wet_sign'
	| 'meeting_in_progress'
	| 'attempted'
	| 'held_for_review'
	| 'on_hold'
	| 'declined'
	| 'awaiting_payment'
	| 'complete'
	| 'wet_sign_complete'
	| 'identify_complete_idv_passed'
	| 'complete_with_rejections'
	| 'identify_complete_idv_failed'
	| 'expired';

/** Absent while the transaction is a draft. */
export type SigningStatus = 'incomplete' | 'in_progress' | 'complete';

export interface State {
	/** Absent where a transaction keeps the status it had. */
	status?: Status;
	detailedStatus: DetailedStatus;
}

export const STATES = {
	// With the client
	draft: { status: 'started', detailedStatus: 'draft' },
	recalled: { status: 'started', detailedStatus: 'recalled' },
	// With the closing team or the title agency
	orderPlaced: { status: 'sent_to_closing_ops', detailedStatus: 'order_placed' },
	readyForReview: { detailedStatus: 'ready_for_review' },
	reviewed: { detailedStatus: 'order_placed' },
	withTitleAgency: { status: 'sent_to_title_agency', detailedStatus: 'sent_to_title_agent' },
	// With the signers
	sentToSigner: { status: 'sent', detailedStatus: 'sent_to_signer' },
	viewed: { status: 'received', detailedStatus: 'viewed' },
	withReferee: { status: 'received', detailedStatus: 'held_for_review' },
	partiallySigned: { status: 'partially_completed', detailedStatus: 'partially_complete' },
	convertedToPaper: { detailedStatus: 'converted_to_wet_sign' },
	/** Of a hybrid closing. The rest is signed on paper. */
	eSigned: { status: 'partially_completed', detailedStatus: 'esign_complete' },
	// With the notary
	inMeeting: { status: 'active', detailedStatus: 'meeting_in_progress' },
	meetingFailed: { detailedStatus: 'attempted' },
	// Held: nobody can continue until somebody reviews or resumes it
	heldForReview: { detailedStatus: 'held_for_review' },
	onHold: { detailedStatus: 'on_hold' },
	// Ended
	completed: { status: 'completed', detailedStatus: 'complete' },
	signedOnPaper: { status: 'completed', detailedStatus: 'wet_sign_complete' },
	identityConfirmed: { status: 'completed', detailedStatus: 'identify_complete_idv_passed' },
	rejected: { status: 'completed_with_rejections', detailedStatus: 'complete_with_rejections' },
	identityNotConfirmed: {
		status: 'completed_with_rejections',
		detailedStatus: 'identify_complete_idv_failed',
	},
	/** Where the signer pays: completed, but the documents are not released yet. */
	awaitingPayment: { detailedStatus: 'awaiting_payment' },
	declined: { detailedStatus: 'declined' },
	expired: { status: 'expired', detailedStatus: 'expired' },
} as const satisfies Record<string, State>;

/** Moves a transaction to a state. `text` is its line in the audit log. */
export function move(world: World, transaction: Transaction, state: State, text: string): void {
	const { status = transaction.status, detailedStatus } = state;
	transaction.status = status;
	transaction.detailedStatus = detailedStatus;
	addToAuditLog(world, transaction, `${detailedStatus}: ${text}`);
	transaction.history.push({
		at: transaction.updated,
		status,
		detailed_status: detailedStatus,
		what: text,
	});
}

/** Records what happened to a transaction whose state stays the same. */
export function addToAuditLog(world: World, transaction: Transaction, text: string): void {
	transaction.updated = world.clock.stamp();
	transaction.auditLog.push(`${transaction.updated}  ${text}`);
}

/** Stops a transaction until it is reviewed or resumed. */
export function hold(
	world: World,
	transaction: Transaction,
	state: typeof STATES.heldForReview | typeof STATES.onHold,
	text: string,
): void {
	const { status, detailedStatus } = transaction;
	transaction.heldFrom = { status, detailedStatus };
	move(world, transaction, state, text);
}

/** Continues a held transaction from the state that it was held in. */
export function endHold(world: World, transaction: Transaction, text: string): void {
	const state = transaction.heldFrom!;
	delete transaction.heldFrom;
	move(world, transaction, state, text);
}

/** A draft has not been sent, or it has been recalled. */
export function isDraft({ detailedStatus }: Transaction): boolean {
	return detailedStatus === 'draft' || detailedStatus === 'recalled';
}

/** Nobody can do anything with it any more. */
export function isFinished({ status, ended }: Transaction): boolean {
	return (
		ended !== undefined ||
		status === 'completed' ||
		status === 'completed_with_rejections' ||
		status === 'expired'
	);
}

export function isWithClosingTeam({ status }: Transaction): boolean {
	return status === 'sent_to_closing_ops' || status === 'sent_to_title_agency';
}

export function hasSigned({ signing_status }: Signer): boolean {
	return signing_status === 'complete';
}

export function allSigned({ signers }: Transaction): boolean {
	return signers.every(hasSigned);
}

/**
 * @throws Refusal 422 unless the transaction is a draft
 *   (docs/service/transactions.md#update-a-draft)
 */
export function requireDraft(transaction: Transaction): void {
	// A canceled transaction shows as expired, but that is not why it can't be edited.
	if (transaction.status === 'expired' && transaction.ended === undefined) refuse(TEXTS.expired);
	if (!isDraft(transaction)) refuse(TEXTS.notEditable);
}

/** @throws Refusal 422 unless the transaction is sent and somebody has yet to act on it */
export function requireSent(transaction: Transaction): void {
	if (transaction.ended !== undefined) refuse(transaction.ended);
	if (transaction.status === 'expired') refuse(TEXTS.expired);
	if (isDraft(transaction)) refuse('Transaction has not been sent');
	if (isFinished(transaction)) refuse('Transaction has been completed');
}

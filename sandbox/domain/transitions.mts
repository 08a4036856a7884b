/** How a transaction comes from one state into the next, and questions about where it is. */

import { published } from './refusal.mts';
import type { Signer, Transaction, World } from '../world/world.mts';
import type { State, STATES } from './states.mts';

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
 * @throws Refusal 422 unless the transaction is a draft. An expired one is none
 *   (docs/service/transactions.md#update-a-draft)
 */
export function requireDraft(transaction: Transaction): void {
	if (!isDraft(transaction)) throw published('notEditable');
}

/**
 * @throws Refusal 422 unless the documents of the transaction can be changed
 *   (docs/service/errors.md#errors-of-documents)
 */
export function requireModifiable(transaction: Transaction): void {
	if (!isDraft(transaction)) throw published('notModifiable');
}

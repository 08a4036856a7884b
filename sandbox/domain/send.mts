/**
 * Sending a transaction to its signers, reminding them, and recalling it
 * (docs/service/transactions.md#send, docs/service/transactions.md#recall).
 */

import { checkOrder, TYPES_WITH_ENOTE } from './closingRules.mts';
import { isSignerDesignation } from './documents/designations.mts';
import { Refusal, refuse, TEXTS } from './refusal.mts';
import { STATES } from './states.mts';
import {
	addToAuditLog,
	hasSigned,
	isDraft,
	isFinished,
	move,
	requireDraft,
	requireSent,
} from './transitions.mts';
import type { Fields, Transaction, World } from '../world/world.mts';

/**
 * POST B/notarization_ready, or the end of a create without draft.
 * @param options.emitEvents false when the caller emits the events itself
 */
export function send(
	world: World,
	transaction: Transaction,
	{ emitEvents = true, body = {} as Fields } = {},
): void {
	checkReady(transaction, { closingTeam: true });
	sendToSigner(world, transaction, body);
	if (emitEvents) emitSent(world, transaction);
}

/**
 * POST R/place_order. The closing team adds designations, arranges the time and sends the closing
 * to the signer (docs/service/closings.md#closing-team). It does so at once, unless the sandbox was
 * started with a closing team that a person plays. With skip_closing_ops, the closing goes to the
 * signer directly.
 */
export function placeOrder(world: World, transaction: Transaction, body: Fields): void {
	const skip = body.skip_closing_ops ?? transaction.fields.skip_closing_ops ?? false;
	checkReady(transaction, { closingTeam: skip !== true });
	if (world.settings.profile === 'full') checkOrder(world, transaction.fields);
	if (skip !== true) {
		move(world, transaction, STATES.orderPlaced, 'order placed, with the closing team');
		world.emit('transaction.sent_to_closing_ops', transaction);
		if (world.settings.closingTeam === 'manual') return;
		addToAuditLog(world, transaction, 'closing team has prepared the documents');
	}
	sendToSigner(world, transaction, body);
	emitSent(world, transaction);
}

/**
 * What a transaction needs before it can be signed.
 * @param closingTeam whether a closing team adds designations where they are missing
 */
export function checkReady(
	transaction: Transaction,
	{ closingTeam }: { closingTeam: boolean },
): void {
	requireDraft(transaction);
	const { documents, splitting, signers, fields } = transaction;
	if (signers.length === 0) refuse(TEXTS.noSigner);
	if (splitting > 0) refuse('A document is still being split');
	if (documents.length === 0) refuse('Need at least 1 document');
	if (
		TYPES_WITH_ENOTE.has(fields.transaction_type) &&
		transaction.platform === 'realEstate' &&
		fields.paper_note_consent !== true &&
		!documents.some(({ isEnote }) => isEnote)
	) {
		refuse(TEXTS.noEnote);
	}
	const placed = documents.some(({ designations }) => designations.some(isSignerDesignation));
	const needed = documents.some(
		({ flags, requirement, isEnote }) =>
			flags.esign_required === true || (!closingTeam && requirement === 'esign' && !isEnote),
	);
	if (needed && !placed) refuse(TEXTS.noDesignations);
}

/** Puts the transaction into the hands of its signers. */
export function sendToSigner(world: World, transaction: Transaction, body: Fields = {}): void {
	for (const signer of transaction.signers) signer.signing_status = 'incomplete';
	const withoutEmail = (body.suppress_email ?? transaction.fields.suppress_email) === true;
	move(
		world,
		transaction,
		STATES.sentToSigner,
		withoutEmail ? 'sent to the signer without an email' : 'sent to the signer',
	);
}

export function emitSent(world: World, transaction: Transaction): void {
	world.emit('transaction.sent', transaction);
	world.emit('transaction.sent_to_signer', transaction);
}

/** POST .../recall: makes it a draft again, as long as no signer has completed. */
export function recall(world: World, transaction: Transaction, reason: string | undefined): void {
	if (transaction.ended !== undefined) refuse(transaction.ended);
	if (transaction.status === 'expired') refuse(TEXTS.expired);
	if (isDraft(transaction)) refuse('Transaction can not be recalled: it has not been sent');
	if (isFinished(transaction) || transaction.signers.some(hasSigned)) refuse(TEXTS.signed);
	for (const signer of transaction.signers) delete signer.signing_status;
	transaction.identities.clear();
	// The transaction starts over: it is neither held nor signed on paper any more.
	delete transaction.heldFrom;
	delete transaction.onPaper;
	move(world, transaction, STATES.recalled, reason ? `recalled: ${reason}` : 'recalled');
	world.emit('transaction.recalled', transaction);
}

/** POST .../send_email (docs/service/transactions.md#resend-the-e-mail). */
export function resendEmail(world: World, transaction: Transaction): void {
	requireSent(transaction);
	addToAuditLog(world, transaction, 'email sent again');
}

/**
 * POST .../send_sms (docs/service/transactions.md#resend-the-sms).
 * @throws Refusal 400 for an invalid number
 */
export function resendSms(world: World, transaction: Transaction, body: Fields): void {
	const digits = String(body.phone?.number ?? '').replace(/[\s().-]/g, '');
	if (!/^\d{7,15}$/.test(digits)) throw new Refusal(400, 'phone number is not valid');
	requireSent(transaction);
	addToAuditLog(
		world,
		transaction,
		`text message sent to the number that ends in ${digits.slice(-2)}`,
	);
}

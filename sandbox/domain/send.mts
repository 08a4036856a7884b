/**
 * Sending a transaction to its signers, and recalling it
 * (docs/service/transactions.md#send, docs/service/transactions.md#recall).
 */

import { checkOrder, TYPES_WITH_ENOTE } from './closingRules.mts';
import { isSignerDesignation } from './documents/designations.mts';
import { loseTextTags, unprocessedDocuments } from './documents/processing.mts';
import { accessLink } from './people/accessLink.mts';
import { published, refuse, TEXTS } from './refusal.mts';
import { STATES } from './states.mts';
import {
	addToAuditLog,
	hasSigned,
	isDraft,
	isFinished,
	move,
	requireDraft,
} from './transitions.mts';
import type { Fields, Transaction, World } from '../world/world.mts';

/**
 * POST B/notarization_ready, or the end of a create without draft.
 * @param options.emitEvents false when the caller emits the events itself
 * @param options.body the options of Send
 * @param options.isNew a create without draft is sent at once, whatever its documents are like
 */
export function send(
	world: World,
	transaction: Transaction,
	{ emitEvents = true, body = {} as Fields, isNew = false } = {},
): void {
	checkReady(world, transaction, { closingTeam: true, isNew });
	if (!isNew) loseTextTags(transaction);
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
	checkReady(world, transaction, { closingTeam: skip !== true });
	if (world.settings.profile === 'full') checkOrder(world, transaction.fields);
	loseTextTags(transaction);
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
 * What a transaction needs before it can be signed. Changes nothing.
 * @param options.closingTeam whether a closing team adds designations where they are missing
 * @throws Refusal with what is missing
 */
export function checkReady(
	world: World,
	transaction: Transaction,
	{ closingTeam, isNew = false }: { closingTeam: boolean; isNew?: boolean },
): void {
	const { splitting, signers, fields } = transaction;
	if (transaction.ended !== undefined) refuse(transaction.ended);
	if (transaction.status === 'expired') throw published('expired');
	requireDraft(transaction);
	const documents = transaction.documents.filter(({ isConsentForm }) => !isConsentForm);
	if (signers.length === 0 && fields.transaction_type !== 'wet_sign') refuse(TEXTS.noSigner);
	if (splitting > 0) refuse('A document is still being split');
	if (documents.length === 0) refuse('Need at least 1 document');
	if (!isNew) checkProcessed(world, transaction);
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

/**
 * Documents are processed in the background. Nobody publishes what becomes of one that is not ready
 * when its transaction is sent (docs/service/documents.md#processing).
 */
function checkProcessed({ settings }: World, transaction: Transaction): void {
	const [unready] = unprocessedDocuments(transaction);
	if (unready === undefined) return;
	if (settings.switches.sendBeforeProcessed === 'losesTextTags') return;
	if (unready.state === 'pending') refuse(`Document ${unready.name} is still being processed`);
	const failed = `Document ${unready.name} could not be processed`;
	refuse([failed, unready.processingError].filter(Boolean).join(': '));
}

/**
 * Puts the transaction into the hands of its signers.
 * @param body the options of Send, of which suppress_email is not stored
 */
export function sendToSigner(world: World, transaction: Transaction, body: Fields = {}): void {
	for (const signer of transaction.signers) signer.signing_status = 'incomplete';
	const withoutEmail = body.suppress_email === true;
	move(
		world,
		transaction,
		STATES.sentToSigner,
		withoutEmail ? 'sent to the signer without an email' : 'sent to the signer',
	);
}

export function emitSent(world: World, transaction: Transaction): void {
	const [first] = transaction.signers;
	const details = first && { transaction_access_link: accessLink(world, transaction, first) };
	world.emit('transaction.sent', transaction, details);
	world.emit('transaction.sent_to_signer', transaction, details);
}

/**
 * POST .../recall: makes it a draft again, as long as no signer has completed
 * (docs/service/transactions.md#recall).
 */
export function recall(world: World, transaction: Transaction, reason: string | undefined): void {
	if (isDraft(transaction) || isFinished(transaction) || transaction.signers.some(hasSigned))
		throw published('notRecallable');
	for (const signer of transaction.signers) delete signer.signing_status;
	transaction.identities.clear();
	// The transaction starts over: it is neither held nor signed on paper any more.
	delete transaction.heldFrom;
	delete transaction.onPaper;
	transaction.recallReason = reason;
	move(world, transaction, STATES.recalled, reason ? `recalled: ${reason}` : 'recalled');
	world.emit('transaction.recalled', transaction);
}

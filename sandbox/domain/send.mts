import { isSignerDesignation } from './designations.mts';
import { Refusal, refuse, TEXTS } from './refusal.mts';
import { checkOrder, needDraft, NEEDS_ENOTE } from './rules.mts';
import {
	hasSigned,
	isDraft,
	isFinished,
	move,
	note,
	type Fields,
	type Transaction,
	type World,
} from '../state/world.mts';

/** Sending, recalling, reminding, expiring (gaps.md §1, §5). */

/**
 * POST B/notarization_ready, or the end of a create without draft. `silent`: the caller tells the
 * webhooks.
 */
export function send(
	world: World,
	transaction: Transaction,
	{ silent = false, options = {} as Fields } = {},
): void {
	checkReady(transaction, false);
	deliver(world, transaction, silent, options);
}

/**
 * POST R/place_order. The closing team adds designations, arranges the time and sends it on to the
 * signer (interface.md §3.1): here at once, unless the sandbox was started with a closing team that
 * a person plays. skip_closing_ops passes it by.
 */
export function placeOrder(world: World, transaction: Transaction, options: Fields): void {
	const skip = options.skip_closing_ops ?? transaction.fields.skip_closing_ops ?? false;
	checkReady(transaction, skip === true);
	if (world.settings.profile === 'full') checkOrder(world, transaction.fields);
	if (skip !== true) {
		move(
			world,
			transaction,
			'sent_to_closing_ops',
			'order_placed',
			'order placed, with the closing team',
		);
		world.emit('transaction.sent_to_closing_ops', transaction);
		if (world.settings.closingTeam === 'manual') return;
		note(world, transaction, 'closing team has prepared the documents');
	}
	deliver(world, transaction, false, options);
}

/** What a bundle needs before it can be signed. `alone`: no closing team will add designations. */
export function checkReady(transaction: Transaction, alone: boolean): void {
	needDraft(transaction);
	const { documents, splitting, signers, fields } = transaction;
	if (signers.length === 0) refuse(TEXTS.noSigner);
	if (splitting > 0) refuse('A document is still being split');
	if (documents.length === 0) refuse('Need at least 1 document');
	if (
		NEEDS_ENOTE.has(fields.transaction_type) &&
		transaction.platform === 'realEstate' &&
		fields.paper_note_consent !== true &&
		!documents.some(({ isEnote }) => isEnote)
	) {
		refuse(TEXTS.noEnote);
	}
	const placed = documents.some(({ designations }) => designations.some(isSignerDesignation));
	const needed = documents.some(
		({ flags, requirement, isEnote }) =>
			flags.esign_required === true || (alone && requirement === 'esign' && !isEnote),
	);
	if (needed && !placed) refuse(TEXTS.noDesignations);
}

/** The transaction is with the signers. */
export function deliver(
	world: World,
	transaction: Transaction,
	silent = false,
	options: Fields = {},
): void {
	for (const signer of transaction.signers) signer.signing_status = 'incomplete';
	const quiet = (options.suppress_email ?? transaction.fields.suppress_email) === true;
	move(
		world,
		transaction,
		'sent',
		'sent_to_signer',
		quiet ? 'sent to the signer without an e-mail' : 'sent to the signer',
	);
	if (silent) return;
	world.emit('transaction.sent', transaction);
	world.emit('transaction.sent_to_signer', transaction);
}

/** POST .../recall: back to a draft, while nobody has completed. */
export function recall(world: World, transaction: Transaction, reason: string | undefined): void {
	if (transaction.ended !== undefined) refuse(transaction.ended);
	if (transaction.status === 'expired') refuse(TEXTS.expired);
	if (isDraft(transaction)) refuse('Transaction can not be recalled: it has not been sent');
	if (isFinished(transaction) || transaction.signers.some(hasSigned)) refuse(TEXTS.signed);
	for (const signer of transaction.signers) delete signer.signing_status;
	transaction.identities.clear();
	// It begins anew: neither on hold nor on paper.
	delete transaction.heldFrom;
	delete transaction.onPaper;
	move(world, transaction, 'started', 'recalled', reason ? `recalled: ${reason}` : 'recalled');
	world.emit('transaction.recalled', transaction);
}

/** POST .../send_email (gaps.md §1). */
export function resendEmail(world: World, transaction: Transaction): void {
	needSent(transaction);
	note(world, transaction, 'e-mail sent again');
}

/** POST .../send_sms (gaps.md §1): 400 for a number that is none. */
export function resendSms(world: World, transaction: Transaction, body: Fields): void {
	const digits = String(body.phone?.number ?? '').replace(/[\s().-]/g, '');
	if (!/^\d{7,15}$/.test(digits)) throw new Refusal(400, 'phone number is not valid');
	needSent(transaction);
	note(world, transaction, `text message sent to the number that ends in ${digits.slice(-2)}`);
}

function needSent(transaction: Transaction): void {
	if (transaction.ended !== undefined) refuse(transaction.ended);
	if (transaction.status === 'expired') refuse(TEXTS.expired);
	if (isDraft(transaction)) refuse('Transaction has not been sent');
	if (isFinished(transaction)) refuse('Transaction has been completed');
}

/** The transaction expires with the clock (gaps.md §3, expiry, expiration_time; §5, expired). */
export function scheduleExpiry(world: World, transaction: Transaction): void {
	const expiry = transaction.fields.expiry ?? transaction.fields.expiration_time;
	if (typeof expiry !== 'string') return;
	world.clock.later(Date.parse(expiry) - world.clock.now(), () => {
		const current = transaction.fields.expiry ?? transaction.fields.expiration_time;
		// An update may have moved the date, a deletion may have taken the transaction away.
		if (current !== expiry || isFinished(transaction) || !world.transactions.has(transaction.id))
			return;
		expire(world, transaction);
	});
}

export function expire(world: World, transaction: Transaction): void {
	move(world, transaction, 'expired', 'expired', 'expired');
	world.emit('transaction.expired', transaction);
}

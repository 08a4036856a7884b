/**
 * Reminding signers and contacts of a transaction that has been sent
 * (docs/service/transactions.md#resend-the-e-mail).
 */

import { isPhone, phoneOf } from './phones.mts';
import { published, refuse } from '../refusal.mts';
import { addToAuditLog, isDraft, isFinished } from '../transitions.mts';
import type { Fields, Transaction, World } from '../../world/world.mts';

/** @throws Refusal 422 when nobody has to act on the transaction any more */
function requireUnfinished({ ended, ...transaction }: Transaction): void {
	if (ended !== undefined) refuse(ended);
	if (transaction.status === 'expired') throw published('expired');
	if (isFinished(transaction as Transaction)) refuse('Transaction has been completed');
}

/** POST .../send_email. Without a message, the first one is sent again. */
export function resendEmail(world: World, transaction: Transaction, message?: string): void {
	if (isDraft(transaction)) throw published('emailBeforeSend');
	requireUnfinished(transaction);
	addToAuditLog(
		world,
		transaction,
		message === undefined ? 'email sent again' : 'email sent again with another message',
	);
}

/**
 * POST B/.../send_sms: to a number of the query or of the body, else to all signers
 * (docs/service/transactions.md#resend-the-sms).
 * @throws Refusal 400 for a number without its country
 */
export function resendSms(
	world: World,
	transaction: Transaction,
	{ query, body }: { query: Fields; body: Fields },
): void {
	const given = query.phone ?? query.phone_number ?? body.phone;
	if (given !== undefined && !isPhone(given)) throw published('invalidPhone');
	sendText(world, transaction, given !== undefined);
}

/** POST R/.../send_sms: to all signers, whatever is sent. */
export function resendClosingSms(world: World, transaction: Transaction): void {
	if (world.settings.missingFeatures.includes('sms')) throw published('noSmsFeature');
	sendText(world, transaction, false);
}

function sendText(world: World, transaction: Transaction, isToOneNumber: boolean): void {
	if (!isToOneNumber && transaction.signers.some((signer) => phoneOf(signer) === undefined))
		throw published('noPhones');
	if (isDraft(transaction)) refuse('Transaction has not been sent');
	requireUnfinished(transaction);
	addToAuditLog(
		world,
		transaction,
		isToOneNumber ? 'text message sent to one number' : 'text message sent to the signers',
	);
}

/**
 * POST R/.../send_contacts_email (docs/service/transactions.md#resend-the-e-mail-to-contacts).
 * @param email of the only contact who gets it
 */
export function emailContacts(world: World, transaction: Transaction, email?: string): void {
	const contacts: Fields[] = transaction.fields.contacts ?? [];
	const reached = contacts.filter((contact) => email === undefined || contact.email === email);
	if (reached.length === 0) throw published('noContact');
	if (isDraft(transaction) || isFinished(transaction)) throw published('inactive');
	const list = reached.map((contact) => contact.email).join(', ');
	addToAuditLog(world, transaction, `email sent again to contacts: ${list}`);
}

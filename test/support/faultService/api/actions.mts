import type { Json } from '../types.mts';
import { complete } from '../state/complete.mts';
import { isDraft, type TransactionRecord } from '../state/world.mts';
import { isTrue } from '../state/views.mts';
import { findTransaction, refuse, route, type Call } from './call.mts';
import { hasExpired, touched } from './transactions.mts';

/** Sending and what follows it (docs/service/transactions.md#send and below). */

function send(call: Call): Json {
	const { world, platform, body, query } = call;
	const transaction = findTransaction(call);
	const { fields } = transaction;
	if (hasExpired(transaction)) refuse(422, 'Transaction has expired');
	if (!isDraft(transaction)) refuse(422, 'Transaction Cannot Be Modified');
	if (transaction.signers.length === 0 && fields.transaction_type !== 'wet_sign')
		refuse(422, 'Need at least 1 signer');
	const realEstate = platform === 'realEstate';
	if (realEstate && world.options.account === 'lender') {
		const mandatory = ['refinance', 'purchase_buyer_loan'].includes(fields.transaction_type);
		const has = transaction.documents.some(({ isEnote }) => isEnote);
		if (mandatory && !has && !isTrue(fields.paper_note_consent)) refuse(422, 'eNote Required');
	}
	const skips = body.skip_closing_ops ?? query.get('skip_closing_ops') ?? fields.skip_closing_ops;
	const team = realEstate && world.options.account === 'lender' && !isTrue(skips);
	transaction.status = team ? 'sent_to_closing_ops' : 'sent';
	transaction.detailedStatus = team ? 'order_placed' : 'sent_to_signer';
	const shown = touched(call, transaction, 'transaction.sent');
	world.emit(`transaction.${team ? 'sent_to_closing_ops' : 'sent_to_signer'}`, transaction);
	return shown;
}

function recall(call: Call): Json {
	const transaction = findTransaction(call);
	if (isDraft(transaction) || /complete|expired/.test(transaction.status))
		refuse(422, 'Organization Transaction cannot be recalled at this time.');
	transaction.status = 'started';
	transaction.detailedStatus = 'recalled';
	transaction.recallReason = call.query.get('recall_reason') ?? undefined;
	return touched(call, transaction, 'transaction.recalled');
}

function resendEmail(call: Call): Json {
	const transaction = findTransaction(call);
	if (isDraft(transaction)) refuse(422, 'Cannot resend email for started transaction.');
	return touched(call, transaction, 'email.resent');
}

function resendSms(call: Call): Json {
	const transaction = findTransaction(call);
	const given = call.query.get('phone') ?? call.query.get('phone_number');
	const parts = call.body.phone;
	if (call.platform === 'business') {
		if (given !== null && !/^\+[1-9]\d{6,14}$/.test(given))
			refuse(
				400,
				'Invalid Phone Number. Please include country code and phone number in e164 format.',
			);
		if (given === null && !parts && !everyHasPhone(transaction))
			refuse(422, 'Cannot send sms: One or more signers do not have a phone number');
	} else if (!everyHasPhone(transaction)) refuse(422, 'Could not send sms: missing_feature');
	return touched(call, transaction, 'sms.resent');
}

function everyHasPhone({ signers }: TransactionRecord): boolean {
	return signers.every(({ fields }) => fields.phone_number || fields.phone);
}

function resendToContacts(call: Call): Json {
	const transaction = findTransaction(call);
	const email = call.query.get('contact_email');
	const contacts: Json[] = transaction.fields.contacts ?? [];
	if (email !== null && !contacts.some((contact) => contact.email === email))
		refuse(404, 'Contact not found for transaction');
	if (isDraft(transaction)) refuse(422, 'Cannot resend email for inactive transactions.');
	return touched(call, transaction, 'contactsEmail.resent');
}

/** The answer shows the transaction as it was before (docs/service/transactions.md#force-complete). */
function forceComplete(call: Call): Json {
	const transaction = findTransaction(call);
	if (isDraft(transaction) || /complete|expired/.test(transaction.status))
		refuse(422, 'Unable to force complete transaction.');
	const before = touched(call, transaction, 'transaction.forceCompleted');
	complete(call.world, transaction.id, 'completed');
	return before;
}

export const actionRoutes = [
	...route('POST', 'B', '/transactions/:id/notarization_ready', 'object', send),
	...route('POST', 'R', '/transactions/:id/place_order', 'object', send),
	...route('POST', 'BR', '/transactions/:id/recall', 'object', recall),
	...route('POST', 'BR', '/transactions/:id/send_email', 'object', resendEmail),
	...route('POST', 'BR', '/transactions/:id/send_sms', 'object', resendSms),
	...route('POST', 'R', '/transactions/:id/send_contacts_email', 'object', resendToContacts),
	...route('POST', 'BR', '/transactions/:id/force_complete', 'object', forceComplete),
];

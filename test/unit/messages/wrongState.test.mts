import { explain } from '../../../nodes/SignAndClose/messages/explanations.ts';
import { describeState } from '../../../nodes/SignAndClose/messages/transactionTexts.ts';
import { ServiceFailure } from '../../../nodes/SignAndClose/transport/failure/failure.ts';

/** States in words, and what to do in them. */

const DRAFT = { status: 'started' };
const SENT = { status: 'sent', detailed_status: 'sent_to_signer' };
const OVER = { status: 'completed' };
const EXPIRED = { status: 'expired' };
const PARTLY = { status: 'sent', detailed_status: 'partially_complete' };
const CANCELED = { status: 'canceled', detailed_status: 'sent_to_signer' };

test.each<[string, 'send' | 'recall' | 'unconfirmed', object, RegExp, RegExp]>([
	['transaction/send', 'send', SENT, /already sent/, /'Transaction: Resend Email'/],
	['transaction/send', 'send', OVER, /has ended/, /new transaction/],
	['transaction/send', 'send', CANCELED, /has ended \(canceled\)$/, /'Transaction: Copy'/],
	['transaction/recall', 'recall', CANCELED, /has ended \(canceled\)$/, /'Transaction: Copy'/],
	['transaction/delete', 'unconfirmed', SENT, /already sent/, /'Delete Even if Sent'/],
	['transaction/delete', 'unconfirmed', EXPIRED, /has ended \(expired\)$/, /'Delete Even if Sent'/],
	['transaction/delete', 'unconfirmed', OVER, /has ended \(completed\)$/, /no longer be deleted$/],
	['transaction/delete', 'unconfirmed', PARTLY, /partially completed/, /no longer be deleted$/],
	['transaction/recall', 'unconfirmed', SENT, /already sent/, /'Recall from Signers'/],
	['transaction/recall', 'unconfirmed', PARTLY, /already sent/, /no longer be recalled$/],
	['transaction/recall', 'recall', DRAFT, /is a draft$/, /nothing to recall/],
	['transaction/recall', 'recall', OVER, /has ended \(completed\)$/, /new transaction/],
])('%s that was not sent (%s, %j)', (operation, step, shown, message, remedy) => {
	const failure = new ServiceFailure({ code: 'wrongState', step, current: shown });
	const explained = explain(failure, { operation, properties: [] });
	expect(explained.message).toMatch(message);
	expect(explained.remedy).toMatch(/^Nothing was changed\. /);
	expect(explained.remedy).toMatch(remedy);
});

test.each([
	[{ status: 'started' }, 'draft'],
	[{ status: 'sent', detailed_status: 'started' }, 'started'],
	[{ status: 'started', detailed_status: 'recalled' }, 'draft, recalled'],
	[{ status: 'sent', detailed_status: 'sent_to_signer' }, 'sent to signer'],
	[{ status: 'sent_to_closing_ops', detailed_status: 'order_placed' }, 'with the closing team'],
	[{ status: 'started', detailed_status: 'canceled' }, 'canceled'],
	[{ status: '', detailed_status: null }, undefined],
])('%j in words is %s', (shown, expected) => {
	expect(describeState(shown)).toBe(expected);
});

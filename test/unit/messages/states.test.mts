import { expect, test } from '@jest/globals';
import type { IDataObject } from 'n8n-workflow';

import { explain } from '../../../nodes/SignAndClose/messages/explanations.ts';
import { stateInWords, stateRefusalIn } from '../../../nodes/SignAndClose/messages/states.ts';
import { ServiceFailure } from '../../../nodes/SignAndClose/transport/failure/failure.ts';
import { toRefusal } from '../../../nodes/SignAndClose/transport/failure/refusal.ts';
import { phaseOf } from '../../../nodes/SignAndClose/transport/answers/transactionState.ts';

/** What to do next, by refusal, operation and state. */

const EDIT = 'Transaction cannot be edited at this time.';
const MODIFY = 'Transaction Cannot Be Modified';
const SIGNED = 'Transaction has already been completed by at least 1 signer.';
const RECALL = 'Organization Transaction cannot be recalled at this time.';
const EMAIL = 'Cannot resend email for started transaction.';
const FORCE = 'Unable to force complete transaction.';

const DRAFT = { status: 'started' };
const SENT = { status: 'sent', detailed_status: 'sent_to_signer' };
const OVER = { status: 'completed' };
const NOT_KNOWN = {};

test.each<[text: string, operation: string, shown: IDataObject, remedy: RegExp]>([
	[
		EDIT,
		'transaction/send',
		SENT,
		/already sent \(sent to signer\)\. .*'Transaction: Resend Email'/,
	],
	[EDIT, 'transaction/send', OVER, /is over \(completed\)\. Create a new transaction/],
	[EDIT, 'transaction/send', NOT_KNOWN, /^It may be sent already: .*'Transaction: Get'/],
	[EDIT, 'transaction/update', SENT, /Only a draft .*'Transaction: Correct Signer'/],
	[EDIT, 'transaction/update', OVER, /can no longer be changed/],
	[EDIT, 'transaction/update', DRAFT, /is a draft\. Run the node again/],
	[MODIFY, 'document/add', SENT, /Only a draft .*'Transaction: Recall' takes .* from its signers/],
	[MODIFY, 'enote/delete', NOT_KNOWN, /^Only a draft .*'Transaction: Get'/],
	[SIGNED, 'transaction/delete', SENT, /no longer possible/],
	[RECALL, 'transaction/recall', DRAFT, /nothing to recall/],
	[RECALL, 'transaction/recall', SENT, /'Signer: Get Many'/],
	[RECALL, 'transaction/recall', OVER, /can no longer be recalled/],
	[EMAIL, 'transaction/resendEmail', DRAFT, /Nobody was invited yet/],
	[EMAIL, 'transaction/resendToContacts', OVER, /nobody left to remind/],
	[FORCE, 'transaction/forceComplete', OVER, /nothing left to complete/],
	[FORCE, 'transaction/forceComplete', DRAFT, /'Transaction: Send'/],
])('%s by %s of %j', (text, operation, shown, expected) => {
	const failure = toRefusal({ errors: [text] }, { status: 422, asked: 'write', attempts: 1 });
	const state = { phase: phaseOf(shown), words: stateInWords(shown) };
	expect(explain(failure, { operation, properties: [], state }).remedy).toMatch(expected);
});

test.each<[string, 'send' | 'recall' | 'unconfirmed', object, RegExp, RegExp]>([
	['transaction/send', 'send', SENT, /already sent/, /'Transaction: Resend Email'/],
	['transaction/send', 'send', OVER, /is over/, /new transaction/],
	['transaction/delete', 'unconfirmed', SENT, /already sent/, /'Delete Even if Sent'/],
	['transaction/recall', 'unconfirmed', SENT, /already sent/, /'Recall from Signers'/],
	['transaction/recall', 'recall', DRAFT, /is a draft$/, /nothing to recall/],
])('%s that was not sent (%s, %j)', (operation, step, shown, message, remedy) => {
	const failure = new ServiceFailure({ code: 'wrongState', step, shown });
	const explained = explain(failure, { operation, properties: [] });
	expect(explained.message).toMatch(message);
	expect(explained.remedy).toMatch(/^Nothing was changed\. /);
	expect(explained.remedy).toMatch(remedy);
});

test('texts about anything else are not about the state', () => {
	expect(stateRefusalIn(['eNote Required', 'Invalid URL'])).toBeUndefined();
	expect(stateRefusalIn(['Strange', 'Transaction has expired'])).toBe('expired');
});

test.each([
	[{ status: 'started' }, 'draft'],
	[{ status: 'sent', detailed_status: 'started' }, 'started'],
	[{ status: 'started', detailed_status: 'recalled' }, 'draft, recalled'],
	[{ status: 'sent', detailed_status: 'sent_to_signer' }, 'sent to signer'],
	[{ status: 'sent_to_closing_ops', detailed_status: 'order_placed' }, 'with the closing team'],
	[{ status: '', detailed_status: null }, undefined],
])('%j in words is %s', (shown, expected) => {
	expect(stateInWords(shown)).toBe(expected);
});

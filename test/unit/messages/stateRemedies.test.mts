import { describe, expect, test } from '@jest/globals';

import { explain } from '../../../nodes/SignAndClose/messages/explanations.ts';
import type { ShownState } from '../../../nodes/SignAndClose/messages/situation.ts';
import { stateRefusalIn } from '../../../nodes/SignAndClose/messages/stateRemedies.ts';
import { stateInWords } from '../../../nodes/SignAndClose/messages/stateWords.ts';
import { ServiceFailure } from '../../../nodes/SignAndClose/transport/failure/failure.ts';
import { toRefusal } from '../../../nodes/SignAndClose/transport/failure/refusal.ts';
import { operations } from '../../../nodes/SignAndClose/resources/index.ts';

/** What to do next, by refusal, operation and state. */

const NOT_EDITABLE = 'Transaction cannot be edited at this time.';
const NOT_MODIFIABLE = 'Transaction Cannot Be Modified';
const SIGNED = 'Transaction has already been completed by at least 1 signer.';
const NOT_RECALLABLE = 'Organization Transaction cannot be recalled at this time.';
const NO_EMAIL = 'Cannot resend email for started transaction.';
const NO_FORCE = 'Unable to force complete transaction.';

const DRAFT: ShownState = { phase: 'draft', words: 'draft' };
const SENT: ShownState = { phase: 'sent', words: 'sent to signer' };
const OVER: ShownState = { phase: 'finished', words: 'completed' };

const situationOf = (name: string, state?: ShownState) => {
	const { properties } = operations.find(({ resource, value }) => `${resource}/${value}` === name)!;
	return { operation: name, properties, valueOf: () => undefined, state };
};
const remedyOf = (text: string, name: string, state?: ShownState) =>
	explain(
		toRefusal({ errors: [text] }, { status: 422, asked: 'write', attempts: 1 }),
		situationOf(name, state),
	).remedy;

const INVITE = "To invite the signers again, use 'Transaction: Resend Email'";
const NEW_ONE = 'Create a new transaction for what is still to be signed';

describe('sending', () => {
	test('what is sent already says so, and how to invite again', () => {
		expect(remedyOf(NOT_EDITABLE, 'transaction/send', SENT)).toBe(
			`The transaction is already sent (sent to signer). ${INVITE}`,
		);
	});
	test('what is over needs a new transaction', () => {
		expect(remedyOf(NOT_EDITABLE, 'transaction/send', OVER)).toBe(
			`The transaction is over (completed). ${NEW_ONE}`,
		);
	});
	test('in a state that nobody knows says where to look', () => {
		expect(remedyOf(NOT_EDITABLE, 'transaction/send')).toBe(
			`It may be sent already: see its state with 'Transaction: Get'. ${INVITE}`,
		);
	});
});

describe('changing', () => {
	test.each(['document/add', 'document/update', 'document/delete', 'enote/add', 'enote/delete'])(
		'%s of what is sent says what a recall means before it names it',
		(name) => {
			expect(remedyOf(NOT_MODIFIABLE, name, SENT)).toBe(
				"The transaction is already sent (sent to signer). Only a draft can be changed. If the change has to be made, 'Transaction: Recall' takes the transaction back from its signers, and 'Transaction: Send' sends it again after the change",
			);
		},
	);
	test('a signer of what is sent has an operation of its own', () => {
		expect(remedyOf(NOT_EDITABLE, 'transaction/update', SENT)).toMatch(
			/^The transaction is already sent \(sent to signer\)\. Only a draft can be changed\. For a signer, use 'Transaction: Correct Signer'/,
		);
	});
	test('what is over is not possible', () => {
		expect(remedyOf(NOT_EDITABLE, 'transaction/update', OVER)).toBe(
			`The transaction is over (completed). It can no longer be changed. ${NEW_ONE}`,
		);
	});
	test('what is a draft again meanwhile can be tried again', () => {
		expect(remedyOf(NOT_EDITABLE, 'transaction/update', DRAFT)).toBe(
			'The transaction is a draft. Run the node again: a draft can be changed',
		);
	});
});

describe('deleting, recalling, reminding and completing by force', () => {
	test.each<[text: string, name: string, state: ShownState | undefined, remedy: string]>([
		[
			SIGNED,
			'transaction/delete',
			SENT,
			'The transaction is already sent (sent to signer). A signer has completed, so it can no longer be deleted. It ends when the other signers complete, or when it expires',
		],
		[
			SIGNED,
			'transaction/delete',
			OVER,
			'The transaction is over (completed). A signer has completed, so it can no longer be deleted',
		],
		[
			NOT_RECALLABLE,
			'transaction/recall',
			DRAFT,
			"The transaction is a draft. There is nothing to recall: change it with 'Transaction: Update'",
		],
		[
			NOT_RECALLABLE,
			'transaction/recall',
			SENT,
			"The transaction is already sent (sent to signer). Only a transaction that no signer has completed can be recalled: see who has with 'Signer: Get Many'",
		],
		[
			NOT_RECALLABLE,
			'transaction/recall',
			OVER,
			`The transaction is over (completed). It can no longer be recalled. ${NEW_ONE}`,
		],
		[
			NO_EMAIL,
			'transaction/resendEmail',
			DRAFT,
			"The transaction is a draft. Nobody was invited yet: send it with 'Transaction: Send'",
		],
		[
			NO_EMAIL,
			'transaction/resendToContacts',
			OVER,
			'The transaction is over (completed). There is nobody left to remind',
		],
		[
			NO_FORCE,
			'transaction/forceComplete',
			OVER,
			'The transaction is over (completed). There is nothing left to complete',
		],
	])('%s by %s', (text, name, state, expected) => {
		expect(remedyOf(text, name, state)).toBe(expected);
	});
});

describe('a look at the state before anything is sent', () => {
	const looked = (name: string, step: 'send' | 'recall' | 'unconfirmed', shown: object) =>
		explain(new ServiceFailure({ code: 'wrongState', step, shown }), situationOf(name));
	const sent = { status: 'sent', detailed_status: 'sent_to_signer' };

	test.each<[string, 'send' | 'recall' | 'unconfirmed', object, string, string]>([
		[
			'transaction/send',
			'send',
			sent,
			'The transaction is already sent (sent to signer)',
			`Nothing was changed. ${INVITE}`,
		],
		[
			'transaction/send',
			'send',
			{ status: 'completed' },
			'The transaction is over (completed)',
			`Nothing was changed. ${NEW_ONE}`,
		],
		[
			'transaction/delete',
			'unconfirmed',
			sent,
			'The transaction is already sent (sent to signer)',
			"Nothing was changed. To delete it all the same, turn on 'Delete Even if Sent': its signers lose it, with everything they have filled in",
		],
		[
			'transaction/recall',
			'unconfirmed',
			{ status: 'sent_to_closing_ops', detailed_status: 'order_placed' },
			'The transaction is already sent (with the closing team)',
			"Nothing was changed. To take it back from its signers, turn on 'Recall from Signers': until it's sent again, they can't sign. To correct a signer, use 'Transaction: Correct Signer'",
		],
		[
			'transaction/recall',
			'recall',
			{ status: 'started' },
			'The transaction is a draft',
			"Nothing was changed. There is nothing to recall: change it with 'Transaction: Update'",
		],
	])('%s, %s, %j', (name, step, shown, message, remedy) => {
		expect(looked(name, step, shown)).toEqual({ message, remedy });
	});
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
	[{ status: 'completed_with_rejections' }, 'completed with rejections'],
	[{ status: '', detailed_status: null }, undefined],
])('%j in words is %s', (shown, expected) => {
	expect(stateInWords(shown)).toBe(expected);
});

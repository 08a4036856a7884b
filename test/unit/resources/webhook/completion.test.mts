import {
	isOutdated,
	checkEvent,
} from '../../../../nodes/SignAndClose/resources/webhook/completion.ts';

describe('outdated', () => {
	test.each([
		['transaction.sent', { status: 'completed', detailed_status: 'complete' }, true],
		['transaction.sent', { status: 'sent', detailed_status: 'sent_to_signer' }, false],
		['transaction.sent', { status: 'started', detailed_status: 'recalled' }, true],
		[
			'transaction.completed',
			{ status: 'completed_with_rejections', detailed_status: 'complete_with_rejections' },
			false,
		],
		['transaction.recalled', { status: 'sent', detailed_status: 'sent_to_signer' }, true],
		['transaction.sent', { status: 'expired', detailed_status: 'expired' }, true],
		['transaction.expired', { status: 'expired', detailed_status: 'expired' }, false],
		['transaction.sent', { status: 'canceled', detailed_status: 'sent_to_signer' }, true],
		['transaction.completed', { status: 'sent', detailed_status: 'canceled' }, true],
		['transaction.canceled', { status: 'sent', detailed_status: 'canceled' }, false],
		['transaction.canceled', { status: 'canceled' }, false],
		['transaction.canceled', { status: 'started', detailed_status: 'recalled' }, true],
		[
			'transaction.completed',
			{ status: 'partially_completed', detailed_status: 'partially_complete' },
			false,
		],
		['transaction.document.upload', { status: 'completed' }, undefined],
		['transaction.sent', { status: 'something_new' }, undefined],
		['transaction.sent', {}, undefined],
		['transaction.created', { status: 'started', detailed_status: 'draft' }, false],
		['transaction.recalled', { status: 'started', detailed_status: 'recalled' }, false],
		['transaction.document.upload', { status: 'started', detailed_status: 'draft' }, undefined],
		['toString', { status: 'sent' }, undefined],
		['transaction.sent', { status: 'toString' }, undefined],
	])('%s while %j: %s', (event, transaction, expected) => {
		expect(isOutdated(event, transaction)).toBe(expected);
	});
});

describe('an event that certainly comes from the service', () => {
	const sent = { status: 'sent', detailed_status: 'sent_to_signer' };
	const draft = { status: 'started', detailed_status: 'draft' };
	const completed = { status: 'completed', detailed_status: 'complete' };
	test.each([
		['transaction.completed', sent, "The transaction has the status 'sent'"],
		['transaction.completed', { status: 'partially_completed' }, /'partially_completed'$/],
		['transaction.completed', draft, /'started'$/],
		['transaction.completed', { status: 'expired', detailed_status: 'expired' }, /'expired'$/],
		['transaction.completed', { status: 'declined' }, /'declined'$/],
		['transaction.released', { status: 'expired' }, /'expired'$/],
		['transaction.completed', { status: 'canceled' }, /'canceled'$/],
		['transaction.completed', { status: 'sent', detailed_status: 'canceled' }, /'sent'$/],
		['transaction.canceled', sent, /'sent'$/],
		['transaction.expired', { status: 'declined' }, /'declined'$/],
		// What isn't known here isn't the state that the event names.
		['transaction.completed', { status: 'something_new' }, /'something_new'$/],
		['transaction.completed', { status: 'toString' }, /'toString'$/],
		['transaction.completed', {}, "The service doesn't show the transaction's status"],
		['transaction.completed', { detailed_status: 'viewed' }, /'viewed'$/],
		['transaction.completed_with_rejections', sent, /'sent'$/],
		['transaction.released', sent, /'sent'$/],
		['transaction.expired', sent, /'sent'$/],
		['transaction.expired', completed, /'completed'$/],
		['transaction.deleted', sent, 'The service still has the transaction'],
	])('%s may be shown later while %j: %s', (event, transaction, said) => {
		expect(checkEvent(event, transaction, true)).toEqual({
			is: 'may',
			reason: expect.stringMatching(said),
		});
	});
	test.each([
		['transaction.completed', completed],
		['transaction.completed', { status: 'completed', detailed_status: 'awaiting_payment' }],
		// What the service says about rejections may differ from the event.
		['transaction.completed', { status: 'completed_with_rejections' }],
		['transaction.released', completed],
		['transaction.expired', { status: 'expired', detailed_status: 'expired' }],
		['transaction.completed', { detailed_status: 'wet_sign_complete' }],
		// States that may be skipped.
		['transaction.sent', draft],
		['transaction.received', sent],
		['transaction.partially_completed', sent],
		['transaction.declined', sent],
		['toString', sent],
	])('%s is confirmed while %j', (event, transaction) => {
		expect(checkEvent(event, transaction, true)).toEqual({ is: 'shown' });
	});
});

describe('an event that may be made up', () => {
	const sent = { status: 'sent', detailed_status: 'sent_to_signer' };
	const completed = { status: 'completed', detailed_status: 'complete' };
	const draft = { status: 'started', detailed_status: 'draft' };
	test.each([
		['transaction.created', draft],
		['transaction.sent', sent],
		// None comes to these states without having been sent.
		['transaction.sent', completed],
		['transaction.sent_to_signer', { status: 'received' }],
		['transaction.partially_completed', { status: 'partially_completed' }],
		['transaction.completed', completed],
		['transaction.expired', { status: 'expired' }],
		['transaction.recalled', { status: 'started', detailed_status: 'recalled' }],
		['transaction.declined', { status: 'sent', detailed_status: 'declined' }],
		['transaction.canceled', { status: 'sent', detailed_status: 'canceled' }],
		['transaction.sent_to_title_agency', { status: 'sent_to_title_agency' }],
	])('%s is confirmed while %j', (event, transaction) => {
		expect(checkEvent(event, transaction, false)).toEqual({ is: 'shown' });
	});
	test.each([
		['transaction.sent', draft, /'started'/],
		['transaction.sent', { status: 'expired' }, /'expired'/],
		['transaction.partially_completed', completed, /'completed'/],
		['transaction.recalled', draft, /'started'/],
		['transaction.declined', sent, /'sent'/],
		['transaction.sent_to_closing_ops', sent, /'sent'/],
	])('%s may be shown later while %j', (event, transaction, said) => {
		const shown = checkEvent(event, transaction, false);
		expect(shown).toEqual({ is: 'may', reason: expect.stringMatching(said) });
		expect(shown.reason).toMatch(/wasn't signed$/);
	});
	test.each([
		'transaction.released',
		'transaction.signer.kba_failed',
		'transaction.document.processed',
		'notary.compliant',
		'toString',
	])('%s is never shown', (event) => {
		expect(checkEvent(event, completed, false)).toEqual({
			is: 'never',
			reason: expect.stringMatching(/wasn't signed$/),
		});
	});
});

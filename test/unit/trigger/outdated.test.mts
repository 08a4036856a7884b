import { describe, expect, test } from '@jest/globals';

import { isOutdated } from '../../../nodes/SignAndClose/trigger/events/outdated.ts';

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

import { describe, expect, test } from '@jest/globals';

import { createClosing } from '../../support/closing.mts';
import { deliver, event } from '../../support/delivery.mts';
import { credential, useSandbox } from '../../support/useSandbox.mts';

/** The selected events and the filters of the trigger. */

useSandbox();

describe('which events start the workflow', () => {
	test.each([
		[{ external_id: 'case-*' }, true],
		[{ external_id: 'CASE-118' }, true],
		[{ external_id: 'case' }, false],
		[{ external_id: '*-118' }, true],
		[{ external_id: 'c*8*9' }, false],
		[{ platform: 'realEstate' }, true],
		[{ platform: 'business' }, false],
		[{ transaction_type: 'refinance' }, true],
		[{ transaction_type: 'heloc' }, false],
		[{ organization_id: 'or_harbor' }, true],
		[{ organization_id: 'or_harbor_branch' }, false],
	])('%j: %s, with status 200 either way', async (filters, passed) => {
		const transactionId = await createClosing(credential(), {
			additionalFields: { external_id: 'case-118' },
		});
		const { status, item } = await deliver(event({ transaction_id: transactionId }), {
			parameters: { filters },
		});
		expect([status, item !== undefined]).toEqual([200, passed]);
	});
	test('an event that is not selected gets 200 and starts nothing; one of "Other Events" passes', async () => {
		expect(await deliver(event(), { parameters: { events: ['transaction.sent'] } })).toMatchObject({
			status: 200,
			item: undefined,
		});
		expect(
			(
				await deliver(event({}, 'transaction.archived'), {
					parameters: { events: [], options: { otherEvents: [' transaction.archived '] } },
				})
			).item,
		).toBeDefined();
	});
});

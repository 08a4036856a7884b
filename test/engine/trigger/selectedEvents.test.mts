import { describe, expect, test } from '@jest/globals';

import { deliver, event } from '../../support/delivery.mts';
import { useSandbox } from '../../support/useSandbox.mts';

/** The selected events of the trigger. */

useSandbox();

describe('which events start the workflow', () => {
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

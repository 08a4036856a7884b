import { expect, test } from '@jest/globals';

import { onlyRetry } from '../../../nodes/SignAndClose/run/onlyRetry.ts';
import { executionOf, processed } from '../../support/engine.mts';
import { thrownBy } from '../../support/live/client.mts';
import { choosing, madeUpOperation } from '../../support/madeUp/operation.mts';

/** Of all retries of an execution, one may write. */

const operation = madeUpOperation({ kind: 'write' });
const contextOf = executionOf({ operations: [operation], parameters: choosing(operation) });
const use = async (execution: string) => await onlyRetry.use(contextOf(), execution);

test('the first one may, and no other, also when they come at the same time', async () => {
	expect(await Promise.all(['7', '7', '8', '7'].map(use))).toEqual([true, false, true, false]);
	expect(await use('7')).toBe(false);
});

test('nothing is sent if n8n can not store that, and the next one may', async () => {
	const original = processed.checkProcessedAndRecord;
	processed.checkProcessedAndRecord = async () => await Promise.reject(new Error('locked'));
	try {
		expect(await thrownBy(use('9'))).toMatchObject({
			message: expect.stringMatching(/so nothing was sent$/),
		});
	} finally {
		processed.checkProcessedAndRecord = original;
	}
	expect(await use('9')).toBe(true);
});

import { expect, test } from '@jest/globals';

import type { TriggerParameters } from '../../../nodes/SignAndClose/trigger/parameters.ts';
import { isWanted } from '../../../nodes/SignAndClose/trigger/webhook.ts';

/** Which events the filters stop: only those whose transaction is known. */

const settings = { filters: { transaction_type: 'refinance' } } as unknown as TriggerParameters;

test.each([
	[
		'a matching transaction',
		{ kind: 'confirmed', transaction: { transaction_type: 'refinance' } },
		true,
	],
	['another transaction', { kind: 'confirmed', transaction: { transaction_type: 'heloc' } }, false],
	['a transaction that is gone', { kind: 'confirmed' }, true],
	['a transaction that could not be retrieved', { kind: 'unconfirmed', reason: 'gone' }, true],
] as const)('%s (%j): the event passes: %s', (_name, confirmation, expected) => {
	expect(isWanted(confirmation, settings)).toBe(expected);
});

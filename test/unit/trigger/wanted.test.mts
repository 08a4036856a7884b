import { expect, test } from '@jest/globals';

import type { TriggerParameters } from '../../../nodes/SignAndClose/trigger/parameters.ts';
import { isWanted } from '../../../nodes/SignAndClose/trigger/webhook.ts';

/** Which events the filters stop: no event passes filters that couldn't be applied. */

const settings = { filters: { transaction_type: 'refinance' } } as unknown as TriggerParameters;

test.each([
	[
		'a matching transaction',
		{ kind: 'confirmed', transaction: { transaction_type: 'refinance' } },
		true,
	],
	['another transaction', { kind: 'confirmed', transaction: { transaction_type: 'heloc' } }, false],
	['a transaction that is gone', { kind: 'confirmed' }, false],
	['a transaction that could not be retrieved', { kind: 'unconfirmed', reason: 'gone' }, false],
	[
		'a matching transaction that contradicts the event',
		{ kind: 'unconfirmed', reason: 'sent', transaction: { transaction_type: 'refinance' } },
		true,
	],
	[
		'another transaction that contradicts the event',
		{ kind: 'unconfirmed', reason: 'sent', transaction: { transaction_type: 'heloc' } },
		false,
	],
] as const)('%s (%j): the event passes: %s', (_name, confirmation, expected) => {
	expect(isWanted(confirmation, settings)).toBe(expected);
});

test('without filters, an event passes whose transaction could not be retrieved', () => {
	const none = { filters: { external_id: '' } } as unknown as TriggerParameters;
	expect(isWanted({ kind: 'unconfirmed', reason: 'gone' }, none)).toBe(true);
	expect(isWanted({ kind: 'confirmed' }, none)).toBe(true);
});

import { expect, test } from '@jest/globals';

import { eventOptions } from '../../../nodes/SignAndClose/fields/shared/eventOptions.ts';
import { EVENTS } from '../../../sandbox/domain/webhooks/events.mts';

test('every event of the service can be chosen, sorted by name', () => {
	const options = eventOptions();
	expect(
		options
			.map(({ value }) => value)
			.filter((value) => !String(value).endsWith('*'))
			.sort(),
	).toEqual([...EVENTS.transaction, ...EVENTS.notary].sort());
	expect(options.map(({ name }) => name)).toEqual(
		[...options.map(({ name }) => name)].sort((a, b) => a.localeCompare(b)),
	);
	expect(options.every(({ description }) => (description ?? '').length > 10)).toBe(true);
});

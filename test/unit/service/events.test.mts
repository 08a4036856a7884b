import { expect, test } from '@jest/globals';

import {
	eventOptions,
	isChosen,
	toSubscriptions,
} from '../../../nodes/SignAndClose/service/resources/events.ts';
import { EVENTS } from '../../../sandbox/domain/webhooks.mts';

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

test('a wildcard selects the events it covers and replaces them in a subscription', () => {
	expect(isChosen('transaction.sent', ['transaction.*'])).toBe(true);
	expect(isChosen('notary.created', ['transaction.*'])).toBe(false);
	expect(isChosen('transactional.x', ['transaction.*'])).toBe(false);
	expect(isChosen('anything', ['*'])).toBe(true);
	expect(toSubscriptions(['*', 'transaction.sent'])).toEqual(['*']);
	expect(toSubscriptions(['b', 'a', 'b'])).toEqual(['a', 'b']);
	expect(toSubscriptions(['transaction.*', 'transaction.sent', 'notary.created'])).toEqual([
		'notary.created',
		'transaction.*',
	]);
	expect(toSubscriptions(['*', 'transaction.*'])).toEqual(['*']);
});

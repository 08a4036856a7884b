import { expect, test } from '@jest/globals';
import fc from 'fast-check';

import {
	eventOptions,
	isChosen,
	toSubscriptions,
} from '../../nodes/SignAndClose/service/resources/events.ts';
import {
	isSameSecret,
	newSecret,
	withoutSecret,
	withSecret,
} from '../../nodes/SignAndClose/trigger/authenticity/callbackSecret.ts';
import { EVENTS } from '../../sandbox/domain/webhooks.mts';

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

test('wildcards choose what they say', () => {
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

test('secrets: equal only to themselves, whatever is given', () => {
	const secret = newSecret();
	expect(isSameSecret(secret, secret)).toBe(true);
	fc.assert(
		fc.property(
			fc.anything(),
			(given) =>
				isSameSecret(given, secret) === false &&
				isSameSecret(given, '') === false &&
				isSameSecret(given, undefined) === false,
		),
	);
	expect(new Set(Array.from({ length: 50 }, newSecret)).size).toBe(50);
});

test('the secret is put into the address and taken out of it again', () => {
	const address = 'https://n8n.example.com/webhook/abc/events';
	expect(withoutSecret(withSecret(address, newSecret()))).toBe(address);
	expect(withoutSecret('not an address')).toBe('');
});

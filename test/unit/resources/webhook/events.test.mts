import { expect, test } from '@jest/globals';

import {
	isChosen,
	toSubscriptions,
} from '../../../../nodes/SignAndClose/resources/webhook/events.ts';

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

test('the older singular name is subscribed to and selected as the plural', () => {
	const [older, newer] = [
		'transaction.completed_with_rejection',
		'transaction.completed_with_rejections',
	];
	expect(toSubscriptions([older, newer])).toEqual([newer]);
	expect(isChosen(older, [newer])).toBe(true);
	expect(isChosen(newer, [older])).toBe(true);
});

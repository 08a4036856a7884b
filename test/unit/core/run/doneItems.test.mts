import { expect, test } from '@jest/globals';

import { describeDone } from '../../../../nodes/SignAndClose/core/run/doneItems.ts';

/** How a run that stopped names the items that are done. */

test.each([
	[[0], 'Item 1 is done: leave it out if you run the workflow again'],
	[[0, 1], 'Items 1 and 2 are done: leave them out if you run the workflow again'],
	[[0, 1, 2, 3, 5], 'Items 1 to 4 and 6 are done: leave them out if you run the workflow again'],
	[
		[0, 2, 3, 6, 7, 8],
		'Items 1, 3, 4 and 7 to 9 are done: leave them out if you run the workflow again',
	],
])('%j', (indexes, sentence) => {
	expect(describeDone(indexes)).toBe(sentence);
});

test('nothing is said when none is done', () => {
	expect(describeDone([])).toBeUndefined();
});

test('of very many groups, only the first are listed', () => {
	const odd = Array.from({ length: 30 }, (_, index) => 2 * index);
	expect(describeDone(odd)).toMatch(/^Items 1, 3, .*, 39 and 10 others are done: /);
});

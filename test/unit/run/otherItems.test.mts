import { expect, test } from '@jest/globals';

import { describeOthers, type OtherItems } from '../../../nodes/SignAndClose/run/otherItems.ts';

/** How a run that stopped at one item names the others that have written, or may have. */

const describe = (others: Partial<OtherItems>) =>
	describeOthers({ done: [], unknown: [], halfDone: [], ...others });

const item = (index: number) => ({ index, message: `Cut ${index}`, remedy: 'Look it up' });
const many = (count: number) => Array.from({ length: count }, (_, index) => item(index));

const AGAIN = "If such an item wasn't done, run the workflow again for it alone";

test.each([
	[[0], 'Item 1 is done: leave it out if you run the workflow again'],
	[[0, 1], 'Items 1 and 2 are done: leave them out if you run the workflow again'],
	[[0, 1, 2, 3, 5], 'Items 1 to 4 and 6 are done: leave them out if you run the workflow again'],
	[
		[0, 2, 3, 6, 7, 8],
		'Items 1, 3, 4 and 7 to 9 are done: leave them out if you run the workflow again',
	],
])('%j', (done, sentence) => {
	expect(describe({ done })).toBe(sentence);
});

test('nothing is said when no other item has written anything', () => {
	expect(describe({})).toBeUndefined();
});

test('each item that is unknown or half done has a sentence, with what to do', () => {
	expect(describe({ done: [2], unknown: [item(1), item(4)], halfDone: [item(3)] })).toBe(
		'Item 3 is done: leave it out if you run the workflow again. ' +
			'The outcome of item 2 is unknown: Cut 1. Look it up. ' +
			'The outcome of item 5 is unknown: Cut 4. Look it up. ' +
			`${AGAIN}. ` +
			'Item 4 is half done: Cut 3. Look it up',
	);
});

test('a message without a remedy ends the sentence', () => {
	expect(describe({ unknown: [{ ...item(1), remedy: '' }] })).toBe(
		`The outcome of item 2 is unknown: Cut 1. ${AGAIN}`,
	);
});

test('of very many groups that are done, all are named', () => {
	const done = Array.from({ length: 30 }, (_, index) => 2 * index);
	expect(describe({ done })).toMatch(/^Items 1, 3, .*, 57 and 59 are done: leave them out/);
});

test.each([
	[
		'unknown',
		{ unknown: many(22) },
		`The outcome of item 20 is unknown: Cut 19. Look it up. So is that of items 21 and 22. ${AGAIN}`,
	],
	[
		'unknown, one more',
		{ unknown: many(21) },
		`The outcome of item 20 is unknown: Cut 19. Look it up. So is that of item 21. ${AGAIN}`,
	],
	[
		'half done, one more',
		{ halfDone: many(21) },
		'Item 20 is half done: Cut 19. Look it up. So is item 21',
	],
	[
		'half done',
		{ halfDone: many(23) },
		'Item 20 is half done: Cut 19. Look it up. So are items 21 to 23',
	],
])('of very many that are %s, the last have their numbers only', (_state, others, end) => {
	expect(describe(others)!.endsWith(`. ${end}`)).toBe(true);
});

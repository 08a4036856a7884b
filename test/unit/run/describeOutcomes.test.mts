import type { ItemOutcome } from '../../../nodes/SignAndClose/run/write/memory.ts';
import { describeOutcomes } from '../../../nodes/SignAndClose/run/write/outcomes.ts';

/** How a run that stopped at one item names the others that have written, or may have. */

const DONE: ItemOutcome = { state: 'done', results: [] };
const UNKNOWN: ItemOutcome = {
	state: 'unknown',
	lostAt: 0,
	message: 'It was cut, so the outcome is unknown',
	remedy: '',
	check: 'Look it up',
};
const HALF_DONE: ItemOutcome = { state: 'halfDone', message: 'It was cut', remedy: 'Go on' };

test.each([
	[[], ''],
	[[0], 'Item 1 is done: leave it out'],
	[[0, 1], 'Items 1 and 2 are done: leave them out'],
	[[0, 1, 2, 3, 5], 'Items 1 to 4 and 6 are done: leave them out'],
	[[0, 2, 3, 6, 7, 8], 'Items 1, 3, 4 and 7 to 9 are done: leave them out'],
])('%j that are done', (indexes, sentence) => {
	const again = sentence === '' ? '' : ' if you run the workflow again';
	expect(describeOutcomes(indexes.map((index) => [index, DONE]))).toBe(`${sentence}${again}`);
});

test('items are rows by the numbers of a sheet, and those that are found again need not be left out', () => {
	const found: ItemOutcome = { state: 'done', results: [{ json: {}, isFoundAgain: true }] };
	const outcomes: Array<[number, ItemOutcome]> = [
		[0, found],
		[1, found],
		[2, DONE],
		[3, HALF_DONE],
	];
	expect(describeOutcomes(outcomes, [4, 5, 6, 9])).toBe(
		'Rows 4 and 5 are done, and found if you run the workflow again. ' +
			'Row 6 is done: leave it out if you run the workflow again. ' +
			'Row 9 is half done: It was cut. Go on',
	);
});

test('each item that is unknown or half done has a sentence, with what to do', () => {
	const outcomes: Array<[number, ItemOutcome]> = [
		[1, UNKNOWN],
		[2, DONE],
		[3, HALF_DONE],
		[4, UNKNOWN],
	];
	expect(describeOutcomes(outcomes)).toBe(
		'Item 3 is done: leave it out if you run the workflow again. ' +
			'The outcome of item 2 is unknown: It was cut. Look it up. ' +
			'Item 4 is half done: It was cut. Go on. ' +
			'The outcome of item 5 is unknown: It was cut. Look it up. ' +
			"If an item whose outcome is unknown wasn't done, run the workflow again for it alone",
	);
});

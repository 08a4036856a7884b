import {
	joinQuoted,
	joinWithAnd,
	joinSentences,
	withArticle,
} from '../../../nodes/SignAndClose/values/words.ts';

/** How messages join words. */

test('only the sentences that there are become a text', () => {
	expect(joinSentences('One', undefined, false, '', null, 'Two')).toBe('One. Two');
	expect(joinSentences(undefined)).toBe('');
});

test('the last part of a list follows "and"', () => {
	expect(joinWithAnd([])).toBe('');
	expect(joinWithAnd([2])).toBe('2');
	expect(joinWithAnd(['a', 'b', 'c'])).toBe('a, b and c');
});

test('each name of a list is in quotes', () =>
	expect(joinQuoted(['Loan Number', 'Type'])).toBe("'Loan Number', 'Type'"));

test.each([
	['notary', 'a notary'],
	['order', 'an order'],
	['unit', 'a unit'],
	['user', 'a user'],
	['unknown party', 'an unknown party'],
	['XML file', 'an XML file'],
])('%s has the article of its sound', (word, expected) => expect(withArticle(word)).toBe(expected));

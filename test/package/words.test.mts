import { expect, test } from 'vitest';

import { descriptionTexts, type DescriptionText } from '../support/descriptionTexts.mts';

/**
 * Rules of wording for every text that a user can read in the descriptions of the nodes and the
 * credential. They pin n8n's voice, not the sentences. A rule that is broken lists the texts.
 */

const texts = descriptionTexts();
/**
 * Keys of texts that explain, which the rule about periods is for. Messages end without a period,
 * as those of a failed execution do.
 */
const EXPLAINING = ['description', 'hint', 'notice'];
/** Fields whose placeholder is an example; that of a collection is its button. */
const TYPED = ['string', 'number', 'json', 'dateTime'];

/** The texts that break a rule, each with its place. */
const breaking = (rule: (entry: DescriptionText) => boolean) =>
	texts.filter((entry) => !rule(entry)).map(({ where, text }) => `${where}: ${text}`);
const expectNone = (pattern: RegExp) =>
	expect(breaking(({ text }) => !pattern.test(text))).toEqual([]);

/** Without HTML and without full stops that end no sentence. */
function plain(text: string): string {
	return text
		.replace(/<br ?\/?>/g, '\n')
		.replace(/<[^>]+>/g, '')
		.replace(/\b(e\.g|i\.e|etc)\./g, (short) => short.replaceAll('.', ''))
		.replace(/\.\.\.(?=\s+[A-Z])/g, '.')
		.replaceAll('...', '');
}

/** One sentence has no final period; each of several has one. */
function endsRight(text: string): boolean {
	const lines = plain(text)
		.split('\n')
		.map((line) => line.trim())
		.filter((line) => line !== '');
	const several = lines.length > 1 || /[.!?]['")]?\s+\S/.test(lines[0] ?? '');
	return lines.every((line) => /[.!?]['")]?$/.test(line) === several);
}

test('texts of all kinds are found', () => {
	const keys = new Set(texts.map(({ key }) => key));
	for (const key of [...EXPLAINING, 'displayName', 'name', 'action', 'placeholder', 'message'])
		expect([key, keys.has(key)]).toEqual([key, true]);
	expect(texts.length).toBeGreaterThan(500);
});

test('one sentence has no final period, each of several sentences has one', () => {
	expect(breaking(({ key, text }) => !EXPLAINING.includes(key) || endsRight(text))).toEqual([]);
});

test('"can\'t", neither "can not" nor "cannot"', () => expectNone(/\bcan ?not\b/i));

test('"email", not "e-mail"', () => expectNone(/\be-mail/i));

test('"workflow", not "flow"', () => expectNone(/\bflows?\b/i));

test('no word of blame', () => expectNone(/\b(error|problem|failure|mistake)s?\b/i));

test('no double spaces', () => expectNone(/ {2}/));

test('the description of a boolean starts with "Whether"', () => {
	expect(
		breaking(
			({ key, fieldType, text }) =>
				key !== 'description' || fieldType !== 'boolean' || text.startsWith('Whether '),
		),
	).toEqual([]);
	// A boolean without a description would pass above.
	const named = (key: string) =>
		texts.filter((entry) => entry.fieldType === 'boolean' && entry.key === key).length;
	expect(named('description')).toBeGreaterThanOrEqual(named('displayName'));
});

test('the placeholder of a field that is typed in starts with "e.g. "', () => {
	expect(
		breaking(
			({ key, fieldType, text }) =>
				key !== 'placeholder' || !TYPED.includes(fieldType ?? '') || text.startsWith('e.g. '),
		),
	).toEqual([]);
});

import { operations } from '../../nodes/SignAndClose/resources/index.ts';
import { ROW_FIELDS } from '../../nodes/SignAndClose/resources/transaction/sheet/rowFields.ts';
import { RESOURCES } from '../../nodes/SignAndClose/run/operation.ts';
import { descriptionTexts, type DescriptionText } from '../../scripts/texts/descriptionTexts.mts';
import { sourceTexts } from '../../scripts/texts/sourceTexts.mts';

/**
 * Rules of wording for every text that a user can read: those in the descriptions of the nodes and
 * the credential, which are partly made of names of the service, and messages, hints and log lines.
 * They pin n8n's voice, not the sentences. A rule that is broken lists the texts.
 */

const texts = descriptionTexts();
const everyText = [...texts, ...sourceTexts()];
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
/** Expects a pattern nowhere, messages included. */
const expectNone = (pattern: RegExp) =>
	expect(
		everyText
			.filter(({ text }) => pattern.test(text))
			.map(({ where, text }) => `${where}: ${text}`),
	).toEqual([]);

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

// n8n has a setting 'On Error'.
test('no word of blame', () => expectNone(/(?<!'On )\b(error|problem|failure|mistake)s?\b/i));

test('what is unknown is said so, without "nobody knows"', () =>
	expectNone(/\bnobody (?:knows|can tell|says)\b|\b(?:isn't|aren't) (?:certain|known)\b/i));

/** What models read, and what only has the names of fields. */
const OF_MODELS = /\/(?:builderHints|toolForm|unknownFields)\.ts/;
/** JSON, expressions, placeholders, what an output is called. */
const EXACT = /"[^"]*"|\{[^}]*\}+|'\w+'|\be\.g\. .*/g;

test('messages name fields by their labels', () =>
	expect(
		sourceTexts()
			.filter(({ where }) => !OF_MODELS.test(where))
			.map(({ where, text }) => ({ where, text: text.replace(EXACT, '') }))
			.filter(({ text }) => /\b[a-z]+(?:_[a-z]+)+\b/.test(text))
			.map(({ where, text }) => `${where}: ${text}`),
	).toEqual([]));

/** What is read at a glance, in n8n's tooltips and below fields. */
const MOST_CHARACTERS = 180;

test(`no description, hint, notice or message of a form has more than ${MOST_CHARACTERS} characters`, () => {
	expect(
		breaking(
			({ key, text }) =>
				![...EXPLAINING, 'message'].includes(key) || plain(text).length <= MOST_CHARACTERS,
		),
	).toEqual([]);
});

test('no double spaces, and one period at the end of a sentence', () =>
	expectNone(/ {2}|(?<!\.)\.\.(?!\.)/));

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

/** What n8n itself calls things of its editor. */
const OF_N8N = ['Expression', 'On Error', 'On form submission', 'Refresh List', 'Response Format'];
/** Texts about sheets have examples of headings. */
const isOfSheet = /\/transaction\/sheet\//;

test('what stands in quotes is the name of a field, a choice, an operation or a node', () => {
	const named = texts.filter(({ key }) => ['displayName', 'name'].includes(key));
	const known = new Set([
		// A list of events says the group first.
		...named.flatMap(({ text }) => [text, text.replace(/^[\w ]+: /, '')]),
		...operations.map(({ resource, name }) => `${RESOURCES[resource]}: ${name}`),
		...ROW_FIELDS.closing.map(({ displayName }) => displayName),
		...OF_N8N,
	]);
	const unknown = everyText.flatMap(({ where, text }) =>
		[...text.matchAll(/(?<!\w)'((?:[A-Z]|e[A-Z])[^'\n{}]{1,60})'(?!\w)/g)]
			.filter(([, name]) => !known.has(name) && !isOfSheet.test(where))
			.map(([, name]) => `${where}: ${name}`),
	);
	expect(unknown).toEqual([]);
});

/** The word for a thing, and the others that it has in the service or elsewhere. */
const ONE_WORD: Array<[word: string, others: RegExp]> = [
	['closing team', /\bclosing ops\b/i],
	['signing link', /\baccess links?\b/i],
	['delivery', /\b(?:calls?|called|attempts?)\b/i],
	['text message (SMS)', /(?<!text message \()(?<!Text Message \()\bSMS\b/],
	['title underwriter', /(?<!title |\.)\bunderwriters?\b/i],
	['identity checks', /\bassurance\b|\bautomat\w+ checks?\b|\bidentity confirmation\b/i],
	['expiration', /\b(?:[Ee]xpiry|Expires|[Ee]xpiration [Tt]ime)\b/],
];

test.each(ONE_WORD)('one word for one thing: %s', (_word, others) => expectNone(others));

test('rows are those of a sheet; lists of the form have entries', () => {
	// An error names its row where the items of the run have numbers of rows.
	const mayBeOfSheet = /sheet\/source\.ts|messages\/nodeError\.ts|> Fields From >/;
	expect(
		everyText
			.filter(({ text }) => /\brows?\b/i.test(text))
			.filter(({ where }) => !isOfSheet.test(where) && !mayBeOfSheet.test(where))
			.map(({ where, text }) => `${where}: ${text}`),
	).toEqual([]);
});

/** Labels and names of choices, in which words begin with capitals. */
const isTitle = ({ key, text }: DescriptionText) =>
	['displayName', 'name', 'multipleValueButtonText'].includes(key) && / /.test(text);
const SMALL_WORDS = /^(?:a|an|and|as|at|but|by|for|if|in|nor|of|on|or|per|the|to|via|with)$/i;

test('in labels, small words are small, except at the beginning and the end', () => {
	expect(
		breaking((entry) => {
			if (!isTitle(entry)) return true;
			// A part after a colon or in parentheses begins anew.
			return entry.text.split(/: |[()]/).every((part) => {
				const words = part.trim().split(/[\s,]+/);
				return words.slice(1, -1).every((word) => !SMALL_WORDS.test(word) || /^[a-z]/.test(word));
			});
		}),
	).toEqual([]);
});

test('labels made of names of the service read like those that somebody wrote', () => {
	const isLabel = ({ key }: DescriptionText) => key === 'displayName' || key === 'name';
	// A number glued to its word, a person named twice, and a prefix that stands alone.
	const isMade = /\b(?!Base64)[A-Za-z]+\d|\b(Notary|Signer): \1\b|\bNon [A-Z]|_/;
	expect(breaking((entry) => !isLabel(entry) || !isMade.test(entry.text))).toEqual([]);
});

/** Words that begin with another sound than with their letter. */
const LIKE_CONSONANTS = 'URL|US|UUID|one|uni|usual|use';
const LIKE_VOWELS = 'hour|HTML|SMS|XML|[FHLMNRSX]\\b';

test('"a" before a consonant, "an" before a vowel, and a word for both before what is filled in', () => {
	expectNone(new RegExp(`\\ba ['"]?(?:(?!${LIKE_CONSONANTS})[aeiou]|${LIKE_VOWELS})`, 'i'));
	expectNone(new RegExp(`\\ban ['"]?(?:(?!${LIKE_VOWELS})[^aeiou'"<]|${LIKE_CONSONANTS})`, 'i'));
	expectNone(/\ban? ['"]?\{\}/);
});

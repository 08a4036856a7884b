import { signerLocator, transactionLocator } from '../../../nodes/SignAndClose/form/locators.ts';
import { forEachCase } from '../../support/forEachCase.mts';
import { complaintOf, formOf } from '../../support/madeUp/params.mts';

/** Resource locators, parsed through n8n's own context: in all modes, and with pasted links. */

const paramsOf = formOf([transactionLocator, signerLocator]);
const chosen = (value: unknown, mode = 'id') => ({ __rl: true, mode, value });
const LINK = 'https://api.example.com/mortgage/v2/transactions/ot_1/documents?x=1';
const NO_LINK = 'https://example.com/somewhere';

/** What the locator of the transaction holds. */
const parse = (transactionId: unknown) =>
	paramsOf({ transactionId: transactionId as never }).getLocator('transactionId');
const parseInner = (value: unknown) => paramsOf({}).parseLocator('transactionId', value);

describe.each(['id', 'list', 'url', 'new'])('a locator in the mode %s', (mode) => {
	test.each([
		[' ot_1 ', 'ot_1'],
		[7001, '7001'],
		[LINK, 'ot_1'],
		[LINK.toUpperCase().replace('/TRANSACTIONS/OT_1', '/transactions/ot_1'), 'ot_1'],
		['http://127.0.0.1/transactions/or%20%26%202', 'or & 2'],
		// Only what begins like a link is one.
		['ot_https://x', 'ot_https://x'],
		[' ', undefined],
		[null, undefined],
		['={{ undefined }}', undefined],
	])('that holds %j is %j', (value, id) => {
		expect(parse(chosen(value, mode))).toBe(id);
	});
	test.each([NO_LINK, 'HTTP://example.com/transactions/', '={{ ({ a: 1 }) }}'])(
		'that holds %s is refused, with what to do',
		(value) => {
			expect(complaintOf(() => parse(chosen(value, mode)))).toMatch(
				/^'Transaction' (holds a link without an ID: .*enter the ID alone|must be text)/,
			);
		},
	);
});

test.each([
	['={{ "ot_1" }}', 'ot_1'],
	[`={{ ${JSON.stringify(LINK)} }}`, 'ot_1'],
	['={{ null }}', undefined],
])('a locator that is an expression as a whole (%s) is %j', (value, id) => {
	expect(parse(value)).toBe(id);
});

test('a locator that takes no links may hold one as its ID', () => {
	const signerId = chosen('https://example.com/jane');
	expect(paramsOf({ signerId }).getLocator('signerId')).toBe('https://example.com/jane');
});

test('an ID has up to a thousand characters that can be sent; a longer one is not repeated', () => {
	const longest = 'x'.repeat(1000);
	expect(parse(chosen(longest))).toBe(longest);
	expect(complaintOf(() => parse(chosen(`${longest}y`)))).toMatch(
		/^'Transaction' has 1001 characters, which isn't an ID\. Choose one/,
	);
	forEachCase(['ot\n1', `x\n${'x'.repeat(998)}`], (value) =>
		expect(complaintOf(() => parse(chosen(value)))).toContain(`is '${value}', which isn't an ID`),
	);
});

test('a required locator is refused when it is empty', () => {
	const required = (value: object) => paramsOf(value as never).getRequiredLocator('transactionId');
	expect(required({ transactionId: chosen(LINK) })).toBe('ot_1');
	expect(complaintOf(() => required({ transactionId: chosen('') }))).toMatch(
		/^'Transaction' is empty\. Choose one/,
	);
	expect(
		complaintOf(() => required({ transactionId: chosen('={{ $json.transaction_id }}') })),
	).toBe(
		"'Transaction' is empty: its expression {{ $json.transaction_id }} gives nothing for this item. Choose one from the list or enter its ID. To take it from the workflow, put this node after one that outputs it",
	);
});

describe('a locator in a collection', () => {
	test.each([
		[chosen('ot_1', 'list'), 'ot_1'],
		[chosen(LINK, 'url'), 'ot_1'],
		[LINK, 'ot_1'],
		[undefined, undefined],
		[chosen(''), undefined],
		// n8n adds a list to a collection without the mark of a locator.
		[{ mode: 'list', value: '' }, undefined],
		[{ mode: 'id', value: 'ot_1' }, 'ot_1'],
	])('that is %j is %j', (value, id) => {
		expect(parseInner(value)).toBe(id);
	});
	test.each([{ __rl: false, value: 'ot_1' }, [], chosen(NO_LINK)])(
		'that is %j is refused',
		(value) => {
			expect(() => parseInner(value)).toThrow(/^'Transaction' (must be text|holds a link)/);
		},
	);
});

import { describe, expect, test } from '@jest/globals';

import {
	signerLocator,
	transactionLocator,
} from '../../../../nodes/SignAndClose/resources/shared/locators.ts';
import { complaintOf, formOf } from '../../../support/madeUp/params.mts';

/** Resource locators, read through n8n's own context: in all modes, and with pasted links. */

/** A form with both. */
const paramsOf = formOf([transactionLocator, signerLocator]);
/** The form with nothing filled in. */
const empty = () => paramsOf({});

const chosen = (value: unknown, mode = 'id') => ({ __rl: true, mode, value });
const LINK = 'https://api.example.com/mortgage/v2/transactions/ot_1/documents?x=1';
const PASTE = 'Paste a link that goes on after /transactions/, or enter the ID alone';
const NO_ID = 'Choose one from the list or enter its ID';

/** What the locator of the transaction holds. */
const read = (transactionId: object | string) =>
	paramsOf({ transactionId: transactionId as never }).locator('transactionId');

describe.each(['id', 'list', 'url', 'unheardOf'])('a locator in the mode %s', (mode) => {
	test.each([
		['ot_1', 'ot_1'],
		[' ot_1 ', 'ot_1'],
		[7001, '7001'],
		[LINK, 'ot_1'],
		[LINK.toUpperCase().replace('/TRANSACTIONS/OT_1', '/transactions/ot_1'), 'ot_1'],
		['http://127.0.0.1/transactions/or%20%26%202', 'or & 2'],
		// Only what begins like a link is one.
		['ot_https://x', 'ot_https://x'],
		['', undefined],
		[' ', undefined],
		[null, undefined],
		['={{ undefined }}', undefined],
	])('that holds %j is %j', (value, id) => {
		expect(read(chosen(value, mode))).toBe(id);
	});
	test('that holds a link without an ID is refused', () => {
		for (const link of ['https://example.com/somewhere', 'HTTP://example.com/transactions/'])
			expect(complaintOf(() => read(chosen(link, mode)))).toBe(
				`'Transaction' holds a link without an ID: ${link}. ${PASTE}`,
			);
	});
	test('that holds an object is refused', () => {
		expect(complaintOf(() => read(chosen('={{ ({ a: 1 }) }}', mode)))).toBe(
			"'Transaction' must be text, but is an object. Point the expression to one of its fields",
		);
	});
});

describe('a locator', () => {
	test.each([
		['={{ "ot_1" }}', 'ot_1'],
		[`={{ ${JSON.stringify(LINK)} }}`, 'ot_1'],
		['={{ null }}', undefined],
	])('that is an expression as a whole (%s) is %j', (value, id) => {
		expect(read(value)).toBe(id);
	});
	test('that takes no links may hold one as its ID', () => {
		const signerId = chosen('https://example.com/jane');
		expect(paramsOf({ signerId }).locator('signerId')).toBe('https://example.com/jane');
	});
	test('of a thousand characters is read; a longer one is no ID, and is not repeated', () => {
		const longest = 'x'.repeat(1000);
		expect(read(chosen(longest))).toBe(longest);
		expect(complaintOf(() => read(chosen(`${longest}y`)))).toBe(
			`'Transaction' has 1001 characters, which isn't an ID. ${NO_ID}`,
		);
	});
	test('with a character that can not be sent is no ID, of any length', () => {
		expect(complaintOf(() => read(chosen('ot\n1')))).toBe(
			`'Transaction' is 'ot\n1', which isn't an ID. ${NO_ID}`,
		);
		const longest = `x\n${'x'.repeat(998)}`;
		expect(complaintOf(() => read(chosen(longest)))).toBe(
			`'Transaction' is '${longest}', which isn't an ID. ${NO_ID}`,
		);
	});
	test('that is required is read, or refused when it is empty', () => {
		const filled = paramsOf({ transactionId: chosen(LINK) });
		expect(filled.requiredLocator('transactionId')).toBe('ot_1');
		expect(complaintOf(() => empty().requiredLocator('transactionId'))).toBe(
			`'Transaction' is empty. ${NO_ID}. Enter a value. If it's an expression, check what it returns for this item`,
		);
	});
});

describe('a locator in a collection', () => {
	test.each([
		[chosen('ot_1', 'list'), 'ot_1'],
		[chosen(LINK, 'url'), 'ot_1'],
		[LINK, 'ot_1'],
		['ot_1', 'ot_1'],
		[undefined, undefined],
		[null, undefined],
		[chosen(''), undefined],
	])('that is %j is %j', (value, id) => {
		expect(empty().locatorOf('transactionId', value)).toBe(id);
	});
	test.each([{ mode: 'id', value: 'ot_1' }, { __rl: false, value: 'ot_1' }, { value: 'ot_1' }, []])(
		'that is %j is refused: the editor stores another shape',
		(value) => {
			expect(() => empty().locatorOf('transactionId', value)).toThrow(
				/^'Transaction' must be text, but is (an object|a list)$/,
			);
		},
	);
	test('that holds a link without an ID is refused', () => {
		const link = 'https://example.com/somewhere';
		expect(complaintOf(() => empty().locatorOf('transactionId', chosen(link)))).toBe(
			`'Transaction' holds a link without an ID: ${link}. ${PASTE}`,
		);
	});
});

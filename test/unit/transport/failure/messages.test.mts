import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';

import { isAboutPlatform } from '../../../../nodes/SignAndClose/transport/failure/wrongPlatform.ts';
import { extractMessages } from '../../../../nodes/SignAndClose/transport/failure/refusal.ts';

/** What is read of bodies at the limits of what is understood. */

describe('a complaint about a field', () => {
	test.each([
		// Names of fields that elsewhere say what is wrong.
		['description', 'email'],
		['name', 'title'],
		['reason', 'detail'],
		['error', 'field'],
	])('keeps the names %s and %s', (one, other) => {
		const errors = { [one]: 'is too long', [other]: ['is taken', 'is old'] };
		expect(extractMessages({ errors })).toEqual([
			`${one}: is too long`,
			`${other}: is taken`,
			`${other}: is old`,
		]);
	});
	test('under the name message is one about the request', () => {
		expect(extractMessages({ errors: { message: 'eNote Required' } })).toEqual(['eNote Required']);
		expect(extractMessages({ errors: { email: { message: 'is taken' } } })).toEqual([
			'email: is taken',
		]);
	});
	test('may be a number', () => {
		expect(extractMessages({ errors: [422, { field: 'zip', message: 7 }] })).toEqual([
			'422',
			'zip: 7',
		]);
	});
});

test.each<[string, unknown]>([
	['a text', { errors: 'eNote Required' }],
	['nothing beside a message', { errors: null, message: 'eNote Required' }],
	['nothing in a list', { errors: [null, undefined, 'eNote Required', null] }],
	['a list within lists', { errors: [[['eNote Required']]] }],
	['true and false', { errors: [true, 'eNote Required', false] }],
])('errors can be %s', (_what, body) => {
	expect(extractMessages(body)).toEqual(['eNote Required']);
});

test('what says nothing by its names is no complaint', () => {
	expect(extractMessages({ id: 'do_1', status: 422, email: 'a@b.example' })).toEqual([]);
	expect(extractMessages({ errors: true })).toEqual([]);
});

test('at most ten texts are read, and five levels', () => {
	const errors = Array.from({ length: 12 }, (_, index) => `text ${index}`);
	expect(extractMessages({ errors })).toEqual(errors.slice(0, 10));
	const lists = (levels: number) =>
		JSON.parse('['.repeat(levels) + '"x"' + ']'.repeat(levels)) as unknown;
	expect(extractMessages(lists(4))).toEqual(['x']);
	expect(extractMessages(lists(5))).toEqual([]);
	const objects = (levels: number) =>
		JSON.parse('{"error":'.repeat(levels) + '"x"' + '}'.repeat(levels)) as unknown;
	expect(extractMessages(objects(4))).toEqual(['x']);
	expect(extractMessages(objects(5))).toEqual([]);
	const fields = (levels: number) =>
		JSON.parse('{"errors":{"a":'.repeat(levels) + '"x"' + '}}'.repeat(levels)) as unknown;
	expect(extractMessages(fields(2))).toEqual(['a: x']);
	expect(extractMessages(fields(3))).toEqual([]);
	// A million of them takes no time.
	expect(extractMessages(lists(1_000_000))).toEqual([]);
});

describe('the XML of a storage', () => {
	const error = (inner: string) => `<Error>${inner}</Error>`;
	test.each([
		['alone', error('<Message>eNote Required</Message>')],
		['after blank lines', `\n\n\t${error('<Message>eNote Required</Message>')}`],
		[
			'right after its declaration',
			`<?xml version="1.0"?>${error('<Message>eNote Required</Message>')}`,
		],
		[
			'far after its declaration',
			`<?xml version="1.0"?>\r\n \n${error('<Message>eNote Required</Message>')}`,
		],
		['with an empty code', error('<Code></Code><Message>eNote Required</Message>')],
		['without a text', error('<Code>eNote Required</Code><Message></Message>')],
	])('is read %s', (_what, body) => {
		expect(extractMessages(body)).toEqual(['eNote Required']);
	});
	test.each([
		'It said <Code>7</Code> and <Message>8</Message>',
		'Quoted: <Error><Message>8</Message></Error>',
		'x<Error><Message>8</Message></Error>',
	])('is not taken out of the text %p', (body) => {
		expect(extractMessages(body)).toEqual([body]);
	});
	test('without code and text says nothing', () => {
		expect(extractMessages(error('<Code></Code><Message></Message>'))).toEqual([]);
	});
});

describe('a text', () => {
	test.each([
		'<!DOCTYPE html><p>x',
		' \n<html>',
		'\t<?xml version="1.0"?><a/>',
		'<p>x</p>',
		'<H1>',
		'<soap:Envelope xmlns="x"><Body>No</Body></soap:Envelope>',
		'<Error code="1"/>',
	])('%p is a web page, which says nothing', (text) => {
		expect(extractMessages({ error: text })).toEqual([]);
	});
	test.each([
		'<3 errors',
		'a <b> c',
		'a<b is wrong',
		'< html',
		'x\n<html>',
		'<jane@example.com> is no address',
		'<email> is taken',
		'<filename> has a <tag>',
	])('%p is none', (text) => {
		expect(extractMessages({ error: text })).toEqual([text.replace('\n', ' ')]);
	});
	test('of 600 characters is shown as it is, a longer one is cut', () => {
		expect(extractMessages({ error: 'x'.repeat(600) })).toEqual(['x'.repeat(600)]);
		expect(extractMessages({ error: 'x'.repeat(601) })).toEqual([`${'x'.repeat(600)}…`]);
	});
	test('loses its secrets before it is cut', () => {
		const secret = 'secret-of-this-test';
		const clean = (text: string) => text.replaceAll(secret, '***');
		fc.assert(
			fc.property(fc.integer({ min: 570, max: 610 }), (before) => {
				const [said] = extractMessages({ error: 'x'.repeat(before) + secret }, clean);
				expect(said).not.toMatch(/xs|sec/);
			}),
		);
	});
});

test('a refusal is about the platform by any of its texts', () => {
	for (const said of [
		'You must use the Business API for this',
		'must use the RealEstate API',
		'Feature not available in current tier',
	])
		expect(isAboutPlatform(['Bad request', said])).toBe(true);
	expect(isAboutPlatform(['Bad request'])).toBe(false);
	expect(isAboutPlatform([])).toBe(false);
});

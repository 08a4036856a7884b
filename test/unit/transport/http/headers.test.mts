import { describe, expect, test } from '@jest/globals';

import {
	endsWithConnection,
	header,
	isPart,
} from '../../../../nodes/SignAndClose/transport/http/headers.ts';

test('a header is its text, the first when it came several times', () => {
	const headers = { one: 'a', empty: '', several: ['b', 'c'], number: 5, none: undefined };
	expect(header(headers, 'one')).toBe('a');
	expect(header(headers, 'empty')).toBe('');
	expect(header(headers, 'several')).toBe('b');
	for (const name of ['number', 'none', 'other'])
		expect({ name, is: header(headers, name) }).toEqual({ name, is: undefined });
	expect(header(undefined, 'one')).toBeUndefined();
});

test.each<[boolean, Record<string, unknown>]>([
	[true, { 'content-type': 'application/json' }],
	[false, { 'content-type': 'application/json', 'content-length': '2' }],
	[false, { 'content-type': 'application/json', 'transfer-encoding': 'chunked' }],
	[false, { 'content-length': '2', 'transfer-encoding': 'chunked' }],
	// Where n8n gives none, nothing is known.
	[false, {}],
])('it is %p that only the connection tells the end of an answer with %j', (expected, headers) => {
	expect(endsWithConnection(headers)).toBe(expected);
});

describe('a file is a part of one', () => {
	const isPartWith = (range: string, status = 200) =>
		isPart({ status, headers: { 'content-length': '21', 'content-range': range } });
	test.each([
		'bytes 0-20/21',
		'bytes 0-20/20',
		'bytes 00-020/21',
		'bytes 0-20/*',
		'bytes */21',
		'bytes',
		'',
	])('not with %j', (range) => {
		expect(isPartWith(range)).toBe(false);
	});
	test.each([
		'bytes 0-19/21',
		'bytes 0-0/21',
		'bytes 1-20/21',
		'bytes 10-20/21',
		'bytes 9-99/100',
		'bytes 0-9/100',
		'bytes 10-20/*',
		'bytes 0-11/21, bytes 0-11/21',
	])('with %j', (range) => {
		expect(isPartWith(range)).toBe(true);
	});
	test('with the status that says so, unless the range is the whole', () => {
		expect(isPart({ status: 206, headers: {} })).toBe(true);
		expect(isPartWith('bytes 0-20/21', 206)).toBe(false);
	});
});

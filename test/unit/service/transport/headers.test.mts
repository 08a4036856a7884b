import { expect, test } from '@jest/globals';

import {
	endsWithConnection,
	header,
} from '../../../../nodes/SignAndClose/service/transport/headers.ts';

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

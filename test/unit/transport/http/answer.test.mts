import { expect, test } from '@jest/globals';

import {
	endsWithConnection,
	header,
	isPart,
} from '../../../../nodes/SignAndClose/transport/http/answer.ts';

test('a header is its text, the first when it came several times', () => {
	const headers = { one: 'a', empty: '', several: ['b', 'c'], number: 5, none: undefined };
	const read = ['one', 'empty', 'several', 'number', 'none', 'other'].map((name) =>
		header(headers, name),
	);
	expect(read).toEqual(['a', '', 'b', undefined, undefined, undefined]);
	expect(header(undefined, 'one')).toBeUndefined();
});

test.each<[boolean, Record<string, unknown>]>([
	[true, { 'content-type': 'application/json' }],
	[false, { 'content-type': 'application/json', 'content-length': '2' }],
	[false, { 'content-type': 'application/json', 'transfer-encoding': 'chunked' }],
	// Where n8n gives none, nothing is known.
	[false, {}],
])('it is %p that only the connection tells the end of an answer with %j', (expected, headers) => {
	expect(endsWithConnection(headers)).toBe(expected);
});

test.each<[boolean, number, string | undefined]>([
	[false, 200, undefined],
	[false, 200, 'bytes 0-20/21'],
	[false, 200, 'bytes 0-20/*'],
	[false, 200, 'bytes */21'],
	[false, 206, 'bytes 0-20/21'],
	[true, 206, undefined],
	[true, 200, 'bytes 0-19/21'],
	[true, 200, 'bytes 1-20/21'],
	[true, 200, 'bytes 9-99/100'],
	[true, 200, 'bytes 10-20/*'],
])('it is %p that an answer is a part with %i and %p', (expected, status, range) => {
	expect(isPart({ status, headers: { 'content-range': range }, body: '' })).toBe(expected);
});

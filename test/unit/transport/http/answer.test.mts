import {
	endsWithConnection,
	getHeader,
	isPart,
} from '../../../../nodes/SignAndClose/transport/http/answer.ts';

test('a header is its text, the first when it came several times', () => {
	const headers = { one: 'a', empty: '', several: ['b', 'c'], number: 5, none: undefined };
	const read = ['one', 'empty', 'several', 'number', 'none', 'other'].map((name) =>
		getHeader(headers, name),
	);
	expect(read).toEqual(['a', '', 'b', undefined, undefined, undefined]);
	expect(getHeader(undefined, 'one')).toBeUndefined();
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

test.each<[boolean, string | undefined]>([
	[false, undefined],
	[false, 'bytes 0-20/21'],
	[false, 'bytes 0-20/*'],
	[false, 'bytes */21'],
	[true, 'bytes 0-19/21'],
	[true, 'bytes 1-20/21'],
	[true, 'bytes 9-99/100'],
	[true, 'bytes 10-20/*'],
])('it is %p that an answer is a part with %p', (expected, range) => {
	expect(isPart({ 'content-range': range })).toBe(expected);
});

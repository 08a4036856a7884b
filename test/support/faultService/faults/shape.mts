import type { Fault } from '../types.mts';
import {
	after,
	altered,
	before,
	bodyOf,
	both,
	isJson,
	isThing,
	sendJson,
	sendText,
} from './build.mts';

/** Successes of another shape than docs/service says. */

const group = 'shape';

/** Bodies that need no honest answer, so they exist before and after the work. */
const INSTEAD: Record<string, string> = {
	empty: '',
	null: 'null',
	'empty-text': '""',
	'empty-list': '[]',
	'empty-object': '{}',
	true: 'true',
	false: 'false',
	number: '42',
	text: '"OK"',
	'plain-ok': 'OK',
	spaces: '   \r\n  ',
	'list-of-null': '[null]',
	'list-of-empty': '[{}]',
	'data-null': '{"data":null}',
	'id-null': '{"id":null}',
	'id-empty': '{"id":""}',
	'id-object': '{"id":{"value":"ot_1"}}',
	'other-api': '{"kind":"calendar#event","items":[],"nextPageToken":"x"}',
};

const NOT_JSON: Record<string, string> = {
	broken: '{"id": "ot_1", "status": }',
	'single-quotes': "{'id': 'ot_1'}",
	comments: '{"id":"ot_1" /* draft */}',
	'trailing-comma': '{"id":"ot_1",}',
	nan: '{"id":"ot_1","cost":NaN}',
	infinity: '{"id":"ot_1","cost":Infinity}',
	undefined: 'undefined',
	'object-text': '[object Object]',
};

const PAGES: Record<string, [string, string]> = {
	'html-page': ['text/html', '<!DOCTYPE html><html><body><h1>Welcome</h1></body></html>'],
	'html-as-json': ['application/json', '<!DOCTYPE html><html><body>Hello</body></html>'],
	'login-page': ['text/html', '<html><form action="/login"><input type="password"></form></html>'],
	xml: ['application/xml', '<?xml version="1.0"?><transaction><id>ot_1</id></transaction>'],
	'event-stream': ['text/event-stream', 'data: {"id":"ot_1"}\n\n'],
	form: ['application/x-www-form-urlencoded', 'id=ot_1&status=started'],
};

/** Applies to the one thing, or to each entry of a list or page. */
function eachThing(change: (thing: any) => unknown): Fault['strike'] {
	return altered((value, { kind }) => {
		if (Array.isArray(value)) return value.map(change);
		if (kind !== 'page') return change(value);
		return Object.fromEntries(
			Object.entries(value).map(([name, field]) => [
				name,
				Array.isArray(field) ? field.map(change) : field,
			]),
		);
	});
}

/** Changes every leaf of the honest value. */
function deep(value: any, change: (leaf: unknown, name: string) => unknown, name = ''): unknown {
	if (Array.isArray(value)) return value.map((one) => deep(one, change, name));
	if (typeof value !== 'object' || value === null) return change(value, name);
	return Object.fromEntries(
		Object.entries(value).map(([key, field]) => [key, deep(field, change, key)]),
	);
}

/** Adds fields to the text of an honest object, even those that JSON.stringify can't write. */
function withText(more: string): Fault['strike'] {
	return (_target, wire, answer) =>
		sendText(wire, bodyOf(answer).toString().replace(/^\{/, `{${more},`));
}

const NESTED = (depth: number) => '{"a":'.repeat(depth) + '1' + '}'.repeat(depth);

const CHANGES: Record<string, (thing: any) => unknown> = {
	'id-missing': ({ id: _id, ...rest }) => rest,
	'id-null': (thing) => ({ ...thing, id: null }),
	'id-number': (thing) => ({ ...thing, id: 12345 }),
	'id-huge-number': (thing) => ({ ...thing, id: 2 ** 60 }),
	'id-of-another': (thing) => ({ ...thing, id: `${String(thing.id).slice(0, 3)}another` }),
	'id-with-slash': (thing) => ({ ...thing, id: '../../transactions' }),
	'status-missing': ({ status: _status, detailed_status: _detail, ...rest }) => rest,
	'status-unknown': (thing) => ({ ...thing, status: 'frobnicated', detailed_status: 'who_knows' }),
	'status-of-another-time': (thing) =>
		thing.status === 'started'
			? { ...thing, status: 'completed', detailed_status: 'complete' }
			: { ...thing, status: 'started', detailed_status: 'draft' },
	'dates-garbage': (thing) => ({ ...thing, date_created: 'yesterday', date_updated: 17 }),
	'lists-null': (thing) => ({ ...thing, signers: null, documents: null, subscriptions: null }),
	'lists-missing': ({ signers: _s, documents: _d, ...rest }) => rest,
	'lists-objects': (thing) => ({ ...thing, signers: { 0: {} }, documents: {} }),
	'lists-of-null': (thing) => ({ ...thing, signers: [null], documents: [null] }),
	'lists-of-text': (thing) => ({ ...thing, signers: ['a'], documents: ['do_1'] }),
	'everything-null': (thing) => deep(thing, () => null),
	'numbers-as-text': (thing) => deep(thing, (x) => (typeof x === 'number' ? String(x) : x)),
	'flags-as-text': (thing) => deep(thing, (x) => (typeof x === 'boolean' ? String(x) : x)),
	'texts-as-numbers': (thing) =>
		deep(thing, (x, name) => (typeof x === 'string' && !/id$/.test(name) ? 7 : x)),
	'ids-as-numbers': (thing) => deep(thing, (x, name) => (/(^|_)id$/.test(name) ? 99 : x)),
};

const WRAPPERS: Record<string, (value: any) => unknown> = {
	'wrapped-data': (data) => ({ data }),
	'wrapped-result': (result) => ({ result, status: 'ok' }),
	'wrapped-twice': (data) => ({ data: { data } }),
	'wrapped-in-list': (value) => [value],
	'wrapped-in-text': (value) => JSON.stringify(value),
};

export const shapeFaults: Fault[] = [
	...Object.entries(INSTEAD).flatMap(([name, text]) =>
		both(group, `body-${name}`, {
			reaches: 'odd',
			appliesTo: isJson,
			strike: (_target, wire) => sendText(wire, text),
		}),
	),
	...[204, 205].flatMap((status) =>
		both(group, `status-${status}`, {
			reaches: 'odd',
			appliesTo: ({ kind }) => kind !== 'none',
			strike: (_target, wire) => wire.reply(status, {}),
		}),
	),
	...both(group, 'status-202-accepted', {
		reaches: 'odd',
		strike: (_target, wire) => sendJson(wire, { message: 'Accepted' }, 202),
	}),
	...Object.entries(NOT_JSON).flatMap(([name, text]) =>
		both(group, `json-${name}`, {
			reaches: 'odd',
			appliesTo: isJson,
			strike: (_target, wire) => sendText(wire, text),
		}),
	),
	...Object.entries(PAGES).flatMap(([name, [type, text]]) =>
		both(group, name, {
			reaches: 'odd',
			appliesTo: isJson,
			strike: (_target, wire) => sendText(wire, text, type),
		}),
	),
	after(group, 'json-truncated', {
		reaches: 'odd',
		appliesTo: isJson,
		strike: (_target, wire, answer) => sendText(wire, bodyOf(answer).subarray(0, -3)),
	}),
	after(group, 'json-twice', {
		reaches: 'odd',
		appliesTo: isJson,
		strike: (_target, wire, answer) =>
			sendText(wire, Buffer.concat([bodyOf(answer), bodyOf(answer)])),
	}),
	after(group, 'json-lines', {
		reaches: 'odd',
		appliesTo: isJson,
		strike: (_target, wire, answer) => sendText(wire, `${bodyOf(answer)}\n{"id":"next"}\n`),
	}),
	after(group, 'json-prefixed', {
		reaches: 'odd',
		appliesTo: isJson,
		strike: (_target, wire, answer) => sendText(wire, `)]}',\n${bodyOf(answer)}`),
	}),
	...Object.entries(WRAPPERS).map(([name, change]) =>
		after(group, name, { reaches: 'odd', appliesTo: isJson, strike: altered(change) }),
	),
	...Object.entries(CHANGES).map(([name, change]) =>
		after(group, name, {
			reaches: 'odd',
			appliesTo: (target) => isJson(target) && target.kind !== 'receipt',
			strike: eachThing(change),
		}),
	),
	after(group, 'unwrapped-list', {
		reaches: 'odd',
		appliesTo: ({ kind }) => kind === 'list',
		strike: altered((value) => (Array.isArray(value) ? value[0] : value)),
	}),
	after(group, 'keys-twice-at-the-end', {
		// The last one counts for most parsers.
		reaches: 'odd',
		appliesTo: isThing,
		strike: (_target, wire, answer) =>
			sendText(
				wire,
				bodyOf(answer).toString().replace(/\}$/, ',"id":"ot_second","status":"sent"}'),
			),
	}),
	after(group, 'unknown-fields', {
		reaches: 'honest',
		appliesTo: isThing,
		strike: altered((value) => ({ ...value, brand_new: { a: [1] }, another_field: null })),
	}),
	...[201, 202, 203, 299].map((status) =>
		after(group, `honest-with-${status}`, {
			reaches: 'honest',
			appliesTo: isJson,
			strike: (_target, wire, answer) => sendJson(wire, answer?.json, status),
		}),
	),
	...Object.entries({
		'type-text': 'text/plain',
		'type-octets': 'application/octet-stream',
		'type-problem': 'application/problem+json',
		'type-garbage': ';;;',
		'type-html': 'text/html; charset=utf-8',
	}).map(([name, type]) =>
		after(group, name, {
			reaches: 'odd',
			appliesTo: isJson,
			strike: (_target, wire, answer) => sendText(wire, bodyOf(answer), type),
		}),
	),
	after(group, 'type-missing', {
		reaches: 'odd',
		appliesTo: isJson,
		strike: (_target, wire, answer) => wire.reply(200, {}, bodyOf(answer)),
	}),
	...Object.entries({
		'keys-twice': '"id":"ot_first","status":"completed"',
		'key-proto': '"__proto__":{"polluted":true,"toString":1}',
		'key-constructor': '"constructor":{"prototype":{"polluted":true}}',
		'keys-of-objects': '"toString":1,"valueOf":2,"hasOwnProperty":3,"then":4,"length":-1',
		'big-integers': '"cost":123456789012345678901234567890,"id_number":1e400',
		'key-empty': '"":"","\\u0000":1',
		'nested-10000': `"nested":${NESTED(10_000)}`,
	}).map(([name, more]) =>
		after(group, name, { reaches: 'odd', appliesTo: isThing, strike: withText(more) }),
	),
	before(group, 'only-nested-10000', {
		reaches: 'odd',
		appliesTo: isJson,
		strike: (_target, wire) => sendText(wire, NESTED(10_000)),
	}),
	before(group, 'only-lists-100000', {
		reaches: 'odd',
		appliesTo: isJson,
		strike: (_target, wire) => sendText(wire, '['.repeat(100_000) + ']'.repeat(100_000)),
	}),
];

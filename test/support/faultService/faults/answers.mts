import type { Fault, Wire } from '../types.mts';
import {
	always,
	altered,
	bodyOf,
	bytes,
	faults,
	hasAnswer,
	head,
	headOf,
	isEncoded,
	isFile,
	isJson,
	isList,
	isPage,
	isThing,
	json,
	rewritten,
	text,
	typeOf,
	type Strike,
} from './build.mts';

/** Successes of another shape, size or kind than docs/service says. */

/** Applies to the one thing, or to each entry of a list or page. */
const eachThing = (change: (thing: any) => unknown) =>
	altered((value, { kind }) => {
		if (Array.isArray(value)) return value.map(change);
		if (kind !== 'page') return change(value);
		const fields = Object.entries<any>(value).map(([name, field]) => [
			name,
			Array.isArray(field) ? field.map(change) : field,
		]);
		return Object.fromEntries(fields);
	});

/** Changes every leaf of the honest value. */
function deep(value: any, change: (leaf: unknown) => unknown): unknown {
	if (Array.isArray(value)) return value.map((one) => deep(one, change));
	if (typeof value !== 'object' || value === null) return change(value);
	return Object.fromEntries(
		Object.entries(value).map(([key, field]) => [key, deep(field, change)]),
	);
}

/** Adds fields to the text of an honest object, even those that JSON.stringify can't write. */
const withText = (more: string) => rewritten((body) => body.toString().replace(/^\{/, `{${more},`));

const NESTED = '{"a":'.repeat(10_000) + '1' + '}'.repeat(10_000);

const shape: Fault[] = [
	...faults('shape', 'both', 'odd', isJson, {
		'body-empty': text(''),
		'body-null': text('null'),
		'body-empty-text': text('""'),
		'body-empty-list': text('[]'),
		'body-empty-object': text('{}'),
		'json-broken': text('{"id": "ot_1", "status": }'),
		'html-page': text('<!DOCTYPE html><html><body><h1>Welcome</h1></body></html>', {
			type: 'text/html',
		}),
	}),
	...faults('shape', 'both', 'odd', hasAnswer, { 'status-204': (wire) => wire.reply(204, {}) }),
	...faults('shape', 'both', 'odd', always, {
		'status-202-accepted': json({ message: 'Accepted' }, 202),
	}),
	...faults('shape', 'after', 'odd', isJson, {
		'json-truncated': rewritten((body) => body.subarray(0, -3)),
		'wrapped-data': altered((data) => ({ data })),
		'type-text': rewritten((body) => body, { 'content-type': 'text/plain' }),
	}),
	...faults('shape', 'after', 'odd', (target) => isJson(target) && target.kind !== 'receipt', {
		'id-missing': eachThing(({ id: _id, ...rest }) => rest),
		'id-null': eachThing((thing) => ({ ...thing, id: null })),
		'id-number': eachThing((thing) => ({ ...thing, id: 12345 })),
		'id-of-another': eachThing((thing) => ({
			...thing,
			id: `${String(thing.id).slice(0, 3)}another`,
		})),
		'status-missing': eachThing(({ status: _status, detailed_status: _detail, ...rest }) => rest),
		'lists-null': eachThing((thing) => ({
			...thing,
			signers: null,
			documents: null,
			subscriptions: null,
		})),
		'everything-null': eachThing((thing) => deep(thing, () => null)),
		'numbers-as-text': eachThing((thing) =>
			deep(thing, (leaf) => (typeof leaf === 'number' ? String(leaf) : leaf)),
		),
	}),
	...faults('shape', 'after', 'honest', isThing, {
		'unknown-fields': altered((value) => ({ ...value, brand_new: { a: [1] }, other: null })),
	}),
	...faults('shape', 'after', 'honest', isJson, {
		'honest-with-201': (wire, answer, target) => json(answer?.json, 201)(wire, answer, target),
	}),
	...faults('shape', 'after', 'odd', isThing, {
		'key-proto': withText('"__proto__":{"polluted":true,"toString":1}'),
		'nested-10000': withText(`"nested":${NESTED}`),
	}),
];

const utf16 = (body: Buffer) => Buffer.from(`\ufeff${body}`, 'utf16le');
/** With a note whose letters aren't ASCII, so that a wrong encoding can be seen. */
const noted = (body: Buffer, note: string) => body.toString().replace(/^\{/, `{"note":"${note}",`);

/** Writes `data` of Get Document as given, without escaping anything. */
const dataAs =
	(write: (base64: string) => string): Strike =>
	(wire, answer, target) => {
		const { data = '', ...rest } = answer?.json as { data?: string };
		const written = JSON.stringify({ ...rest, data: '@' }).replace('"@"', () => `"${write(data)}"`);
		text(written)(wire, answer, target);
	};

const encoding: Fault[] = [
	...faults('encoding', 'after', 'odd', isJson, {
		bom: rewritten((body) => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), body])),
		'utf-16-not-said': rewritten(utf16),
	}),
	...faults('encoding', 'after', 'odd', isThing, {
		'latin-1-not-said': rewritten((body) => Buffer.from(noted(body, 'Stra\u00dfe'), 'latin1')),
		'utf-8-invalid': rewritten((body) => {
			const [start, end] = noted(body, '@').split('@');
			return Buffer.concat([Buffer.from(start), Buffer.from([0xff, 0xc3, 0x28]), Buffer.from(end)]);
		}),
	}),
	...faults('encoding', 'after', 'honest', isEncoded, {
		// Another way to write the same JSON text.
		'base64-plus-escaped': dataAs((data) =>
			data.replaceAll('+', '\\u002B').replaceAll('=', '\\u003d'),
		),
	}),
	...faults('encoding', 'after', 'odd', isEncoded, {
		'base64-url-letters': dataAs((data) => data.replaceAll('+', '-').replaceAll('/', '_')),
		'base64-cut': dataAs((data) => data.slice(0, Math.floor(data.length / 2) - 1)),
		'base64-null': altered((value) => ({ ...value, data: null })),
	}),
];

const LETTERS = Buffer.alloc(65_536, 'a');

/** Sends `start`, then many letters as they are read, then `end`. */
function big(wire: Wire, status: string, start: string, end: string): void {
	const pieces = Math.ceil(wire.options.bigBytes / LETTERS.length);
	const length = start.length + pieces * LETTERS.length + end.length;
	wire.raw(head(status, { 'Content-Type': 'application/json', 'Content-Length': length }));
	wire.raw(start);
	let left = pieces;
	const go = () => {
		while (left-- > 0) {
			if (wire.socket.destroyed) return;
			if (!wire.socket.write(LETTERS)) return void wire.socket.once('drain', go);
		}
		wire.raw(end);
		wire.close();
	};
	go();
}

const size: Fault[] = [
	...faults(
		'size',
		'both',
		'odd',
		isJson,
		{ 'huge-text': (wire) => big(wire, '200 OK', '{"id":"ot_huge","text":"', '"}') },
		{ heavy: true },
	),
	...faults(
		'size',
		'both',
		'refused',
		always,
		{ 'huge-refusal': (wire) => big(wire, '500 Oops', '{"errors":["', '"]}') },
		{ heavy: true },
	),
	...faults('size', 'both', 'lost', always, {
		// More than Node's client takes by default.
		'headers-5000': bytes(() => {
			const many = Array.from({ length: 5000 }, (_, n) => [`X-Many-${n}`, 'yyyyyyyyyy']);
			return head('200 OK', { ...Object.fromEntries(many), 'Content-Length': 0 });
		}),
	}),
	...faults('size', 'after', 'honest', isThing, {
		'field-1-mb': altered((value) => ({ ...value, brand_new: 'x'.repeat(1_000_000) })),
	}),
];

/** The name of the list in a page: `data`, `templates` or `records`. */
const listName = (value: any) =>
	Object.keys(value).find((name) => Array.isArray(value[name])) ?? 'data';

/** Changes the entries, whether they stand alone or in a page. */
const entries = (change: (all: any[]) => unknown) =>
	altered((value) => {
		if (Array.isArray(value)) return change(value);
		const name = listName(value);
		return { ...value, [name]: change(value[name] ?? []) };
	});
const honestly = altered((value) => value);

const lists: Fault[] = [
	...faults('lists', 'before', 'odd', isList, { 'list-empty': json([]) }),
	...faults('lists', 'after', 'odd', isList, {
		'entries-null': entries(() => null),
		'entries-object-by-id': entries((all) =>
			Object.fromEntries(all.map((one, index) => [one?.id ?? index, one])),
		),
		'entries-with-null': entries((all) => [null, ...all]),
		'entries-with-empty': entries((all) => [{}, ...all]),
		'entries-oldest-first': entries((all) => all.toReversed()),
	}),
	...faults('lists', 'after', 'odd', isPage, {
		'named-items': altered((value) => {
			const { [listName(value)]: items, ...rest } = value;
			return { ...rest, items };
		}),
		'total-too-small': altered((value) => ({ ...value, total_count: 1 })),
		'total-too-large': altered((value) => ({ ...value, total_count: 1_000_000 })),
	}),
	...faults(
		'lists',
		'after',
		'odd',
		isPage,
		{ 'first-page-for-ever': altered((value) => ({ ...value, total_count: 1_000_000 })) },
		{ rewrite: (query) => query.delete('offset') },
	),
	// Fewer entries than asked for, although there are more.
	...faults(
		'lists',
		'after',
		'odd',
		isPage,
		{ 'pages-short': honestly },
		{ rewrite: (query) => query.set('limit', '1') },
	),
];

const TEXT = 'Transaction cannot be edited at this time.';

const errorFields: Fault[] = [
	...faults('errorFields', 'both', 'odd', isJson, {
		'success-only-error': json({ error: TEXT }),
		'success-only-success-false': json({ success: false }),
	}),
	...faults('errorFields', 'after', 'odd', isThing, {
		'success-beside-errors': altered((value) => ({ ...value, errors: [TEXT] })),
	}),
	...faults('errorFields', 'after', 'honest', isThing, {
		'success-beside-errors-empty': altered((value) => ({ ...value, errors: [] })),
	}),
];

const XML = '<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>';

/** Downloads: finished documents, the audit trail, images and the video. */
const binary: Fault[] = [
	...faults('binary', 'before', 'odd', isFile, {
		'html-instead': text('<!DOCTYPE html><html><body>Sign in</body></html>', {
			type: 'text/html',
		}),
		empty: text('', { type: 'application/pdf' }),
	}),
	...faults('binary', 'before', 'refused', isFile, {
		'link-expired': text(XML, { status: 403, type: 'application/xml' }),
	}),
	...faults('binary', 'after', 'odd', isFile, {
		// The length is right for what is sent, so only the file itself shows it.
		cut: rewritten((body) => body.subarray(0, body.length / 2)),
		'status-206': (wire, answer) =>
			wire.reply(
				206,
				{
					'content-type': typeOf(answer),
					'content-range': `bytes 0-9/${bodyOf(answer).length}`,
				},
				bodyOf(answer).subarray(0, 10),
			),
	}),
	...faults('binary', 'after', 'honest', isFile, {
		'type-octets': rewritten((body) => body, { 'content-type': 'application/octet-stream' }),
	}),
	...faults('binary', 'after', 'lost', isFile, {
		'cut-by-close': bytes((answer) =>
			Buffer.concat([Buffer.from(headOf(answer)), bodyOf(answer).subarray(0, -1)]),
		),
	}),
];

export const answerFaults: Fault[] = [
	...shape,
	...encoding,
	...size,
	...lists,
	...errorFields,
	...binary,
];

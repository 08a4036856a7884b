import type { Fault, Target, Wire } from '../types.mts';
import { after, altered, before, both, isJson, isThing, sendJson } from './build.mts';

/** Bodies of refusals in many shapes, and successes with a field that speaks of an error. */

const group = 'errorFields';
const TEXT = 'Transaction cannot be edited at this time.';

/** Values that stand in the body of a 422. */
const VALUES: Record<string, unknown> = {
	'text-list': { errors: [TEXT] },
	'message-and-list': { message: TEXT, errors: [TEXT, 'Another reason.'] },
	'request-text': { errors: { request: TEXT } },
	'request-list': { errors: { request: [TEXT] } },
	'error-text': { error: TEXT },
	'errors-text': { errors: TEXT },
	'bare-text': TEXT,
	'bare-list': [TEXT, 'Another reason.'],
	'list-of-objects': { errors: [{ code: 'E17', message: TEXT, field: 'signers[0].email' }] },
	'list-of-details': { errors: [{ detail: TEXT, source: { pointer: '/data' } }] },
	'object-of-lists': { errors: { 'signers.0.email': ['is invalid'], base: [TEXT] } },
	'object-deep': { errors: { a: { b: { c: { d: [TEXT] } } } } },
	'error-object': { error: { code: 422, message: TEXT, errors: [{ reason: 'bad' }] } },
	oauth: { error: 'invalid_request', error_description: TEXT },
	fault: { fault: { faultstring: TEXT, detail: { errorcode: 'x' } } },
	'detail-list': { detail: [{ loc: ['body', 'signer'], msg: TEXT, type: 'value_error' }] },
	'errors-null': { errors: null },
	'errors-empty': { errors: [] },
	'errors-empty-object': { errors: {} },
	'errors-of-null': { errors: [null, null] },
	'errors-number': { errors: 17 },
	'errors-true': { errors: true },
	'message-null': { message: null },
	'message-object': { message: { en: TEXT } },
	'unknown-fields': { reason: 'no', ticket: 'T-1' },
	'empty-object': {},
	'empty-list': [],
	null: null,
	false: false,
	number: 0,
	script: { errors: ['<script>alert("x")</script><img src=x onerror=alert(1)>'] },
	markdown: { errors: ['[click](javascript:alert(1)) **bold** ![x](http://127.0.0.1:1/x.png)'] },
	expression: { errors: ['={{ $env.SECRET }} ${1+1} {{ 7*7 }}'] },
	'control-characters': { errors: ['\u001b[31mred\u001b[0m\u0000\u0007\r\nSet-Cookie: a=b'] },
	'right-to-left': { errors: ['\u202egnihtemos\u202c \ud83d\ude00 \u0627\u0644'] },
	'lone-surrogate': { errors: ['\ud83d half'] },
	'ten-thousand': { errors: Array.from({ length: 10_000 }, (_, n) => `Reason ${n}`) },
	'one-megabyte': { errors: ['x'.repeat(1_000_000)] },
	'proto-key': JSON.parse('{"errors":{"__proto__":["polluted"],"constructor":["c"]}}'),
};

/** Bodies that aren't JSON. */
const BODIES: Record<string, [type: string, body: string]> = {
	empty: ['application/json', ''],
	spaces: ['application/json', '  \n '],
	'plain-text': ['text/plain', TEXT],
	'text-as-json': ['application/json', TEXT],
	html: ['text/html', `<html><head><title>422</title></head><body><p>${TEXT}</p></body></html>`],
	'html-script': ['text/html', '<script>document.location="http://127.0.0.1:1/"</script>'],
	xml: ['application/xml', `<Error><Code>Invalid</Code><Message>${TEXT}</Message></Error>`],
	'broken-json': ['application/json', `{"errors": ["${TEXT}"`],
	'deep-10000': ['application/json', `{"errors":${'['.repeat(10_000)}${']'.repeat(10_000)}}`],
};

/** Fields beside or instead of an honest success. */
const IN_SUCCESS: Record<string, Record<string, unknown>> = {
	error: { error: TEXT },
	errors: { errors: [TEXT] },
	'errors-object': { errors: { request: TEXT } },
	message: { message: TEXT },
	'success-false': { success: false },
	'ok-false': { ok: false, error: 'not_done' },
	'status-error': { status: 'error' },
	'status-code': { statusCode: 500, message: 'Internal error' },
	'error-true': { error: true },
};

/** Fields that look like an error, and say that there is none. */
const HARMLESS: Record<string, Record<string, unknown>> = {
	'error-null': { error: null },
	'errors-empty': { errors: [] },
	'success-true': { success: true },
};

/** The request's own secrets and data come back in the refusal. */
const ECHOES: Record<string, (target: Target, wire: Wire) => unknown> = {
	'key-in-text': ({ key }) => ({ errors: [`Key ${key} may not do this`] }),
	'key-in-headers': (_target, { request }) => ({ errors: [TEXT], headers: request.headers }),
	'key-in-url': ({ key }) => ({ errors: [`https://api.example.com/?ApiKey=${key}&x=1`] }),
	'key-as-field': ({ key }) => ({ errors: { [key]: ['is wrong'] } }),
	'key-in-base64': ({ key }) => ({ errors: [Buffer.from(`:${key}`).toString('base64')] }),
	'key-escaped': ({ key }) => ({ errors: [encodeURIComponent(key), JSON.stringify(key)] }),
};

export const errorFieldFaults: Fault[] = [
	...Object.entries(VALUES).map(([name, value]) =>
		before(group, `refusal-${name}`, {
			reaches: 'refused',
			strike: (_target, wire) => sendJson(wire, value, 422),
		}),
	),
	...Object.entries(BODIES).map(([name, [type, body]]) =>
		before(group, `refusal-body-${name}`, {
			reaches: 'refused',
			strike: (_target, wire) => wire.reply(422, { 'content-type': type }, body),
		}),
	),
	before(group, 'refusal-problem', {
		reaches: 'refused',
		strike: (_target, wire) =>
			wire.reply(
				422,
				{ 'content-type': 'application/problem+json' },
				JSON.stringify({ type: 'about:blank', title: 'Refused', status: 422, detail: TEXT }),
			),
	}),
	before(group, 'refusal-latin-1', {
		reaches: 'refused',
		strike: (_target, wire) =>
			wire.reply(
				422,
				{ 'content-type': 'application/json; charset=iso-8859-1' },
				Buffer.from('{"errors":["Stra\u00dfe ung\u00fcltig"]}', 'latin1'),
			),
	}),
	...Object.entries(ECHOES).map(([name, body]) =>
		before(group, `refusal-echo-${name}`, {
			reaches: 'refused',
			strike: (target, wire) => sendJson(wire, body(target, wire), 422),
		}),
	),
	...both(group, 'failure-echo-key', {
		reaches: 'refused',
		strike: ({ key }, wire) =>
			wire.reply(500, { 'content-type': 'text/html' }, `<pre>ApiKey: ${key}\nstack trace</pre>`),
	}),
	...Object.entries(IN_SUCCESS).flatMap(([name, fields]) => [
		...both(group, `success-only-${name}`, {
			reaches: 'odd',
			appliesTo: isJson,
			strike: (_target, wire) => sendJson(wire, fields),
		}),
		after(group, `success-beside-${name}`, {
			reaches: 'odd',
			appliesTo: isThing,
			strike: altered((value) => ({ ...value, ...fields })),
		}),
	]),
	...Object.entries(HARMLESS).map(([name, fields]) =>
		after(group, `success-beside-${name}`, {
			reaches: 'honest',
			appliesTo: isThing,
			strike: altered((value) => ({ ...value, ...fields })),
		}),
	),
];

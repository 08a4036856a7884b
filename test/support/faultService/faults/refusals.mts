import type { Fault, Target, Wire } from '../types.mts';
import { always, faults, hasBody, json, lateFaults, text, type Strike } from './build.mts';

/** Answers that refuse or redirect. */

const refusal = (status: number, headers: Record<string, string> = {}) =>
	text(
		JSON.stringify({
			errors: [status >= 500 ? 'The service failed' : `Refused with ${status}`],
		}),
		{ status, ...headers },
	);
const byStatus = (statuses: number[]): Record<string, Strike> =>
	Object.fromEntries(statuses.map((status) => [`status-${status}`, refusal(status)]));
const retryAfter =
	(status: number, value: () => string): Strike =>
	(...all) =>
		refusal(status, { 'retry-after': value() })(...all);

const page = (status: number, title: string) =>
	text(
		`<!DOCTYPE html><html><head><title>${title}</title><style>b{}</style></head><body>` +
			`<center><h1>${title}</h1></center><hr><center>nginx</center></body></html>`,
		{ status, type: 'text/html' },
	);

const http: Fault[] = [
	// Refusals that mean what they say: nothing was done.
	...faults('http', 'before', 'refused', always, {
		...byStatus([400, 401, 403, 404, 413, 422]),
		'status-429-retry-by-date': retryAfter(429, () => new Date(Date.now() + 2000).toUTCString()),
		'status-429-retry-in-10-years': retryAfter(429, () => '315360000'),
		'gateway-403-html': page(403, 'Request blocked'),
	}),
	...faults(
		'http',
		'before',
		'refused',
		hasBody,
		{ 'status-413-while-uploading': refusal(413, { connection: 'close' }) },
		{ unread: true },
	),
	// Refusals after which the work may have been done all the same.
	...faults('http', 'both', 'refused', always, {
		...byStatus([408, 409, 429, 500, 502, 503, 504, 524, 999]),
		'status-503-retry-in-1-second': retryAfter(503, () => '1'),
		'status-503-retry-in-10-years': retryAfter(503, () => '315360000'),
		'gateway-502-html': page(502, '502 Bad Gateway'),
		'status-500-empty': (wire) => wire.reply(500, {}),
	}),
	...lateFaults('http', 'refused', byStatus([504])),
	// A rule of the service that is found broken after the work was done.
	...faults('http', 'after', 'refused', ({ write }) => write, byStatus([422])),
];

/** The key and a write's body must not follow a redirect to another origin. */
const redirect =
	(status: number, location: (wire: Wire, target: Target) => string): Strike =>
	(wire, _answer, target) =>
		wire.reply(status, { location: location(wire, target), 'content-type': 'text/plain' }, 'moved');

const redirects: Fault[] = faults('redirect', 'both', 'odd', always, {
	// The address itself: whoever follows it is answered honestly, unless the method changes.
	'301-to-itself': redirect(301, (wire, { path }) => wire.origin + path),
	'302-elsewhere': redirect(302, (wire, { path }) => wire.elsewhere + path),
	'307-elsewhere': redirect(307, (wire, { path }) => wire.elsewhere + path),
	'302-file': redirect(302, () => 'file:///etc/passwd'),
	'308-loop': redirect(308, (wire) => `${wire.origin}/loop/308/1`),
	'302-location-missing': text('moved', { status: 302, type: 'text/plain' }),
});

const TEXT = 'Transaction cannot be edited at this time.';

/** Values that stand in the body of a 422. */
const VALUES: Record<string, unknown> = {
	'bare-text': TEXT,
	'list-of-objects': { errors: [{ code: 'E17', message: TEXT, field: 'signers[0].email' }] },
	'object-deep': { errors: { a: { b: { c: { d: [TEXT] } } } } },
	'one-megabyte': { errors: ['x'.repeat(1_000_000)] },
	script: { errors: ['<script>alert("x")</script><img src=x onerror=alert(1)>'] },
};

/** The request's own secrets and data come back in the refusal. */
const ECHOES: Record<string, (target: Target, wire: Wire) => unknown> = {
	'key-in-text': ({ key }) => ({ errors: [`Key ${key} may not do this`] }),
	'key-in-headers': (_target, { request }) => ({ errors: [TEXT], headers: request.headers }),
	'key-in-base64': ({ key }) => ({ errors: [Buffer.from(`:${key}`).toString('base64')] }),
};

const errorFields: Fault[] = [
	...faults('errorFields', 'before', 'refused', always, {
		...Object.fromEntries(
			Object.entries(VALUES).map(([name, value]) => [`refusal-${name}`, json(value, 422)]),
		),
		...Object.fromEntries(
			Object.entries(ECHOES).map(([name, body]): [string, Strike] => [
				`refusal-echo-${name}`,
				(wire, answer, target) => json(body(target, wire), 422)(wire, answer, target),
			]),
		),
		'refusal-body-empty': text('', { status: 422 }),
		'refusal-problem': text(
			JSON.stringify({ type: 'about:blank', title: 'Refused', status: 422, detail: TEXT }),
			{ status: 422, type: 'application/problem+json' },
		),
	}),
];

export const refusalFaults: Fault[] = [...http, ...redirects, ...errorFields];

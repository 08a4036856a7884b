import type { Fault, Wire } from '../types.mts';
import { after, before, both, sendJson } from './build.mts';

/** Refusals by status. */

const group = 'http';

/** Refusals that mean what they say: nothing was done. */
const HONEST_REFUSALS = [
	400, 401, 402, 403, 404, 405, 406, 410, 411, 412, 413, 414, 415, 418, 421, 422, 423, 424, 426,
	428, 431, 451, 501, 505, 511,
];
/** Refusals after which the work may have been done all the same. */
const DOUBTFUL = [
	408, 409, 425, 429, 499, 500, 502, 503, 504, 507, 508, 509, 520, 521, 522, 523, 524, 525, 530,
	598, 599,
];

const RETRY_AFTER: Record<string, () => string> = {
	'in-1-second': () => '1',
	'at-once': () => '0',
	'by-date': () => new Date(Date.now() + 2000).toUTCString(),
	'by-past-date': () => 'Wed, 21 Oct 2015 07:28:00 GMT',
	'in-10-years': () => '315360000',
	'in-1e400-seconds': () => '1e400',
	negative: () => '-5',
	fraction: () => '0.5',
	garbage: () => 'soon, please',
	empty: () => '',
};

function refusal(wire: Wire, status: number, headers: Record<string, string> = {}): void {
	const text = status >= 500 ? 'The service failed' : `Refused with ${status}`;
	wire.reply(
		status,
		{ 'content-type': 'application/json', ...headers },
		JSON.stringify({ errors: [text] }),
	);
}

function gateway(name: string, status: number, body: string): Fault[] {
	return both(group, name, {
		reaches: 'refused',
		strike: (_target, wire) => wire.reply(status, { 'content-type': 'text/html' }, body),
	});
}

const PAGE = (title: string) =>
	`<!DOCTYPE html><html><head><title>${title}</title><style>b{}</style></head><body>` +
	`<center><h1>${title}</h1></center><hr><center>nginx</center></body></html>`;

export const httpFaults: Fault[] = [
	...HONEST_REFUSALS.map((status) =>
		before(group, `status-${status}`, {
			reaches: 'refused',
			strike: (_target, wire) => refusal(wire, status),
		}),
	),
	...DOUBTFUL.flatMap((status) =>
		both(group, `status-${status}`, {
			reaches: 'refused',
			strike: (_target, wire) => refusal(wire, status),
		}),
	),
	// A rule of the service that is found broken after the work was done.
	after(group, 'status-422', {
		reaches: 'refused',
		appliesTo: ({ write }) => write,
		strike: (_target, wire) => refusal(wire, 422),
	}),
	...Object.entries(RETRY_AFTER).flatMap(([name, value]) => [
		before(group, `status-429-retry-${name}`, {
			reaches: 'refused',
			strike: (_target, wire) => refusal(wire, 429, { 'retry-after': value() }),
		}),
	]),
	...(['in-1-second', 'by-past-date', 'in-10-years', 'garbage'] as const).flatMap((name) =>
		both(group, `status-503-retry-${name}`, {
			reaches: 'refused',
			strike: (_target, wire) => refusal(wire, 503, { 'retry-after': RETRY_AFTER[name]() }),
		}),
	),
	before(group, 'status-401-of-the-service', {
		reaches: 'refused',
		strike: (_target, wire) => {
			const message = 'Invalid authentication credentials';
			sendJson(wire, { message, errors: [message] }, 401);
		},
	}),
	before(group, 'status-401-with-challenge', {
		reaches: 'refused',
		strike: (_target, wire) =>
			refusal(wire, 401, { 'www-authenticate': 'Basic realm="the service"' }),
	}),
	before(group, 'status-401-wrong-platform', {
		reaches: 'refused',
		strike: (_target, wire) =>
			sendJson(
				wire,
				{
					errors: ['Unauthorized: This organization must use the Business API for transactions'],
				},
				401,
			),
	}),
	before(group, 'status-407', {
		reaches: 'refused',
		strike: (_target, wire) => refusal(wire, 407, { 'proxy-authenticate': 'Basic' }),
	}),
	before(group, 'status-413-while-uploading', {
		reaches: 'refused',
		unread: true,
		appliesTo: ({ hasBody }) => hasBody,
		strike: (_target, wire) => refusal(wire, 413, { connection: 'close' }),
	}),
	before(group, 'status-417-unread', {
		reaches: 'refused',
		unread: true,
		appliesTo: ({ hasBody }) => hasBody,
		strike: (_target, wire) => refusal(wire, 417, { connection: 'close' }),
	}),
	...both(group, 'status-600', {
		reaches: 'refused',
		strike: (_target, wire) => refusal(wire, 600),
	}),
	...both(group, 'status-999', {
		reaches: 'refused',
		strike: (_target, wire) => refusal(wire, 999),
	}),
	before(group, 'gateway-403-html', {
		reaches: 'refused',
		strike: (_target, wire) =>
			wire.reply(403, { 'content-type': 'text/html' }, PAGE('Request blocked')),
	}),
	...gateway('gateway-500-html', 500, PAGE('500 Internal Server Error')),
	...gateway('gateway-502-html', 502, PAGE('502 Bad Gateway')),
	...gateway('gateway-503-html', 503, PAGE('Down for maintenance')),
	...gateway('gateway-504-html', 504, PAGE('504 Gateway Time-out')),
	...both(group, 'status-500-empty', {
		reaches: 'refused',
		strike: (_target, wire) => wire.reply(500, {}),
	}),
];

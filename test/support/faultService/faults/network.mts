import type { Fault } from '../types.mts';
import { after, before, bodyOf, both, head, typeOf } from './build.mts';

/** Connections that break, and answers that aren't HTTP. */

const group = 'network';

/** A head that promises `extra` bytes more than there are. */
function headOf(answer: Parameters<typeof bodyOf>[0], extra = 0): string {
	const length = bodyOf(answer).length + extra;
	return head('200 OK', { 'Content-Type': typeOf(answer), 'Content-Length': length });
}

/** Writes bytes that are no proper answer, and ends the stream. */
function garbage(name: string, bytes: (body: Buffer) => string | Buffer): Fault[] {
	return both(group, name, {
		reaches: 'lost',
		strike: (_target, wire, answer) => {
			wire.raw(bytes(bodyOf(answer)));
			wire.close();
		},
	});
}

function chunked(body: Buffer): string {
	return `${body.length.toString(16)}\r\n${body.toString('latin1')}\r\n`;
}

const CHUNKED = head('200 OK', {
	'Content-Type': 'application/json',
	'Transfer-Encoding': 'chunked',
});

export const networkFaults: Fault[] = [
	before(group, 'refused-for-a-while', {
		reaches: 'lost',
		unread: true,
		strike: (_target, wire) => {
			wire.refuseConnections();
			wire.reset();
		},
	}),
	before(group, 'reset-while-uploading', {
		reaches: 'lost',
		unread: true,
		appliesTo: ({ hasBody }) => hasBody,
		strike: (_target, wire) => wire.request.once('data', () => wire.reset()),
	}),
	...both(group, 'reset-before-headers', {
		reaches: 'lost',
		strike: (_target, wire) => wire.reset(),
	}),
	...both(group, 'close-before-headers', {
		reaches: 'lost',
		strike: (_target, wire) => wire.close(),
	}),
	...both(group, 'reset-after-headers', {
		reaches: 'lost',
		strike: (_target, wire, answer) => wire.reset(headOf(answer)),
	}),
	...garbage('close-after-headers', (body) =>
		head('200 OK', { 'Content-Type': 'application/json', 'Content-Length': body.length }),
	),
	...garbage('close-within-headers', () => 'HTTP/1.1 200 OK\r\nContent-Type: appl'),
	...both(group, 'reset-within-body', {
		reaches: 'lost',
		strike: (_target, wire, answer) => {
			const body = bodyOf(answer);
			wire.reset(Buffer.concat([Buffer.from(headOf(answer)), body.subarray(0, body.length / 2)]));
		},
	}),
	...both(group, 'close-within-body', {
		reaches: 'lost',
		strike: (_target, wire, answer) => {
			const body = bodyOf(answer);
			wire.raw(headOf(answer));
			wire.raw(body.subarray(0, body.length / 2));
			wire.close();
		},
	}),
	...both(group, 'length-too-long', {
		reaches: 'lost',
		strike: (_target, wire, answer) => {
			wire.raw(headOf(answer, 10));
			wire.raw(bodyOf(answer));
			wire.close();
		},
	}),
	...both(group, 'length-too-short', {
		reaches: 'lost',
		strike: (_target, wire, answer) => {
			wire.raw(headOf(answer, -10));
			wire.raw(bodyOf(answer));
			wire.close();
		},
	}),
	...garbage(
		'length-twice',
		(body) =>
			`HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\nContent-Length: 3\r\n\r\n${body}`,
	),
	...garbage('length-negative', (body) => `${head('200 OK', { 'Content-Length': -5 })}${body}`),
	...garbage('length-no-number', (body) => `${head('200 OK', { 'Content-Length': 'all' })}${body}`),
	...garbage(
		'length-and-chunked',
		(body) =>
			`HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n${chunked(body)}0\r\n\r\n`,
	),
	...garbage('chunk-cut', (body) => CHUNKED + chunked(body).slice(0, -Math.ceil(body.length / 2))),
	...garbage('chunk-size-garbage', (body) => `${CHUNKED}zz\r\n${body}\r\n0\r\n\r\n`),
	...garbage('chunk-size-huge', (body) => `${CHUNKED}ffffffffffffffff\r\n${body}`),
	...garbage('chunk-end-missing', (body) => CHUNKED + chunked(body)),
	...garbage('status-line-garbage', () => 'HELO here is no web server\r\n\r\n'),
	...garbage('status-line-missing', (body) => body),
	...garbage('status-no-number', (body) => `HTTP/1.1 OK OK\r\nContent-Length: 2\r\n\r\n${body}`),
	...garbage('http-version-9', (body) => `HTTP/9.9 200 OK\r\nContent-Length: 2\r\n\r\n${body}`),
	...garbage('header-garbage', () => 'HTTP/1.1 200 OK\r\nthis is: a\u0000 header\r\n\r\n{}'),
	...garbage('header-name-missing', () => 'HTTP/1.1 200 OK\r\n: no name\r\n\r\n{}'),
	...garbage('tls-instead', () => Buffer.from('15030300020228', 'hex')),
	...garbage('headers-64-kb', () => head('200 OK', { 'X-Long': 'x'.repeat(65_536) })),
	...garbage('body-twice', (body) => {
		// The second answer is to a question that nobody asked.
		const answer = head('200 OK', { 'Content-Type': 'application/json', 'Content-Length': 2 });
		return `${answer}{}${head('500 Oops', { 'Content-Length': body.length })}${body}`;
	}).map((fault): Fault => ({ ...fault, reaches: 'odd' })),
	after(group, 'reset-after-answer', {
		reaches: 'honest',
		strike: (_target, wire, answer) => {
			wire.raw(headOf(answer));
			wire.reset(bodyOf(answer));
			Object.assign(wire.entry, { answered: true, status: 200 });
		},
		appliesTo: ({ kind }) => kind !== 'none',
	}),
	after(group, 'close-after-answer', {
		// It says keep-alive, and closes: the client's next request can meet a dead connection.
		reaches: 'honest',
		strike: (_target, wire, answer) => {
			wire.raw(headOf(answer).replace('\r\n', '\r\nConnection: keep-alive\r\n'));
			wire.raw(bodyOf(answer));
			wire.close(true);
		},
		appliesTo: ({ kind }) => kind !== 'none',
	}),
	after(group, 'end-by-close', {
		reaches: 'honest',
		strike: (_target, wire, answer) => {
			wire.raw(head('200 OK', { 'Content-Type': typeOf(answer), Connection: 'close' }));
			wire.raw(bodyOf(answer));
			wire.close(true);
		},
		appliesTo: ({ kind }) => kind !== 'none',
	}),
	after(group, 'reason-missing', {
		reaches: 'honest',
		strike: (_target, wire, answer) => {
			wire.raw(headOf(answer).replace('200 OK', '200 '));
			wire.raw(bodyOf(answer));
			wire.close(true);
		},
		appliesTo: ({ kind }) => kind !== 'none',
	}),
];

import { brotliCompressSync, gzipSync } from 'node:zlib';

import type { Answer, Fault } from '../types.mts';
import {
	always,
	bodyOf,
	bytes,
	faults,
	hasAnswer,
	hasBody,
	head,
	headOf,
	lateFaults,
	rewritten,
	typeOf,
	type Strike,
} from './build.mts';

/** Connections that break or never end, answers that aren't HTTP, and compressed ones. */

const halfOf = (answer: Answer | undefined) =>
	Buffer.concat([
		Buffer.from(headOf(answer)),
		bodyOf(answer).subarray(0, bodyOf(answer).length / 2),
	]);
const whole = (answer: Answer | undefined) =>
	Buffer.concat([Buffer.from(headOf(answer)), bodyOf(answer)]);
const open =
	(make: (answer: Answer | undefined) => string | Buffer): Strike =>
	(wire, answer) =>
		wire.raw(make(answer));

const network: Fault[] = [
	...faults(
		'network',
		'before',
		'lost',
		always,
		{
			'refused-for-a-while': (wire) => {
				wire.refuseConnections();
				wire.reset();
			},
		},
		{ unread: true },
	),
	...faults(
		'network',
		'before',
		'lost',
		hasBody,
		{ 'reset-while-uploading': (wire) => wire.request.once('data', () => wire.reset()) },
		{ unread: true },
	),
	...lateFaults('network', 'lost', { 'reset-before-headers': (wire) => wire.reset() }),
	...faults('network', 'both', 'lost', always, {
		'reset-before-headers': (wire) => wire.reset(),
		'close-before-headers': (wire) => wire.close(),
		'reset-after-headers': (wire, answer) => wire.reset(headOf(answer)),
		'close-within-body': bytes(halfOf),
		'length-too-long': bytes((answer) => headOf(answer, 10) + bodyOf(answer).toString('latin1')),
		'length-too-short': bytes((answer) =>
			Buffer.concat([Buffer.from(headOf(answer, -10)), bodyOf(answer)]),
		),
		'chunk-cut': bytes((answer) => {
			const body = bodyOf(answer).toString('latin1');
			const start = head('200 OK', {
				'Content-Type': 'application/json',
				'Transfer-Encoding': 'chunked',
			});
			return `${start}${body.length.toString(16)}\r\n${body.slice(0, body.length / 2)}`;
		}),
		'status-line-garbage': bytes(() => 'HELO here is no web server\r\n\r\n'),
	}),
	...faults('network', 'after', 'honest', hasAnswer, {
		// It says keep-alive, and closes: the client's next request can meet a dead connection.
		'close-after-answer': bytes((answer) => {
			const start = headOf(answer).replace('\r\n', '\r\nConnection: keep-alive\r\n');
			return Buffer.concat([Buffer.from(start), bodyOf(answer)]);
		}),
	}),
];

/** Answers that take too long, or for ever. The client has to give up on the endless ones. */
const time: Fault[] = [
	...faults(
		'time',
		'both',
		'lost',
		always,
		{
			'stalled-headers': () => {},
			'stalled-within-body': open(halfOf),
			'continue-forever': (wire) => wire.every(() => wire.raw('HTTP/1.1 100 Continue\r\n\r\n')),
			'upgrade-101': open(() =>
				head('101 Switching Protocols', { Upgrade: 'nothing', Connection: 'Upgrade' }),
			),
			// It gives a sign of life all the time, and never comes to an end.
			'drip-byte-by-byte': (wire, answer) => {
				wire.raw(head('200 OK', { 'Content-Type': typeOf(answer), 'Content-Length': 1_000_000 }));
				wire.every(() => wire.raw(' '));
			},
		},
		{ endless: true },
	),
	...faults('time', 'after', 'honest', hasAnswer, {
		'slow-answer': (wire, answer) => wire.later(() => bytes(whole)(wire, answer, {} as never)),
		'slow-body': (wire, answer) => {
			wire.raw(whole(answer).subarray(0, -20));
			wire.later(() => {
				wire.raw(whole(answer).subarray(-20));
				wire.close();
			});
		},
	}),
];

const GZIP = { 'content-encoding': 'gzip' };

/** A client that asks for no compression can meet it all the same. */
const compression: Fault[] = [
	...faults('compression', 'after', 'honest', hasAnswer, {
		gzip: rewritten((body) => gzipSync(body), GZIP),
		br: rewritten((body) => brotliCompressSync(body), { 'content-encoding': 'br' }),
	}),
	...faults('compression', 'both', 'odd', hasAnswer, {
		'gzip-but-plain': rewritten((body) => body, GZIP),
		'gzip-truncated': rewritten((body) => gzipSync(body).subarray(0, -12), GZIP),
	}),
	...faults('compression', 'after', 'odd', hasAnswer, {
		'gzip-not-said': rewritten((body) => gzipSync(body)),
	}),
];

export const connectionFaults: Fault[] = [...network, ...time, ...compression];

import type { Fault, Wire } from '../types.mts';
import { after, before, bodyOf, both, head, pour, typeOf } from './build.mts';

/** Answers that take too long, or for ever. The client has to give up on the endless ones. */

const group = 'time';

function whole(answer: Parameters<typeof bodyOf>[0]): Buffer {
	const body = bodyOf(answer);
	const lines = { 'Content-Type': typeOf(answer), 'Content-Length': body.length };
	return Buffer.concat([Buffer.from(head('200 OK', lines)), body]);
}

/** Sends one byte per interval, from `start` on. */
function drip(wire: Wire, bytes: Buffer, step = 1, then = () => wire.close()): void {
	let sent = 0;
	wire.every(() => {
		if (sent >= bytes.length) return;
		wire.raw(bytes.subarray(sent, sent + step));
		sent += step;
		if (sent >= bytes.length) then();
	});
}

export const timeFaults: Fault[] = [
	before(group, 'stalled-unread', {
		reaches: 'lost',
		unread: true,
		endless: true,
		strike: (_target, wire) => void wire.request.pause(),
	}),
	...both(group, 'stalled-headers', { reaches: 'lost', endless: true, strike: () => {} }),
	...both(group, 'stalled-within-headers', {
		reaches: 'lost',
		endless: true,
		strike: (_target, wire) => wire.raw('HTTP/1.1 200 OK\r\nContent-Type: '),
	}),
	...both(group, 'stalled-body', {
		reaches: 'lost',
		endless: true,
		strike: (_target, wire, answer) => wire.raw(whole(answer).subarray(0, -bodyOf(answer).length)),
	}),
	...both(group, 'stalled-within-body', {
		reaches: 'lost',
		endless: true,
		strike: (_target, wire, answer) =>
			wire.raw(whole(answer).subarray(0, -Math.ceil(bodyOf(answer).length / 2))),
	}),
	...both(group, 'stalled-last-byte', {
		reaches: 'lost',
		endless: true,
		strike: (_target, wire, answer) => wire.raw(whole(answer).subarray(0, -1)),
	}),
	...both(group, 'chunks-never-end', {
		reaches: 'lost',
		endless: true,
		strike: (_target, wire, answer) => {
			const body = bodyOf(answer);
			wire.raw(head('200 OK', { 'Content-Type': typeOf(answer), 'Transfer-Encoding': 'chunked' }));
			wire.raw(`${body.length.toString(16)}\r\n`);
			wire.raw(body);
			wire.raw('\r\n');
		},
	}),
	...both(group, 'close-never-comes', {
		reaches: 'lost',
		endless: true,
		strike: (_target, wire, answer) => {
			wire.raw(head('200 OK', { 'Content-Type': typeOf(answer), Connection: 'close' }));
			wire.raw(bodyOf(answer));
		},
	}),
	...both(group, 'stalled-then-reset', {
		reaches: 'lost',
		strike: (_target, wire) => wire.later(() => wire.reset()),
	}),
	...both(group, 'continue-forever', {
		reaches: 'lost',
		endless: true,
		strike: (_target, wire) => wire.every(() => wire.raw('HTTP/1.1 100 Continue\r\n\r\n')),
	}),
	...both(group, 'processing-forever', {
		reaches: 'lost',
		endless: true,
		strike: (_target, wire) => wire.every(() => wire.raw('HTTP/1.1 102 Processing\r\n\r\n')),
	}),
	...both(group, 'upgrade-101', {
		reaches: 'lost',
		endless: true,
		strike: (_target, wire) =>
			wire.raw(head('101 Switching Protocols', { Upgrade: 'nothing', Connection: 'Upgrade' })),
	}),
	...both(group, 'drip-headers-endless', {
		reaches: 'lost',
		endless: true,
		strike: (_target, wire) => {
			let number = 0;
			wire.raw('HTTP/1.1 200 OK\r\n');
			wire.every(() => wire.raw(`X-${++number}: y\r\n`));
		},
	}),
	...both(group, 'drip-spaces-endless', {
		reaches: 'lost',
		endless: true,
		strike: (_target, wire) => {
			wire.raw(
				head('200 OK', { 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked' }),
			);
			wire.every(() => wire.raw('1\r\n \r\n'));
		},
	}),
	...both(group, 'body-endless', {
		reaches: 'lost',
		endless: true,
		heavy: true,
		strike: (_target, wire) => {
			wire.raw(head('200 OK', { 'Content-Type': 'application/json', Connection: 'close' }));
			wire.raw('{"id":"');
			pour(wire, Buffer.alloc(65_536, 'a'), wire.options.endlessBytes, () => wire.close());
		},
	}),
	...both(group, 'headers-endless', {
		reaches: 'lost',
		endless: true,
		heavy: true,
		strike: (_target, wire) => {
			wire.raw('HTTP/1.1 200 OK\r\n');
			const piece = Buffer.from(`X-More: ${'h'.repeat(1000)}\r\n`);
			pour(wire, piece, wire.options.endlessBytes, () => wire.close());
		},
	}),
	after(group, 'slow-answer', {
		reaches: 'honest',
		appliesTo: ({ kind }) => kind !== 'none',
		strike: (_target, wire, answer) =>
			wire.later(() => {
				wire.raw(whole(answer));
				wire.close(true);
			}),
	}),
	after(group, 'slow-body', {
		reaches: 'honest',
		appliesTo: ({ kind }) => kind !== 'none',
		strike: (_target, wire, answer) => {
			const bytes = whole(answer);
			wire.raw(bytes.subarray(0, -20));
			wire.later(() => {
				wire.raw(bytes.subarray(-20));
				wire.close(true);
			});
		},
	}),
	after(group, 'drip-answer', {
		// In about twenty pieces, whatever its size.
		reaches: 'honest',
		appliesTo: ({ kind }) => kind !== 'none',
		strike: (_target, wire, answer) => {
			const bytes = whole(answer);
			drip(wire, bytes, Math.ceil(bytes.length / 20), () => wire.close(true));
		},
	}),
	...both(group, 'drip-byte-by-byte', {
		// Long answers take longer than any client should wait.
		reaches: 'lost',
		endless: true,
		strike: (_target, wire, answer) => {
			const lines = { 'Content-Type': typeOf(answer), 'Content-Length': 1_000_000 };
			wire.raw(head('200 OK', lines));
			drip(wire, Buffer.alloc(1_000_000, ' '));
		},
	}),
	after(group, 'continue-once', {
		reaches: 'honest',
		appliesTo: ({ kind }) => kind !== 'none',
		strike: (_target, wire, answer) => {
			wire.raw('HTTP/1.1 100 Continue\r\n\r\n');
			wire.raw(whole(answer));
			wire.close(true);
		},
	}),
	after(group, 'early-hints', {
		reaches: 'honest',
		appliesTo: ({ kind }) => kind !== 'none',
		strike: (_target, wire, answer) => {
			wire.raw('HTTP/1.1 103 Early Hints\r\nLink: </style.css>; rel=preload\r\n\r\n');
			wire.raw(whole(answer));
			wire.close(true);
		},
	}),
];

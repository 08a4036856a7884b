import type { Fault, Wire } from '../types.mts';
import {
	after,
	before,
	bodyOf,
	both,
	head,
	isFile,
	isJson,
	isThing,
	pour,
	sendJson,
} from './build.mts';

/** Answers that are too big. */

const group = 'size';

/** Sends `start`, then `bytes` of `piece`, then `end`, as it is read. */
function big(wire: Wire, status: string, start: string, piece: Buffer, end: string): void {
	const bytes = Math.ceil(wire.options.bigBytes / piece.length) * piece.length;
	const length = start.length + bytes + end.length;
	wire.raw(head(status, { 'Content-Type': 'application/json', 'Content-Length': length }));
	wire.raw(start);
	pour(wire, piece, bytes, () => {
		wire.raw(end);
		wire.close(true);
	});
}

const LETTERS = Buffer.alloc(65_536, 'a');

export const sizeFaults: Fault[] = [
	...both(group, 'huge-text', {
		reaches: 'odd',
		heavy: true,
		appliesTo: isJson,
		strike: (_target, wire) => big(wire, '200 OK', '{"id":"ot_huge","text":"', LETTERS, '"}'),
	}),
	...both(group, 'huge-id', {
		reaches: 'odd',
		heavy: true,
		appliesTo: isJson,
		strike: (_target, wire) => big(wire, '200 OK', '{"id":"', LETTERS, '"}'),
	}),
	...both(group, 'huge-list', {
		reaches: 'odd',
		heavy: true,
		appliesTo: isJson,
		strike: (_target, wire) =>
			big(wire, '200 OK', '[', Buffer.from('{"id":"ot_aaaaaaa"},'.repeat(1000)), '{}]'),
	}),
	...both(group, 'huge-spaces', {
		reaches: 'odd',
		heavy: true,
		appliesTo: isJson,
		strike: (_target, wire) =>
			big(wire, '200 OK', '{"id":"ot_spaces"', Buffer.alloc(65_536, ' '), '}'),
	}),
	...both(group, 'huge-refusal', {
		reaches: 'refused',
		heavy: true,
		strike: (_target, wire) => big(wire, '500 Oops', '{"errors":["', LETTERS, '"]}'),
	}),
	before(group, 'huge-refusal-422', {
		reaches: 'refused',
		heavy: true,
		strike: (_target, wire) => big(wire, '422 Refused', '{"errors":["', LETTERS, '"]}'),
	}),
	...both(group, 'length-of-a-petabyte', {
		// The head promises what no disk can hold, then the connection ends.
		reaches: 'lost',
		strike: (_target, wire, answer) => {
			wire.raw(head('200 OK', { 'Content-Length': 2 ** 50 }));
			wire.raw(bodyOf(answer));
			wire.close();
		},
	}),
	after(group, 'header-12-kb', {
		reaches: 'honest',
		strike: (_target, wire, answer) =>
			wire.reply(
				answer?.status ?? 200,
				{ ...answer?.headers, 'x-long': 'x'.repeat(12_000) },
				answer?.body,
			),
	}),
	after(group, 'headers-100', {
		reaches: 'honest',
		strike: (_target, wire, answer) => {
			const many = Array.from({ length: 100 }, (_, n) => [`x-many-${n}`, 'y']);
			wire.reply(
				answer?.status ?? 200,
				{ ...answer?.headers, ...Object.fromEntries(many) },
				answer?.body,
			);
		},
	}),
	...both(group, 'headers-5000', {
		// More than Node's client takes by default.
		reaches: 'lost',
		strike: (_target, wire) => {
			const many = Array.from({ length: 5000 }, (_, n) => [`X-Many-${n}`, 'yyyyyyyyyy']);
			wire.raw(head('200 OK', { ...Object.fromEntries(many), 'Content-Length': 0 }));
			wire.close();
		},
	}),
	after(group, 'field-1-mb', {
		reaches: 'honest',
		appliesTo: isThing,
		strike: (_target, wire, answer) =>
			sendJson(wire, { ...(answer?.json as object), brand_new: 'x'.repeat(1_000_000) }),
	}),
	after(group, 'fields-100000', {
		reaches: 'honest',
		appliesTo: isThing,
		strike: (_target, wire, answer) => {
			const many = Array.from({ length: 100_000 }, (_, n) => [`f${n}`, n]);
			sendJson(wire, { ...(answer?.json as object), brand_new: Object.fromEntries(many) });
		},
	}),
	after(group, 'huge-file', {
		reaches: 'odd',
		heavy: true,
		appliesTo: isFile,
		strike: (_target, wire) => big(wire, '200 OK', '%PDF-1.4\n', LETTERS, '%%EOF'),
	}),
];

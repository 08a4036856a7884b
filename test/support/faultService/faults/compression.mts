import { brotliCompressSync, createGzip, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';

import type { Fault } from '../types.mts';
import { after, before, bodyOf, both, head, rewritten } from './build.mts';

/** Compressed answers. A client that asks for no compression can meet them all the same. */

const group = 'compression';

const says = (encoding: string) => () => ({ 'content-encoding': encoding });
const hasBody = ({ kind }: { kind: string }) => kind !== 'none';

const HONEST: Record<string, [string, (body: Buffer) => Buffer]> = {
	gzip: ['gzip', (body) => gzipSync(body)],
	'x-gzip': ['x-gzip', (body) => gzipSync(body)],
	'gzip-upper-case': ['GZIP', (body) => gzipSync(body)],
	'gzip-two-members': [
		'gzip',
		(body) => Buffer.concat([gzipSync(body.subarray(0, 9)), gzipSync(body.subarray(9))]),
	],
	deflate: ['deflate', (body) => deflateSync(body)],
	br: ['br', (body) => brotliCompressSync(body)],
	identity: ['identity', (body) => body],
};

/** Valid by the letter, but clients differ. */
const UNUSUAL: Record<string, [string, (body: Buffer) => Buffer]> = {
	'deflate-raw': ['deflate', (body) => deflateRawSync(body)],
	'gzip-twice': ['gzip, gzip', (body) => gzipSync(gzipSync(body))],
	'br-in-gzip': ['br, gzip', (body) => gzipSync(brotliCompressSync(body))],
};

const WRONG: Record<string, [string, (body: Buffer) => Buffer]> = {
	'gzip-but-plain': ['gzip', (body) => body],
	'br-but-plain': ['br', (body) => body],
	'deflate-but-plain': ['deflate', (body) => body],
	'gzip-but-br': ['gzip', (body) => brotliCompressSync(body)],
	'gzip-truncated': ['gzip', (body) => gzipSync(body).subarray(0, -12)],
	'gzip-only-header': ['gzip', (body) => gzipSync(body).subarray(0, 10)],
	'gzip-empty': ['gzip', () => Buffer.alloc(0)],
	'gzip-wrong-checksum': [
		'gzip',
		(body) => {
			const bytes = gzipSync(body);
			bytes[bytes.length - 8] ^= 0xff;
			return bytes;
		},
	],
	'gzip-and-garbage': [
		'gzip',
		(body) => Buffer.concat([gzipSync(body), Buffer.from('garbage at the end')]),
	],
	'gzip-twice-said-once': ['gzip', (body) => gzipSync(gzipSync(body))],
	'br-truncated': ['br', (body) => brotliCompressSync(body).subarray(0, -4)],
	'unknown-encoding': ['frob', (body) => body],
	'zstd-but-plain': ['zstd', (body) => body],
};

function table(
	entries: typeof HONEST,
	reaches: Fault['reaches'],
	make: typeof both | ((...all: Parameters<typeof after>) => Fault[]),
): Fault[] {
	return Object.entries(entries).flatMap(([name, [encoding, pack]]) =>
		make(group, name, { reaches, appliesTo: hasBody, strike: rewritten(pack, says(encoding)) }),
	);
}

const onlyAfter = (...all: Parameters<typeof after>) => [after(...all)];

export const compressionFaults: Fault[] = [
	...table(HONEST, 'honest', onlyAfter),
	...table(UNUSUAL, 'odd', onlyAfter),
	...table(WRONG, 'odd', both),
	after(group, 'gzip-not-said', {
		reaches: 'odd',
		appliesTo: hasBody,
		strike: rewritten((body) => gzipSync(body)),
	}),
	before(group, 'refusal-gzip', {
		reaches: 'refused',
		strike: (_target, wire) =>
			wire.reply(
				422,
				{ 'content-type': 'application/json', 'content-encoding': 'gzip' },
				gzipSync('{"errors":["Refused in gzip"]}'),
			),
	}),
	before(group, 'refusal-gzip-but-plain', {
		reaches: 'refused',
		strike: (_target, wire) =>
			wire.reply(
				422,
				{ 'content-type': 'application/json', 'content-encoding': 'gzip' },
				'{"errors":["Refused without gzip"]}',
			),
	}),
	...both(group, 'gzip-bomb', {
		reaches: 'odd',
		heavy: true,
		appliesTo: hasBody,
		strike: (_target, wire) => {
			const type = { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' };
			wire.raw(head('200 OK', { ...type, Connection: 'close' }));
			const packed = createGzip();
			wire.socket.once('close', () => packed.destroy());
			packed.pipe(wire.socket, { end: false });
			packed.once('end', () => wire.close(true));
			packed.write('{"id":"ot_bomb","text":"');
			const piece = Buffer.alloc(1024 * 1024, 'a');
			let left = wire.options.bombBytes;
			const fill = () => {
				while (left > 0 && !packed.destroyed) {
					left -= piece.length;
					if (!packed.write(piece)) return void packed.once('drain', fill);
				}
				if (!packed.destroyed) packed.end('"}');
			};
			fill();
		},
	}),
	after(group, 'gzip-cut-by-close', {
		reaches: 'lost',
		appliesTo: hasBody,
		strike: (_target, wire, answer) => {
			const type = { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' };
			wire.raw(head('200 OK', { ...type, Connection: 'close' }));
			const bytes = gzipSync(bodyOf(answer));
			wire.raw(bytes.subarray(0, bytes.length / 2));
			wire.close();
		},
	}),
];

import { gzipSync } from 'node:zlib';

import type { Fault } from '../types.mts';
import { after, before, bodyOf, head, isFile, rewritten, typeOf } from './build.mts';

/** Downloads: finished documents, the audit trail, images and the video. */

const group = 'binary';
const XML = (code: string) => `<?xml version="1.0"?><Error><Code>${code}</Code></Error>`;

const INSTEAD: Record<string, [status: number, type: string, body: string]> = {
	'html-instead': [200, 'text/html', '<!DOCTYPE html><html><body>Sign in</body></html>'],
	'html-as-pdf': [200, 'application/pdf', '<!DOCTYPE html><html><body>Sign in</body></html>'],
	'json-instead': [200, 'application/json', '{"errors":["Document Not Found"]}'],
	'xml-instead': [200, 'application/xml', XML('SlowDown')],
	empty: [200, 'application/pdf', ''],
	'link-expired': [403, 'application/xml', XML('AccessDenied')],
	'link-expired-400': [400, 'application/xml', XML('ExpiredToken')],
	'link-dead': [404, 'application/xml', XML('NoSuchKey')],
	'link-slow-down': [503, 'application/xml', XML('SlowDown')],
};

const NAMES: Record<string, string> = {
	'name-with-path': 'attachment; filename="../../etc/passwd"',
	'name-windows': 'attachment; filename="C:\\\\Windows\\\\con.pdf"',
	'name-utf-8': "attachment; filename*=UTF-8''Stra%C3%9Fe%20%E2%82%AC.pdf",
	'name-broken': 'attachment; filename="unclosed',
	'name-empty': 'attachment; filename=""',
	'name-long': `attachment; filename="${'n'.repeat(4000)}.pdf"`,
};

export const binaryFaults: Fault[] = [
	...Object.entries(INSTEAD).map(([name, [status, type, body]]) =>
		before(group, name, {
			reaches: status === 200 ? 'odd' : 'refused',
			appliesTo: isFile,
			strike: (_target, wire) => wire.reply(status, { 'content-type': type }, body),
		}),
	),
	before(group, 'status-204', {
		reaches: 'odd',
		appliesTo: isFile,
		strike: (_target, wire) => wire.reply(204, {}),
	}),
	...Object.entries({
		'type-wrong': 'image/gif',
		'type-octets': 'application/octet-stream',
		'type-json': 'application/json',
		'type-with-charset': 'application/pdf; charset=utf-8',
	}).map(([name, type]) =>
		after(group, name, {
			reaches: name === 'type-octets' ? 'honest' : 'odd',
			appliesTo: isFile,
			strike: rewritten(
				(body) => body,
				() => ({ 'content-type': type }),
			),
		}),
	),
	after(group, 'type-missing', {
		reaches: 'honest',
		appliesTo: isFile,
		strike: (_target, wire, answer) => wire.reply(200, {}, bodyOf(answer)),
	}),
	after(group, 'cut', {
		// The length is right for what is sent, so only the file itself shows it.
		reaches: 'odd',
		appliesTo: isFile,
		strike: rewritten((body) => body.subarray(0, body.length / 2)),
	}),
	after(group, 'cut-by-close', {
		reaches: 'lost',
		appliesTo: isFile,
		strike: (_target, wire, answer) => {
			const body = bodyOf(answer);
			wire.raw(head('200 OK', { 'Content-Type': typeOf(answer), 'Content-Length': body.length }));
			wire.raw(body.subarray(0, -1));
			wire.close();
		},
	}),
	after(group, 'status-206', {
		reaches: 'odd',
		appliesTo: isFile,
		strike: (_target, wire, answer) => {
			const body = bodyOf(answer);
			wire.reply(
				206,
				{ 'content-type': typeOf(answer), 'content-range': `bytes 0-9/${body.length}` },
				body.subarray(0, 10),
			);
		},
	}),
	after(group, 'doubled', {
		reaches: 'odd',
		appliesTo: isFile,
		strike: rewritten((body) => Buffer.concat([body, body])),
	}),
	after(group, 'base64-instead', {
		reaches: 'odd',
		appliesTo: isFile,
		strike: rewritten((body) => body.toString('base64')),
	}),
	after(group, 'as-text', {
		// What becomes of bytes that somebody read as UTF-8.
		reaches: 'odd',
		appliesTo: isFile,
		strike: rewritten((body) => body.toString('utf8')),
	}),
	after(group, 'newline-first', {
		reaches: 'odd',
		appliesTo: isFile,
		strike: rewritten((body) => Buffer.concat([Buffer.from('\r\n'), body])),
	}),
	after(group, 'gzip', {
		reaches: 'honest',
		appliesTo: isFile,
		strike: rewritten(
			(body) => gzipSync(body),
			() => ({ 'content-encoding': 'gzip' }),
		),
	}),
	after(group, 'chunked', {
		reaches: 'honest',
		appliesTo: isFile,
		strike: (_target, wire, answer) => {
			wire.raw(head('200 OK', { 'Content-Type': typeOf(answer), 'Transfer-Encoding': 'chunked' }));
			const body = bodyOf(answer);
			for (let start = 0; start < body.length; start += 1000) {
				const piece = body.subarray(start, start + 1000);
				wire.raw(`${piece.length.toString(16)}\r\n`);
				wire.raw(piece);
				wire.raw('\r\n');
			}
			wire.raw('0\r\n\r\n');
			wire.close(true);
		},
	}),
	...Object.entries(NAMES).map(([name, disposition]) =>
		after(group, name, {
			reaches: 'honest',
			appliesTo: isFile,
			strike: rewritten(
				(body) => body,
				() => ({ 'content-disposition': disposition }),
			),
		}),
	),
];

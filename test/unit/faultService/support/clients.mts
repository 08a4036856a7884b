import { Agent, request, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';

import type { FaultService } from '../../../support/faultService/service.mts';
import type { Json } from '../../../support/faultService/types.mts';

const MOST_PATIENT_MS = 20_000;

/** What a bare socket sees of an answer. */
export interface Seen {
	bytes: Buffer;
	/** The stream ended, was reset, or is still open when the time is over. */
	end: 'closed' | 'reset' | 'open';
	status?: number;
	/** The head, with names in lower case and without the date. */
	head: string;
	body: Buffer;
}

export interface Call {
	method: string;
	/** An absolute URL. */
	url: string;
	headers?: Record<string, string>;
	body?: string | Buffer;
}

/**
 * Sends a request over a socket of its own, and reads until it ends or for `limitMs`, and on a busy
 * machine until enough has come. After more than `mostBytes` it hangs up.
 */
export function seeRaw(
	call: Call,
	limitMs: number,
	isEnough: (bytes: Buffer) => boolean = () => true,
	mostBytes = Infinity,
): Promise<Seen> {
	const url = new URL(call.url);
	const body = Buffer.from(call.body ?? '');
	const lines = [
		`${call.method} ${url.pathname}${url.search} HTTP/1.1`,
		`Host: ${url.host}`,
		'Connection: close',
		...(body.length > 0 ? [`Content-Length: ${body.length}`] : []),
		...Object.entries(call.headers ?? {}).map(([name, value]) => `${name}: ${value}`),
	];
	return new Promise((done) => {
		const chunks: Buffer[] = [];
		const socket = connect(Number(url.port), url.hostname);
		const finish = (end: Seen['end']) => {
			clearTimeout(timer);
			socket.destroy();
			done(parse(Buffer.concat(chunks), end));
		};
		const deadline = Date.now() + MOST_PATIENT_MS;
		const look = () => {
			if (isEnough(Buffer.concat(chunks)) || Date.now() > deadline) finish('open');
			else timer = setTimeout(look, limitMs);
		};
		let timer = setTimeout(look, limitMs);
		let size = 0;
		socket.on('data', (chunk) => {
			chunks.push(chunk);
			size += chunk.length;
			if (size > mostBytes) finish('open');
		});
		socket.on('end', () => finish('closed'));
		socket.on('error', () => finish('reset'));
		socket.write(`${lines.join('\r\n')}\r\n\r\n`);
		socket.write(body);
	});
}

function parse(bytes: Buffer, end: Seen['end']): Seen {
	const split = bytes.indexOf('\r\n\r\n');
	const head = bytes.toString('latin1', 0, split < 0 ? bytes.length : split);
	const status = /^HTTP\/1\.1 (\d{3})/.exec(head)?.[1];
	return {
		bytes,
		end,
		...(status ? { status: Number(status) } : {}),
		head: head.toLowerCase().replace(/\r\n(date|x-amz-trace-id): [^\r]*/g, ''),
		body: split < 0 ? Buffer.alloc(0) : bytes.subarray(split + 4),
	};
}

const DECODERS: Record<string, (bytes: Buffer) => Buffer> = {
	gzip: gunzipSync,
	'x-gzip': gunzipSync,
	deflate: inflateSync,
	br: brotliDecompressSync,
};

/**
 * What a client with a connection of its own gets, or nothing if that fails or takes longer than
 * `limitMs`, counted from when it's due. Redirects aren't followed.
 */
export async function readAnswer(
	{ url, method, headers, body }: Call,
	limitMs: number,
	isDue: () => boolean = () => true,
): Promise<{ status: number; bytes: Buffer } | undefined> {
	const giveUp = new AbortController();
	const options = { method, headers, agent: new Agent(), signal: giveUp.signal };
	let timer: NodeJS.Timeout | undefined;
	let over = false;
	void until(() => over || isDue()).then(() => {
		if (!over) timer = setTimeout(() => giveUp.abort(), limitMs);
	});
	try {
		const answer = await new Promise<IncomingMessage>((done, fail) => {
			const sent = request(url, options, done);
			sent.on('error', fail);
			sent.on('upgrade', (_answer, socket) => {
				// Whoever asked for no upgrade has to hang up itself.
				socket.destroy();
				fail(new Error('upgraded'));
			});
			sent.end(body);
		});
		const chunks: Buffer[] = [];
		for await (const chunk of answer) chunks.push(chunk);
		// An answer that ends with its connection looks whole when the client itself gives up.
		if (options.signal.aborted) return undefined;
		const bytes = Buffer.concat(chunks);
		const decode = DECODERS[(answer.headers['content-encoding'] ?? '').toLowerCase()];
		return { status: answer.statusCode ?? 0, bytes: decode ? tryTo(decode, bytes) : bytes };
	} catch {
		return undefined;
	} finally {
		over = true;
		clearTimeout(timer);
	}
}

function tryTo(decode: (bytes: Buffer) => Buffer, bytes: Buffer): Buffer {
	try {
		return decode(bytes);
	} catch {
		return Buffer.alloc(0);
	}
}

/** Waits until something is so. */
export async function until(condition: () => boolean): Promise<void> {
	while (!condition()) await new Promise((done) => setTimeout(done, 5));
}

/** A plain client with fetch, as `{ status, json }`. */
export function clientOf(service: FaultService) {
	return async (method: string, path: string, body?: unknown) => {
		const answer = await fetch(service.url + path, {
			method,
			headers: { ApiKey: service.key, 'content-type': 'application/json' },
			...(body === undefined ? {} : { body: JSON.stringify(body) }),
		});
		const text = await answer.text();
		const json: Json = text === '' ? {} : JSON.parse(text);
		return { status: answer.status, json };
	};
}

import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { IDataObject } from 'n8n-workflow';

import { CALLS } from './calls.mts';
import { Colleague } from './colleague.mts';
import { Refusal } from './input.mts';
import { Kept, type KeptOptions, type Platform } from './kept.mts';

export type * from './kept.mts';

/**
 * A service that keeps what it is told, written from its documentation alone, to judge the node by
 * what has become of it there.
 */
export interface KeptService extends AsyncDisposable {
	url: string;
	kept: Kept;
	colleague: Colleague;
}

/** The prefixes of both path layouts. */
const PREFIXES: Array<[RegExp, Platform]> = [
	[/^\/mortgage\/v[12](?=\/)/, 'realEstate'],
	[/^(\/v1)?(?=\/)/, 'business'],
];

export async function startKeptService(options: Partial<KeptOptions> = {}): Promise<KeptService> {
	const kept = new Kept();
	kept.reset(options);
	const server = createServer((request, response) => void serve(kept, request, response)).listen(
		0,
		'127.0.0.1',
	);
	await once(server, 'listening');
	kept.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	return {
		url: kept.url,
		kept,
		colleague: new Colleague(kept),
		[Symbol.asyncDispose]: async () => {
			server.closeAllConnections();
			server.close();
			await once(server, 'close');
		},
	};
}

async function serve(kept: Kept, request: IncomingMessage, response: ServerResponse) {
	const parts: Buffer[] = [];
	for await (const part of request) parts.push(part as Buffer);
	const method = request.method!;
	const { pathname, searchParams } = new URL(request.url!, kept.url);
	const text = Buffer.concat(parts).toString();
	const file = kept.transactions
		.flatMap(({ documents }) => documents)
		.find(({ id }) => pathname === `/files/${id}`);
	if (file !== undefined) {
		response.writeHead(200, { 'content-type': 'application/pdf' }).end(file.bytes);
		return;
	}
	const { status, answer, body } = answerTo(kept, method, pathname, searchParams, text, request);
	if (method !== 'GET') {
		const contents = ['resource', 'document', 'file'];
		const shown = Object.entries(body).filter(([name]) => !contents.includes(name));
		kept.writes.push({ method, path: pathname, body: Object.fromEntries(shown), status });
	}
	response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
}

function answerTo(
	kept: Kept,
	method: string,
	pathname: string,
	query: URLSearchParams,
	text: string,
	{ headers }: IncomingMessage,
): { status: number; answer: unknown; body: IDataObject } {
	let body: IDataObject = {};
	try {
		if (!headers.apikey) throw new Refusal(401, 'Invalid authentication credentials');
		if (method === 'GET' && text !== '') throw new Refusal(403, 'A GET has no body');
		if (text !== '') body = JSON.parse(text) as IDataObject;
		const [prefix, platform] = PREFIXES.find(([pattern]) => pattern.test(pathname))!;
		const path = pathname.replace(prefix, '').replace(/\/$/, '');
		for (const [verb, pattern, call, on = platform] of CALLS) {
			const found = verb === method && on === platform ? pattern.exec(path) : null;
			if (found === null) continue;
			const parts = found.slice(1).map(decodeURIComponent);
			return { status: 200, answer: call({ kept, platform, query, body, parts }), body };
		}
		return { status: 404, answer: { errors: { request: 'resource not found' } }, body };
	} catch (error) {
		const { message } = error as Error;
		if (!(error instanceof Refusal)) return { status: 500, answer: { error: String(error) }, body };
		const more = error.status === 401 ? { message } : {};
		return { status: error.status, answer: { ...more, errors: [message] }, body };
	}
}

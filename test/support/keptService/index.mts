import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { IDataObject } from 'n8n-workflow';

import { CALLS } from './calls.mts';
import { Colleague } from './colleague.mts';
import { Refusal } from './input.mts';
import { Kept, without, type KeptOptions, type Platform } from './kept.mts';

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
	[/^(\w+ )\/mortgage\/v[12](?=\/)/, 'realEstate'],
	[/^(\w+ )(?:\/v1)?(?=\/)/, 'business'],
];
const NOWHERE = 'resource not found';
const PDF = { 'content-type': 'application/pdf' };
const JSON_TYPE = { 'content-type': 'application/json' };

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

/** What a request comes to. */
function answerTo(kept: Kept, asked: string, query: URLSearchParams, body: IDataObject): unknown {
	const [prefix, platform] = PREFIXES.find(([pattern]) => pattern.test(asked))!;
	const path = asked.replace(prefix, '$1').replace(/\/$/, '');
	const ids = [...path.matchAll(/\/(?:transactions|documents)\/([^/]+)/g)].map(([, id]) => id);
	const pattern = path.replaceAll(/(\/(?:transactions|documents)\/)[^/]+/g, '$1*');
	const call = CALLS[platform][pattern];
	if (call === undefined) throw new Refusal(404, NOWHERE);
	return call({ kept, platform, query, body, ids: ids.map(decodeURIComponent) });
}

async function serve(kept: Kept, request: IncomingMessage, response: ServerResponse) {
	const parts: Buffer[] = [];
	for await (const part of request) parts.push(part as Buffer);
	const text = Buffer.concat(parts).toString();
	const { method = '', headers } = request;
	const { pathname: path, searchParams } = new URL(request.url!, kept.url);
	const documents = kept.transactions.flatMap((one) => one.documents);
	const file = documents.find(({ id }) => path === `/files/${id}`);
	if (file !== undefined) return response.writeHead(200, PDF).end(file.bytes);
	let [status, body]: [number, IDataObject] = [200, {}];
	let answer: unknown;
	try {
		if (!headers.apikey) throw new Refusal(401, 'Invalid authentication credentials');
		if (method === 'GET' && text !== '') throw new Refusal(403, 'A GET has no body');
		if (text !== '') body = JSON.parse(text) as IDataObject;
		answer = answerTo(kept, `${method} ${path}`, searchParams, body);
	} catch (error) {
		const { message } = error as Error;
		status = error instanceof Refusal ? error.status : 500;
		const errors = message === NOWHERE ? { request: message } : [message];
		answer = { errors, ...(status === 401 && { message }) };
	}
	const shown = without(body, ['resource', 'document', 'file']);
	if (method !== 'GET') kept.writes.push({ method, path, body: shown, status });
	return response.writeHead(status, JSON_TYPE).end(JSON.stringify(answer));
}

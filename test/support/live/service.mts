import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { ICredentialDataDecryptedObject, IDataObject } from 'n8n-workflow';

import { credentialFor } from '../engine.mts';

/**
 * A service that answers what a test tells it to, for answers that the sandbox does not give. The
 * test says what a live service was seen to answer (docs/service/README.md).
 */

/** A request as it came in. */
export interface AskedFor {
	method: string;
	/** Without the query. */
	path: string;
	query: Record<string, string>;
	headers: IncomingMessage['headers'];
	/** Parsed JSON, or the text. */
	body: unknown;
}

/** An answer: `body` is sent as it is when it is text or bytes, else as JSON. */
export interface Answer {
	status?: number;
	headers?: Record<string, string>;
	body?: unknown;
	/** Answers in its own way, e.g. by cutting the connection. */
	respond?: (response: ServerResponse) => void;
}

/** Says what to answer; a request that it does not know is answered with 404. */
export type Script = (request: AskedFor) => Answer | undefined;

export interface PlayedService {
	url: string;
	requests: AskedFor[];
	credential: ICredentialDataDecryptedObject;
	/** The bodies of the requests with this method, in order. */
	bodies(method: string): IDataObject[];
}

/** Runs `work` with a service that follows the script, and ends the service in any case. */
export async function withService<T>(
	script: Script,
	work: (service: PlayedService) => Promise<T>,
): Promise<T> {
	const requests: AskedFor[] = [];
	const server = createServer((incoming, response) => {
		void answer(incoming, response, script, requests);
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	try {
		return await work({
			url,
			requests,
			credential: credentialFor(url, { pathLayout: 'current' }),
			bodies: (method) =>
				requests.filter((request) => request.method === method).map(({ body }) => body) as never,
		});
	} finally {
		server.closeAllConnections();
		server.close();
	}
}

async function answer(
	incoming: IncomingMessage,
	response: ServerResponse,
	script: Script,
	requests: AskedFor[],
): Promise<void> {
	const parts: Buffer[] = [];
	for await (const part of incoming) parts.push(part as Buffer);
	const { pathname, searchParams } = new URL(incoming.url!, 'http://service');
	const request: AskedFor = {
		method: incoming.method!,
		path: pathname,
		query: Object.fromEntries(searchParams),
		headers: incoming.headers,
		body: parsed(Buffer.concat(parts).toString()),
	};
	requests.push(request);
	const given = script(request) ?? { status: 404, body: { errors: ['Not Found'] } };
	if (given.respond !== undefined) {
		given.respond(response);
		return;
	}
	const { body = '', headers = {}, status = 200 } = given;
	const plain = typeof body === 'string' || Buffer.isBuffer(body);
	response.writeHead(status, { 'content-type': 'application/json', ...headers });
	response.end(plain ? body : JSON.stringify(body));
}

function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return text;
	}
}

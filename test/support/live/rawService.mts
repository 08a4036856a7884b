import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { waitUntil } from '../../../host/run/patience.mts';
import { credentialFor } from '../engine.mts';

/** A service that misbehaves on the wire, and that sees which connections stay open. */
export interface RawService extends AsyncDisposable {
	url: string;
	credential: ICredentialDataDecryptedObject;
	/** The requests so far: the method and the path, without the query. */
	asked: string[];
	/** Bytes that left for the node, over all connections, headers included. */
	sent(): number;
	/** Waits until the node has ended all of its connections; the service itself ends none. */
	untilLeft(): Promise<void>;
}

/** Answers in its own way. The request's body is unread. */
export type RawHandler = (
	request: IncomingMessage,
	response: ServerResponse,
	asked: string,
) => void | Promise<void>;

/** Starts the service. It ends with the test that holds it with `await using`. */
export async function startRawService(handle: RawHandler): Promise<RawService> {
	const asked: string[] = [];
	const all: Socket[] = [];
	const requests: IncomingMessage[] = [];
	const server = createServer({ keepAliveTimeout: 0, requestTimeout: 0 }, (request, response) => {
		const what = `${request.method} ${request.url?.split('?')[0]}`;
		asked.push(what);
		requests.push(request);
		// A node that leaves in the middle is no fault of the service.
		response.on('error', () => undefined);
		request.on('error', () => undefined);
		Promise.resolve(handle(request, response, what)).catch(() => undefined);
	});
	server.on('connection', (socket) => {
		all.push(socket);
		socket.on('error', () => undefined);
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	return {
		url,
		credential: credentialFor(url, { pathLayout: 'current' }),
		asked,
		sent: () => all.reduce((sum, { bytesWritten }) => sum + bytesWritten, 0),
		untilLeft: async () => {
			// A service that doesn't read doesn't see that a connection has ended.
			for (const request of requests) request.resume();
			const open = () => all.filter(({ closed }) => !closed).length;
			await waitUntil(
				() => open() === 0,
				() => `${open()} connections stay open`,
				{ pauseMs: 20 },
			);
		},
		[Symbol.asyncDispose]: async () => {
			for (const socket of all) socket.destroy();
			server.close();
			await once(server, 'close');
		},
	};
}

const JSON_HEAD = { 'content-type': 'application/json' };
/** How an answer begins that doesn't come to its end. */
interface Beginning {
	status?: number;
	first?: string;
	headers?: Record<string, string>;
}

/** Answers with JSON. */
export function json(response: ServerResponse, body: unknown, status = 200): void {
	response.writeHead(status, JSON_HEAD).end(JSON.stringify(body));
}

/** Begins an answer and sends a byte of it now and then, for ever. */
export async function drip(response: ServerResponse, beginning: Beginning = {}): Promise<void> {
	begin(response, beginning);
	while (!response.destroyed) {
		await wait(10);
		response.write('x');
	}
}

/** Begins an answer and sends as much of it as the node takes, for ever. */
export async function flood(response: ServerResponse, beginning: Beginning = {}): Promise<void> {
	const much = 'x'.repeat(64 * 1024);
	begin(response, beginning);
	while (!response.destroyed) {
		response.write(much);
		do await wait(1);
		while (response.writableNeedDrain && !response.destroyed);
	}
}

/** Begins an answer and keeps silent. */
export function begin(
	response: ServerResponse,
	{ status = 200, first = '{"id":"', headers = JSON_HEAD }: Beginning = {},
): void {
	response.writeHead(status, headers).write(first);
}

/** Answers 101, which nobody asked for. */
export function upgrade(request: IncomingMessage): void {
	request.socket.write(
		'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
	);
}

/** Ends a connection in the middle of an answer. */
export function cut(response: ServerResponse, first = '{"id":"'): void {
	response.writeHead(200, { ...JSON_HEAD, 'content-length': '5000' });
	response.write(first);
	setTimeout(() => response.socket?.destroy(), 20);
}

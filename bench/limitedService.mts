import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { Limiter } from './limiters.mts';

/** A request that the service got. */
export interface LimitedRequest {
	method: string;
	path: string;
	/** Milliseconds since 1970. */
	at: number;
	accepted: boolean;
}

/** A service that has any transaction, and a rate limit. */
export interface LimitedService extends AsyncDisposable {
	url: string;
	requests: LimitedRequest[];
	/** The most requests that were open at once. */
	mostAtOnce: () => number;
	close: () => Promise<void>;
}

/**
 * Starts a service with a rate limit. It ends with the block that holds it with `await using`.
 * @param options.status that of refusals
 * @param options.answerMs how long an answer takes, in milliseconds
 * @param options.answer what it answers; by default the transaction that is asked for
 */
export async function startLimitedService(
	limiter: Limiter,
	{
		status = 429,
		answerMs = 0,
		answer = oneTransaction,
	}: {
		status?: number;
		answerMs?: number;
		answer?: (method: string, path: string) => unknown;
	} = {},
): Promise<LimitedService> {
	const requests: LimitedRequest[] = [];
	let open = 0;
	let most = 0;
	const server = createServer((request, response) => {
		const path = request.url ?? '';
		const at = Date.now();
		const { accepted, headers } = limiter(at);
		requests.push({ method: request.method ?? '', path, at, accepted });
		most = Math.max(most, ++open);
		const body = accepted
			? answer(request.method ?? '', path.split('?')[0])
			: { errors: ['Too many requests'] };
		request.resume().on('end', () => {
			setTimeout(() => {
				open--;
				response
					.writeHead(accepted ? 200 : status, { 'content-type': 'application/json', ...headers })
					.end(JSON.stringify(body));
			}, answerMs);
		});
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	const close = async () => {
		server.closeAllConnections();
		server.close();
		await once(server, 'close');
	};
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		requests,
		mostAtOnce: () => most,
		close,
		[Symbol.asyncDispose]: close,
	};
}

function oneTransaction(_method: string, path: string): unknown {
	return { id: path.split('/').at(-1), status: 'draft', detailed_status: 'draft' };
}

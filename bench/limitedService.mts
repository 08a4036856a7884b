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
 */
export async function startLimitedService(
	limiter: Limiter,
	{ status = 429, answerMs = 0 }: { status?: number; answerMs?: number } = {},
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
			? { id: path.split('?')[0].split('/').at(-1), status: 'draft', detailed_status: 'draft' }
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

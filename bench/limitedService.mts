import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';

import type { AnswerTime } from './answerTimes.mts';
import type { Verdict } from './limiters.mts';

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
 * @param limiter decides about a request by the time of its arrival and its item
 * @param options.status that of refusals
 * @param options.answerMs how long an answer takes, in milliseconds
 * @param options.answer what it answers; by default the transaction that is asked for
 */
export async function startLimitedService(
	limiter: (now: number, item: number) => Verdict,
	{
		status = 429,
		answerMs = 0,
		answer = oneTransaction,
	}: {
		status?: number;
		answerMs?: number | AnswerTime;
		answer?: (method: string, path: string) => unknown;
	} = {},
): Promise<LimitedService> {
	const requests: LimitedRequest[] = [];
	const takes = typeof answerMs === 'number' ? () => answerMs : answerMs;
	let open = 0;
	let most = 0;
	const server = createServer((request, response) => {
		const { method = '', url = '' } = request;
		const [path] = url.split('?');
		const at = Date.now();
		const { accepted, headers } = limiter(at, itemOf(path));
		requests.push({ method, path: url, at, accepted });
		most = Math.max(most, ++open);
		const opened = open;
		void (async () => {
			const sent = await text(request).catch(() => '');
			await wait(takes(itemOf(path, sent), opened));
			open--;
			response
				.writeHead(accepted ? 200 : status, { 'content-type': 'application/json', ...headers })
				.end(JSON.stringify(accepted ? answer(method, path) : { errors: ['Too many requests'] }));
		})();
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

/** The number of the item that a request is about: of its transaction's ID, or else of its name. */
function itemOf(path: string, body = ''): number {
	const [, item] = /_(\d+)(?:\/|$)/.exec(path) ?? /"transaction_name":"\D*(\d+)"/.exec(body) ?? [];
	return Number(item ?? 0);
}

function oneTransaction(_method: string, path: string): unknown {
	return { id: path.split('/').at(-1), status: 'draft', detailed_status: 'draft' };
}

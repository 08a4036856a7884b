import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a small service answers to a request; undefined stands for 404. */
export type SmallAnswer =
	{ status?: number; headers?: Record<string, string>; body: unknown } | undefined;

/** A service of a few paths, for what the sandbox can't be made to do. */
export interface SmallService extends AsyncDisposable {
	url: string;
	/** The requests so far: the method and the path, with its query. */
	asked: string[];
}

/**
 * Starts a small service. It ends with the test that holds it with `await using`.
 * @param answer gets each request as `METHOD /path`, and its query. An answer whose body is undefined
 *   is empty
 */
export async function startSmallService(
	answer: (request: string, query: URLSearchParams) => SmallAnswer,
): Promise<SmallService> {
	const asked: string[] = [];
	const server = createServer((request, response) => {
		asked.push(`${request.method} ${request.url}`);
		const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
		const {
			status = 200,
			headers = {},
			body,
		}: NonNullable<SmallAnswer> = answer(`${request.method} ${pathname}`, searchParams) ?? {
			status: 404,
			body: { errors: { request: 'resource not found' } },
		};
		request.resume().on('end', () => {
			response
				.writeHead(status, { 'content-type': 'application/json', ...headers })
				.end(JSON.stringify(body));
		});
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		asked,
		[Symbol.asyncDispose]: async () => {
			server.closeAllConnections();
			server.close();
			await once(server, 'close');
		},
	};
}

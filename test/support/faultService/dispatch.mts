import type { IncomingMessage } from 'node:http';

import { parseBody, readBytes } from './api/body.mts';
import { File, noResource, Refusal } from './api/call.mts';
import type { Found, Router } from './api/router.mts';
import type { Injector } from './injector.mts';
import type { World } from './state/world.mts';
import type { Answer, Host, RequestEntry, Target, Wire } from './types.mts';

/** The way of one request: find the endpoint, carry it out, answer or strike. */

export interface Surroundings {
	world: World;
	router: Router;
	injector: Injector;
	/** Mistakes of this double itself. A test should find none. */
	problems: Error[];
}

export async function dispatch(
	host: Host,
	wire: Wire,
	{ world, router, injector, problems }: Surroundings,
): Promise<void> {
	const { request, entry } = wire;
	const method = request.method ?? 'GET';
	const path = request.url ?? '/';
	const url = new URL(path.replace(/^\/+/, '/'), 'http://localhost');
	const loop = /^\/loop\/(\d{3})\/([12])$/.exec(url.pathname);
	if (loop) {
		const location = `${wire.origin}/loop/${loop[1]}/${loop[2] === '1' ? 2 : 1}`;
		return wire.reply(Number(loop[1]), { location }, 'moved');
	}
	const found = router(host, method, url.pathname);
	entry.endpoint = found?.name;
	const target: Target = {
		host,
		method,
		path,
		write: entry.write,
		hasBody: hasBody(request),
		kind: kindOf(found, url.searchParams),
		key: world.options.key,
	};
	Object.assign(entry, { kind: target.kind, hasBody: target.hasBody });
	const fault = host === 'elsewhere' ? undefined : injector.pick(target);
	entry.fault = fault?.name;
	if (fault?.unread) return fault.strike(target, wire, undefined);
	const bytes = await readBytes(request, (size) => (entry.size = size));
	if (!bytes) {
		entry.aborted = true;
		return;
	}
	if (host === 'elsewhere') return wire.reply(200, JSON_TYPE, '{"id":"ot_elsewhere"}');
	if (fault?.when === 'before') return fault.strike(target, wire, undefined);
	fault?.rewrite?.(url.searchParams);
	const answer = carryOut(host, wire, { found, url, bytes, world, problems });
	if (fault && entry.applied) return fault.strike(target, wire, answer);
	// A refusal has no fields or entries to change, so it stays itself.
	if (fault) injector.giveBack(fault);
	entry.fault = undefined;
	entry.honest = true;
	wire.reply(answer.status, answer.headers, answer.body);
}

const JSON_TYPE = { 'content-type': 'application/json' };

interface Work {
	found: Found | undefined;
	url: URL;
	bytes: Buffer;
	world: World;
	problems: Error[];
}

function carryOut(host: Host, wire: Wire, work: Work): Answer {
	const { request, entry } = wire;
	try {
		const { found, url, bytes, world } = work;
		if (host === 'api') checkAccess(request, bytes, world);
		if (!found) noResource();
		const result = found.route.handler({
			world,
			platform: found.platform,
			params: found.params,
			query: url.searchParams,
			body: parseBody(bytes, request.headers['content-type'] ?? ''),
			number: entry.number,
			path: request.url ?? '/',
		});
		entry.applied = true;
		return toAnswer(result, entry);
	} catch (error) {
		if (error instanceof Refusal) {
			const headers = { ...traced(entry), 'content-type': error.type };
			const text = typeof error.body === 'string' ? error.body : JSON.stringify(error.body);
			return { status: error.status, headers, body: Buffer.from(text), json: error.body };
		}
		work.problems.push(error as Error);
		return { status: 500, headers: JSON_TYPE, body: Buffer.from('{}'), json: {} };
	}
}

function checkAccess(request: IncomingMessage, bytes: Buffer, world: World): void {
	if (request.headers.apikey !== world.options.key) {
		const message = 'Invalid authentication credentials';
		throw new Refusal(401, { message, errors: [message] });
	}
	// docs/service/api.md#base-url-and-requests.
	if (request.method === 'GET' && bytes.length > 0)
		throw new Refusal(403, { errors: ['A GET request must not have a body'] });
}

function toAnswer(result: unknown, entry: RequestEntry): Answer {
	if (result === undefined)
		return { status: 204, headers: traced(entry), body: Buffer.alloc(0), json: undefined };
	if (result instanceof File) {
		const disposition = `attachment; filename="${result.name}"`;
		const headers = { 'content-type': result.type, 'content-disposition': disposition };
		return { status: 200, headers, body: result.content, json: undefined };
	}
	const body = Buffer.from(JSON.stringify(result));
	return {
		status: 200,
		headers: { ...traced(entry), ...JSON_TYPE },
		body,
		json: JSON.parse(String(body)),
	};
}

/** docs/service/errors.md#trace-header. */
function traced({ number }: RequestEntry): Record<string, string> {
	return { 'x-amz-trace-id': `Root=1-fault-${number}` };
}

function hasBody({ headers }: IncomingMessage): boolean {
	return Number(headers['content-length'] ?? 0) > 0 || Boolean(headers['transfer-encoding']);
}

/** Two endpoints have a file in base64 or not, by their query. */
function kindOf(found: Found | undefined, query: URLSearchParams): Target['kind'] {
	if (!found) return 'object';
	const { kind, on } = found.route;
	const encoding = query.get('encoding');
	if (kind === 'encoded') {
		const usual = on === 'R' ? 'base64' : 'none';
		return (encoding ?? usual) === 'base64' ? 'encoded' : 'object';
	}
	return kind === 'file' && encoding === 'base64' ? 'encoded' : kind;
}

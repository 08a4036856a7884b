import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import type { Contract, MatchedOperation } from './validator.mts';
import type { FaultSpec, Faults } from './faults.mts';
import { applyFault } from './applyFault.mts';
import { toCanonicalPath } from './pathLayouts.mts';
import type { OperationHandler } from '../operations/handler.mts';
import { Refusal, refusalBody } from '../domain/refusal.mts';
import { loggable, logRequest, type LoggedRequest, type RequestLog } from './requestLog.mts';
import { refusalOf } from './server.mts';
import type { World } from '../state/world.mts';

/**
 * The API: judged by openapi.yaml, authenticated, refused in the service's shapes (interface.md §4,
 * §5; gaps.md §2, §9).
 */

export interface ApiParts {
	world: World;
	contract: Contract;
	operations: Record<string, OperationHandler>;
	faults: Faults;
	requests: RequestLog;
	/** Requests that broke openapi.yaml, in words. */
	problems: string[];
	latencyMs: number;
	log: (line: string) => void;
}

/** Paths that are not the service's. */
export const OWN_PATHS = /^\/(sandbox|console|files|samples)(\/|$|\?)|^\/(\?|$)/;

/** Operations a client-only key may use: it may only create (gaps.md §2). */
const CREATES = new Set([
	'createTransaction',
	'createClosing',
	'addDocument',
	'addClosingDocument',
	'addEnote',
]);

/** What goes with a request on its way. */
interface Passage {
	logged: LoggedRequest;
	fault?: FaultSpec;
}

interface Answer {
	status: number;
	body?: unknown;
}

export function registerApi(app: FastifyInstance, parts: ApiParts): void {
	const passages = new WeakMap<FastifyRequest, Passage>();
	app.addHook('onRequest', async (request, reply) => {
		if (OWN_PATHS.test(request.url)) return;
		const logged = logRequest(parts.requests, request, parts.world.clock.stamp());
		reply
			.header('x-amz-trace-id', `Root=1-${String(logged.id).padStart(8, '0')}`)
			.header('date', new Date(parts.world.clock.now()).toUTCString());
		const passage: Passage = { logged, fault: parts.faults.take(request.method, logged.path) };
		passages.set(request, passage);
		const wait = parts.latencyMs + (passage.fault?.delayMs ?? 0);
		if (wait > 0) await new Promise((wake) => setTimeout(wake, wait));
		if (passage.fault !== undefined && (await applyFault(passage.fault, reply, 'early')))
			return reply;
	});
	app.addHook('onSend', async (request, reply) => {
		const passage = passages.get(request);
		if (passage === undefined) return;
		passage.logged.status = reply.statusCode;
		parts.log(`${passage.logged.method} ${passage.logged.path} ${reply.statusCode}`);
	});
	app.all('/*', async (request, reply) => {
		const passage = passages.get(request);
		if (passage === undefined) return await reply.status(404).send({ message: 'Not found' });
		const { logged, fault } = passage;
		logged.body = loggable(request.body);
		if (fault !== undefined && (await applyFault(fault, reply, 'before'))) return reply;
		const { status, body } = await perform(parts, request, reply, logged);
		// Files are streamed by their operation.
		if (reply.sent) return reply;
		if (fault !== undefined && (await applyFault(fault, reply, 'after'))) return reply;
		return await sendJson(reply, status, body);
	});
	app.setErrorHandler(async (thrown: FastifyError | Refusal, request, reply) => {
		const refused = refusalOf(thrown);
		if (refused === undefined) {
			parts.log(
				`${request.method} ${request.url.split('?')[0]} failed: ${thrown.stack ?? thrown.message}`,
			);
			return await sendJson(reply, 500, { error: 'The sandbox itself failed' });
		}
		const logged = passages.get(request)?.logged;
		// A file that is too big is a rule of the service, no breach of openapi.yaml.
		if (logged !== undefined && refused.status === 400) complain(parts, logged, refused.text);
		return await sendJson(reply, refused.status, refusalBody('body', refused.status, refused.text));
	});
}

async function sendJson(reply: FastifyReply, status: number, body: unknown): Promise<FastifyReply> {
	reply.status(status);
	return body === undefined
		? await reply.send()
		: await reply.type('application/json').send(JSON.stringify(body));
}

async function perform(
	parts: ApiParts,
	request: FastifyRequest,
	reply: FastifyReply,
	logged: LoggedRequest,
): Promise<Answer> {
	const { path, layout, realEstateVersion } = toCanonicalPath(logged.path);
	const call = { method: request.method, path, query: logged.query, body: request.body };
	const matched = parts.contract.match(call);
	logged.operationId = matched?.operationId;
	try {
		const { key, operationId, params } = admit(parts, request, logged, matched);
		const complaint = parts.contract.judge(call, matched!);
		if (complaint !== undefined) {
			complain(parts, logged, complaint.detail);
			throw new Refusal(422, complaint.text);
		}
		const body = await parts.operations[operationId]({
			key,
			params,
			query: logged.query,
			body: (request.body ?? {}) as Record<string, unknown>,
			layout,
			realEstateVersion,
			reply,
		});
		return { status: 200, body: body === reply ? undefined : body };
	} catch (thrown) {
		if (!(thrown instanceof Refusal)) throw thrown;
		return {
			status: thrown.status,
			body: refusalBody(matched?.operationId ?? '', thrown.status, thrown.message),
		};
	}
}

/** Who asks for what, and whether it exists and is allowed. */
function admit(
	{ world, ...parts }: ApiParts,
	request: FastifyRequest,
	logged: LoggedRequest,
	matched: MatchedOperation | undefined,
) {
	if (
		request.method === 'GET' &&
		(logged.bodyBytes > 0 || request.headers['transfer-encoding'] !== undefined)
	) {
		complain({ world, ...parts }, logged, 'a GET has a body');
		throw new Refusal(403, 'GET with a body is not allowed');
	}
	const key = world.keys.find(({ value }) => value === request.headers.apikey);
	if (key === undefined) throw new Refusal(401, 'Not authenticated');
	// What a documented-only service does not show it does not have.
	if (
		matched === undefined ||
		(world.settings.profile === 'documented' && matched.mark !== 'doc')
	) {
		if (matched === undefined) complain({ world, ...parts }, logged, 'there is no such operation');
		throw new Refusal(404, 'Not found');
	}
	// interface.md §1: real estate needs a lender or title account; gaps.md §9: 401 for the wrong
	// platform.
	if (world.settings.account === 'business' && matched.operation.tags?.includes('real estate'))
		throw new Refusal(401, 'Not authenticated for this platform');
	if (key.role === 'clientOnly' && !CREATES.has(matched.operationId))
		throw new Refusal(403, 'A client-only key may only create');
	if (Buffer.isBuffer(request.body)) {
		complain(
			{ world, ...parts },
			logged,
			`the body is neither JSON nor a form, but ${String(request.headers['content-type'])}`,
		);
		throw new Refusal(400, 'The body is not JSON');
	}
	return { key, operationId: matched.operationId, params: matched.params };
}

function complain({ problems }: ApiParts, logged: LoggedRequest, detail: string): void {
	logged.valid = false;
	logged.problem = detail;
	problems.push(`${logged.method} ${logged.path}: ${detail}`);
}

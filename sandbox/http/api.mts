/**
 * The way of a request to the API: logged, hit by a fault if there is one, authenticated, validated
 * by openapi.yaml, and handed to its operation (docs/service/api.md#endpoints,
 * docs/service/errors.md).
 */

import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import type { MatchedOperation, Validator } from './validator.mts';
import type { FaultSpec, Faults } from './faults.mts';
import { applyFault } from './applyFault.mts';
import { toCanonicalPath } from './pathLayouts.mts';
import type { OperationHandler } from '../operations/handler.mts';
import { Refusal, refusalBody } from '../domain/refusal.mts';
import { loggable, logRequest, type LoggedRequest, type RequestLog } from './requestLog.mts';
import { toRefusal } from './server.mts';
import type { World } from '../world/world.mts';

interface ApiParts {
	world: World;
	validator: Validator;
	operations: Record<string, OperationHandler>;
	faults: Faults;
	requests: RequestLog;
	/** What requests did that openapi.yaml does not allow. */
	problems: string[];
	latencyMs: number;
	log: (line: string) => void;
}

/** Paths of the sandbox itself, which the service does not have. */
const OWN_PATHS = /^\/(sandbox|console|files|samples)(\/|$|\?)|^\/(\?|$)/;

/** Operations a client-only key may use: it may only create (docs/service/api.md#kinds-of-keys). */
const CREATE_OPERATIONS = new Set([
	'createTransaction',
	'createClosing',
	'addDocument',
	'addClosingDocument',
	'addEnote',
]);

/** A request on its way to an answer. */
interface Exchange {
	logged: LoggedRequest;
	fault?: FaultSpec;
}

interface Answer {
	status: number;
	body?: unknown;
}

export function registerApi(app: FastifyInstance, parts: ApiParts): void {
	const exchanges = new WeakMap<FastifyRequest, Exchange>();
	app.addHook('onRequest', async (request, reply) => {
		if (OWN_PATHS.test(request.url)) return;
		const logged = logRequest(parts.requests, request, parts.world.clock.stamp());
		reply
			.header('x-amz-trace-id', `Root=1-${String(logged.id).padStart(8, '0')}`)
			.header('date', new Date(parts.world.clock.now()).toUTCString());
		const exchange: Exchange = { logged, fault: parts.faults.take(request.method, logged.path) };
		exchanges.set(request, exchange);
		const wait = parts.latencyMs + (exchange.fault?.delayMs ?? 0);
		if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
		if (exchange.fault !== undefined && (await applyFault(exchange.fault, reply, 'early')))
			return reply;
	});
	app.addHook('onSend', async (request, reply) => {
		const exchange = exchanges.get(request);
		if (exchange === undefined) return;
		exchange.logged.status = reply.statusCode;
		parts.log(`${exchange.logged.method} ${exchange.logged.path} ${reply.statusCode}`);
	});
	app.all('/*', async (request, reply) => {
		const exchange = exchanges.get(request);
		if (exchange === undefined) return await reply.status(404).send({ message: 'Not found' });
		const { logged, fault } = exchange;
		logged.body = loggable(request.body);
		if (fault !== undefined && (await applyFault(fault, reply, 'before'))) return reply;
		const { status, body } = await runOperation(parts, request, reply, logged);
		// An operation that answers with a file has sent it itself.
		if (reply.sent) return reply;
		if (fault !== undefined && (await applyFault(fault, reply, 'after'))) return reply;
		return await sendJson(reply, status, body);
	});
	app.setErrorHandler(async (thrown: FastifyError | Refusal, request, reply) => {
		const refusal = toRefusal(thrown);
		if (refusal === undefined) {
			parts.log(
				`${request.method} ${request.url.split('?')[0]} failed: ${thrown.stack ?? thrown.message}`,
			);
			return await sendJson(reply, 500, { error: 'The sandbox itself failed' });
		}
		const logged = exchanges.get(request)?.logged;
		// A file that is too big breaks a rule of the service, but not openapi.yaml.
		if (logged !== undefined && refusal.status === 400) reportProblem(parts, logged, refusal.text);
		return await sendJson(reply, refusal.status, refusalBody('body', refusal.status, refusal.text));
	});
}

async function sendJson(reply: FastifyReply, status: number, body: unknown): Promise<FastifyReply> {
	reply.status(status);
	return body === undefined
		? await reply.send()
		: await reply.type('application/json').send(JSON.stringify(body));
}

async function runOperation(
	parts: ApiParts,
	request: FastifyRequest,
	reply: FastifyReply,
	logged: LoggedRequest,
): Promise<Answer> {
	const { path, layout, realEstateVersion } = toCanonicalPath(logged.path);
	const call = { method: request.method, path, query: logged.query, body: request.body };
	const matched = parts.validator.matchOperation(call);
	logged.operationId = matched?.operationId;
	try {
		const { key, operationId, params } = authorize(parts, request, logged, matched);
		const violation = parts.validator.validateRequest(call, matched!);
		if (violation !== undefined) {
			reportProblem(parts, logged, violation.detail);
			throw new Refusal(422, violation.text);
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

/**
 * Finds the operation and the key of a request.
 * @throws Refusal when the operation does not exist or the key may not use it
 */
function authorize(
	parts: ApiParts,
	request: FastifyRequest,
	logged: LoggedRequest,
	matched: MatchedOperation | undefined,
) {
	const { world } = parts;
	if (
		request.method === 'GET' &&
		(logged.bodyBytes > 0 || request.headers['transfer-encoding'] !== undefined)
	) {
		reportProblem(parts, logged, 'a GET has a body');
		throw new Refusal(403, 'GET with a body is not allowed');
	}
	const key = world.keys.find(({ value }) => value === request.headers.apikey);
	if (key === undefined) throw new Refusal(401, 'Not authenticated');
	// A documented-only service has only the documented calls
	// (docs/service/README.md#a-documented-only-service).
	if (
		matched === undefined ||
		(world.settings.profile === 'documented' && matched.mark !== 'doc')
	) {
		if (matched === undefined) reportProblem(parts, logged, 'there is no such operation');
		throw new Refusal(404, 'Not found');
	}
	// Real estate needs a lender or a title account (docs/service/README.md#the-two-platforms). The
	// wrong platform gets 401 (docs/service/errors.md#wrong-platform).
	if (world.settings.account === 'business' && matched.operation.tags?.includes('real estate'))
		throw new Refusal(401, 'Not authenticated for this platform');
	if (key.role === 'clientOnly' && !CREATE_OPERATIONS.has(matched.operationId))
		throw new Refusal(403, 'A client-only key may only create');
	if (Buffer.isBuffer(request.body)) {
		reportProblem(
			parts,
			logged,
			`the body is neither JSON nor a form, but ${String(request.headers['content-type'])}`,
		);
		throw new Refusal(400, 'The body is not JSON');
	}
	return { key, operationId: matched.operationId, params: matched.params };
}

function reportProblem({ problems }: ApiParts, logged: LoggedRequest, detail: string): void {
	logged.valid = false;
	logged.problem = detail;
	problems.push(`${logged.method} ${logged.path}: ${detail}`);
}

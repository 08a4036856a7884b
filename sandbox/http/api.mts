/**
 * The way of a request to the API: logged, hit by a fault if there is one, authenticated, validated
 * by openapi.yaml, and handed to its operation (docs/service/api.md#endpoints,
 * docs/service/errors.md).
 */

import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { applyFault } from './applyFault.mts';
import { authorize } from './authorize.mts';
import type { FaultSpec, Faults } from './faults.mts';
import { toCanonicalPath } from './pathLayouts.mts';
import { loggable, logRequest, type LoggedRequest, type RequestLog } from './requestLog.mts';
import { toRefusal } from './server.mts';
import type { Validator } from './validator.mts';
import { Refusal, refusalBody } from '../domain/refusal.mts';
import type { OperationHandler } from '../operations/handler.mts';
import { withStoredIds, withUnderscore } from '../world/idForms.mts';
import type { Fields, World } from '../world/world.mts';

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
const OWN_PATHS = /^\/(sandbox|console|files|samples|access)(\/|$|\?)|^\/(\?|$)/;

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
	const path = toCanonicalPath(logged.path);
	const call = { method: request.method, path: path.path, query: logged.query, body: request.body };
	const matched = parts.validator.matchOperation(call);
	logged.operationId = matched?.operationId;
	try {
		refuseBodyOfGet(parts, request, logged);
		const { apikey: apiKey } = request.headers;
		if (matched === undefined && parts.world.keys.some(({ value }) => value === apiKey))
			reportProblem(parts, logged, 'there is no such operation');
		const key = authorize(parts.world, { apiKey, method: request.method, path, matched });
		refuseOtherTypes(parts, request, logged);
		const { operationId, params } = matched!;
		const allowed = parts.validator.validateRequest(
			call,
			matched!,
			parts.world.settings.switches.unknownFields,
		);
		if ('refusal' in allowed) {
			reportProblem(parts, logged, allowed.detail);
			throw allowed.refusal;
		}
		const answer = await parts.operations[operationId]({
			key,
			params: Object.fromEntries(
				Object.entries(params).map(([name, id]) => [name, withUnderscore(id)]),
			),
			query: withStoredIds(allowed.query),
			body: withStoredIds((allowed.body ?? {}) as Fields),
			realEstateVersion: path.realEstateVersion,
			reply,
		});
		return { status: 200, body: answer === reply ? undefined : answer };
	} catch (thrown) {
		if (!(thrown instanceof Refusal)) throw thrown;
		return {
			status: thrown.status,
			body: refusalBody(matched?.operationId ?? '', thrown.status, thrown.message, thrown.shape),
		};
	}
}

/** @throws Refusal for a GET with a body */
function refuseBodyOfGet(parts: ApiParts, request: FastifyRequest, logged: LoggedRequest): void {
	const hasBody = logged.bodyBytes > 0 || request.headers['transfer-encoding'] !== undefined;
	if (request.method !== 'GET' || !hasBody) return;
	reportProblem(parts, logged, 'a GET has a body');
	throw new Refusal(403, 'GET with a body is not allowed');
}

/** @throws Refusal for a body of another type, which the server has not parsed */
function refuseOtherTypes(parts: ApiParts, request: FastifyRequest, logged: LoggedRequest): void {
	if (!Buffer.isBuffer(request.body)) return;
	const type = String(request.headers['content-type']);
	reportProblem(parts, logged, `the body is neither JSON nor a form, but ${type}`);
	throw new Refusal(400, 'The body is not JSON');
}

function reportProblem({ problems }: ApiParts, logged: LoggedRequest, detail: string): void {
	logged.valid = false;
	logged.problem = detail;
	problems.push(`${logged.method} ${logged.path}: ${detail}`);
}

/** Carries out a fault: answers in its way, or breaks the connection. */

import type { FastifyReply } from 'fastify';

import type { FaultSpec } from './faults.mts';

const HALF_AN_ANSWER = '{"id": "ot_';
const PROMISED_BYTES = 1000;

/**
 * Applies a fault to a request, when its time has come.
 * @param when early: before the request's body is read. before, after: the work of the request
 * @returns true when the request is over, because the fault has answered or cut the connection
 */
export async function applyFault(
	fault: FaultSpec,
	reply: FastifyReply,
	when: 'early' | 'before' | 'after',
): Promise<boolean> {
	const { kind = 'respond' } = fault;
	if (when === 'early') {
		if (kind !== 'earlyRefusal') return false;
		reply.header('connection', 'close');
		await respond(fault, reply, 422);
		return true;
	}
	if (kind === 'cutAfter') {
		if (when === 'after') disconnect(reply);
		return when === 'after';
	}
	if (kind === 'respondAfter') {
		if (when === 'after') await respond(fault, reply, 200);
		return when === 'after';
	}
	if (when === 'after') return false;
	if (kind === 'cutBefore') {
		disconnect(reply);
		return true;
	}
	if (kind === 'cutMidBody' || kind === 'stall') {
		reply.hijack();
		reply.raw.writeHead(fault.status ?? 200, {
			'content-type': 'application/json',
			'content-length': String(PROMISED_BYTES),
			...fault.headers,
		});
		reply.raw.write(HALF_AN_ANSWER);
		if (kind === 'cutMidBody') setTimeout(() => reply.raw.socket?.destroy(), 10);
		return true;
	}
	if (kind === 'notJson') {
		await reply
			.status(fault.status ?? 200)
			.headers(fault.headers ?? {})
			.type('text/html')
			.send(String(fault.body ?? '<html><body><h1>Scheduled maintenance</h1></body></html>'));
		return true;
	}
	if (fault.status === undefined) return false;
	await respond(fault, reply, fault.status);
	return true;
}

async function respond(
	{ status, headers = {}, body }: FaultSpec,
	reply: FastifyReply,
	defaultStatus: number,
): Promise<void> {
	const text =
		typeof body === 'string' ? body : JSON.stringify(body ?? { error: 'Fault on demand' });
	await reply
		.status(status ?? defaultStatus)
		.headers(headers)
		.type(headers['content-type'] ?? 'application/json')
		.send(text);
}

function disconnect(reply: FastifyReply): void {
	reply.hijack();
	reply.raw.socket?.destroy();
}

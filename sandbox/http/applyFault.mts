import type { FastifyReply } from 'fastify';

import type { FaultSpec } from './faults.mts';

/** Lets a fault have its way with a request. */

const HALF_AN_ANSWER = '{"id": "ot_';
const PROMISED_BYTES = 1000;

/**
 * @param when before the work, after it, or early: before the request's body is read
 * @returns true when the fault has answered or hung up
 */
export async function interfere(
	fault: FaultSpec,
	reply: FastifyReply,
	when: 'early' | 'before' | 'after',
): Promise<boolean> {
	const { kind = 'respond' } = fault;
	if (when === 'early') {
		if (kind !== 'early-refusal') return false;
		reply.header('connection', 'close');
		await respond(fault, reply, 422);
		return true;
	}
	if (kind === 'cut-after') {
		if (when === 'after') hangUp(reply);
		return when === 'after';
	}
	if (when === 'after') return false;
	if (kind === 'cut-before') {
		hangUp(reply);
		return true;
	}
	if (kind === 'cut-mid-body' || kind === 'stall') {
		reply.hijack();
		reply.raw.writeHead(fault.status ?? 200, {
			'content-type': 'application/json',
			'content-length': String(PROMISED_BYTES),
			...fault.headers,
		});
		reply.raw.write(HALF_AN_ANSWER);
		if (kind === 'cut-mid-body') setTimeout(() => reply.raw.socket?.destroy(), 10);
		return true;
	}
	if (kind === 'not-json') {
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
	otherwise: number,
): Promise<void> {
	const text = typeof body === 'string' ? body : JSON.stringify(body ?? { error: 'On demand' });
	await reply
		.status(status ?? otherwise)
		.headers(headers)
		.type(headers['content-type'] ?? 'application/json')
		.send(text);
}

function hangUp(reply: FastifyReply): void {
	reply.hijack();
	reply.raw.socket?.destroy();
}

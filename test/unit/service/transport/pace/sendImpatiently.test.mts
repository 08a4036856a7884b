import { Readable } from 'node:stream';

import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';

import { ServiceFailure } from '../../../../../nodes/SignAndClose/service/errors/failure.ts';
import { sendInTurn } from '../../../../../nodes/SignAndClose/service/transport/pace/sendInTurn.ts';
import { Turns } from '../../../../../nodes/SignAndClose/service/transport/pace/turns.ts';
import {
	after,
	ask,
	endSimulation,
	full,
	pass,
	PATIENT,
	refusedFor,
	RULES,
	simulateTime,
	START,
} from './asking.mts';
import { answer, service, watch } from './sending.mts';

/** Requests for whose answer somebody waits, and requests whose turn never comes. */

beforeEach(simulateTime);
afterEach(endSimulation);

/** The refusal of a request that was never sent, or not again. */
const LIMITED = { code: 'refused', status: 429, said: [], structured: false };

describe('a request whose turn does not come', () => {
	test.each([
		['GET', 'read'],
		['HEAD', 'read'],
		['POST', 'write'],
		['DELETE', 'write'],
	])('fails like one that was refused, without being sent: %s', async (method, asked) => {
		const turns = await after(refusedFor(5000));
		await pass(10);
		const { sentAt, send } = service(answer(200));
		const settled = watch(sendInTurn(() => turns, { method }, send));
		await pass(0);
		expect(settled.error).toBeInstanceOf(ServiceFailure);
		const { reason, flags } = settled.error as ServiceFailure;
		expect(reason).toStrictEqual({ ...LIMITED, asked, attempts: 0, retryAfterMs: 4990 });
		expect(flags).toStrictEqual({ httpStatus: 429, final: false });
		expect(sentAt).toEqual([]);
	});
	test('names no time when the service has named none', async () => {
		const { turns } = await full();
		const { sentAt, send } = service(answer(200));
		const settled = watch(sendInTurn(() => turns, { method: 'GET', impatientMs: 40 }, send));
		await pass(40);
		expect(settled.error).toBeUndefined();
		await pass(1);
		const { reason } = settled.error as ServiceFailure;
		expect(reason).toStrictEqual({ ...LIMITED, asked: 'read', attempts: 0 });
		expect(sentAt).toEqual([]);
	});
	test('names a time of one millisecond, too', async () => {
		const turns = await after(refusedFor(5000));
		await pass(4999);
		// A request against hope has just been sent.
		await turns.take({});
		const settled = watch(sendInTurn(() => turns, { method: 'GET' }, service(answer(200)).send));
		await pass(0);
		const { reason } = settled.error as ServiceFailure;
		expect(reason).toStrictEqual({ ...LIMITED, asked: 'read', attempts: 0, retryAfterMs: 1 });
	});
	test('says how often it was sent before', async () => {
		const turns = new Turns(RULES);
		const other = await turns.take({});
		const { sentAt, send } = service(answer(429));
		const settled = watch(sendInTurn(() => turns, { method: 'PUT' }, send));
		await pass(5);
		other.end(refusedFor(400));
		await pass(1);
		const { reason } = settled.error as ServiceFailure;
		expect(reason).toStrictEqual({
			...LIMITED,
			asked: 'write',
			attempts: 1,
			retryAfterMs: expect.any(Number),
		});
		expect(sentAt).toEqual([0]);
	});
});

describe('a request for whose answer somebody waits', () => {
	test('is sent a second time after a 429, and no third time', async () => {
		const bodies = [1, 2].map(() => Readable.from(['Too many requests']));
		const refusals = bodies.map((body) => ({ status: 429, headers: {}, body }));
		const { sentAt, send } = service(...refusals, answer(200));
		const turns = new Turns(RULES);
		const settled = watch(sendInTurn(() => turns, { method: 'GET', impatientMs: 250 }, send));
		await pass(300);
		expect(sentAt).toEqual([0, 18]);
		expect(settled.value).toEqual({ outcome: refusals[1], sent: 2 });
		expect(bodies.map((body) => body.destroyed)).toEqual([true, false]);
	});
	test('has the answer to its second sending', async () => {
		const { send } = service(answer(429), answer(200));
		const turns = new Turns(RULES);
		const settled = watch(sendInTurn(() => turns, { method: 'GET', impatientMs: 250 }, send));
		await pass(18);
		expect(settled.value).toEqual({ outcome: answer(200), sent: 2 });
	});
	test('is not sent again after a pause that is too long for that', async () => {
		const { sentAt, send } = service(answer(429, { 'retry-after': '1' }), answer(200));
		const turns = new Turns(PATIENT);
		const settled = watch(sendInTurn(() => turns, { method: 'GET', impatientMs: 999 }, send));
		await pass(0);
		expect(settled.value).toMatchObject({ outcome: { status: 429 }, sent: 1 });
		await pass(2000);
		expect(sentAt).toEqual([0]);
	});
	test('goes before those for which nobody waits, and may wait anew after each 429', async () => {
		const { turns, first, second } = await full(PATIENT);
		const patient = ask(turns);
		const { sentAt, send } = service(answer(429, { 'retry-after': '1' }), answer(200));
		const settled = watch(sendInTurn(() => turns, { method: 'GET', impatientMs: 1000 }, send));
		await pass(500);
		first.end({ outcome: 'unknown' });
		await pass(0);
		expect(sentAt).toEqual([500]);
		expect(patient.turn).toBeUndefined();
		second.end({ outcome: 'unknown' });
		await pass(1000);
		expect(sentAt).toEqual([500, 1500]);
		expect(settled.value).toEqual({ outcome: answer(200), sent: 2 });
		expect(Date.now() - START).toBe(1500);
	});
});

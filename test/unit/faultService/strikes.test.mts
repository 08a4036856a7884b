import { describe, expect, test } from '@jest/globals';

import { FAULTS } from '../../support/faultService/faults.mts';
import type { Answer, Fault } from '../../support/faultService/types.mts';
import { readAnswer, seeRaw, until, type Call, type Seen } from './support/clients.mts';
import { sceneFor } from './support/scenes.mts';
import { service, useFaultService } from './support/useFaultService.mts';

/** Every fault strikes once, does the work or not as its name says, and reaches what it should. */

const LIMIT_MS = 5000;
let number = 0;

useFaultService(
	{
		interval: 3,
		slowMs: 40,
		bigBytes: 300_000,
		bombBytes: 2_000_000,
		endlessBytes: 500_000_000,
	},
	'file',
);

/** An answer without what differs each time. */
function plain(bytes: Buffer | undefined): unknown {
	const text = String(bytes)
		.replace(/\b(ot|do|oc)_[\w-]+/g, '$1_')
		.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'time')
		.replace(/"external_id":"[^"]*"/, '"external_id":"n"');
	try {
		return { ...JSON.parse(text), external_id: 'n' };
	} catch {
		return bytes;
	}
}

function isWhole(bytes: Buffer | undefined): boolean {
	try {
		return typeof JSON.parse(String(bytes)) !== 'undefined';
	} catch {
		return false;
	}
}

const effectsOf = (kind?: string) => service.effects.filter((one) => one.kind === kind).length;

/** Does the scene once, struck or not, and tells what came of it. */
async function run<Result>(
	fault: Fault,
	strikes: boolean,
	send: (call: Call, hasStruck: () => boolean) => Promise<Result>,
) {
	const scene = sceneFor(fault);
	const call = await scene.build(service, ++number);
	const before = effectsOf(scene.effect);
	let honest: Answer | undefined;
	const spied: Fault = {
		...fault,
		strike: (target, wire, answer) => {
			honest = answer;
			fault.strike(target, wire, answer);
		},
	};
	const injected = strikes ? service.inject({ fault: spied }) : undefined;
	const result = await send(call, () => !injected || injected.struck > 0);
	injected?.remove();
	if (injected) expect(injected.struck).toBe(1);
	// While the port is closed, nothing can be prepared.
	if (fault.name.includes('refused-for')) await new Promise((done) => setTimeout(done, 60));
	return { result, honest, effects: effectsOf(scene.effect) - before };
}

const groups = [...Map.groupBy(FAULTS, ({ group }) => group)];

describe.each(groups)('%s', (_group, faults) => {
	test.each(faults.map((fault) => [fault.name, fault] as const))('%s', async (name, fault) => {
		const { write, kind } = sceneFor(fault);
		const within = (limit: number) => async (call: Call, hasStruck: () => boolean) =>
			await readAnswer(call, limit, hasStruck);
		const { result: answer, effects } = await run(fault, true, within(limitOf(fault, 100)));
		const entry = service.requests.findLast((one) => one.fault === name);
		expect(entry).toMatchObject({ honest: false, applied: fault.when === 'after' });
		// An endless strike ends when the service notices that the client has gone.
		if (fault.endless) await until(() => entry?.aborted ?? false);
		if (fault.reaches === 'honest') expect(entry).toMatchObject({ answered: true, aborted: false });
		if (fault.reaches === 'lost') expect(entry?.answered).toBe(false);
		if (fault.reaches !== 'odd') expect(entry?.aborted).toBe(fault.endless ?? false);
		if (write) expect(effects).toBe(fault.when === 'after' ? 1 : 0);
		const { result: honest } = await run(fault, false, within(LIMIT_MS));
		expect(honest?.status).toBe(200);
		// An answer of 413 can be lost when the connection closes during the upload.
		if (fault.reaches === 'refused' && !fault.unread)
			expect(answer?.status).toBeGreaterThanOrEqual(400);
		if (fault.reaches === 'lost')
			expect(kind === 'file' ? answer : isWhole(answer?.bytes)).toBeFalsy();
		if (fault.reaches === 'odd' && answer) expect(answer.status).toBeLessThan(400);
		if (fault.reaches === 'honest') {
			expect(answer?.status).toBeLessThan(300);
			const value = plain(answer?.bytes);
			const expected = plain(honest?.bytes);
			if (Buffer.isBuffer(expected)) expect(value).toEqual(expected);
			else expect(value).toMatchObject(expected as object);
		}
	});

	const visible = faults.filter((fault) => !fault.heavy && !fault.rewrite);
	test.each(visible.map((fault) => [fault.name, fault] as const))(
		'%s differs on the wire',
		async (_name, fault) => {
			const within = (limit: number) => async (call: Call, hasStruck: () => boolean) =>
				await seeRaw(call, limit, hasStruck);
			const struck = await run(fault, true, within(limitOf(fault, 40)));
			const usual = await run(fault, false, within(LIMIT_MS));
			const body = struck.honest?.body ?? usual.result.body;
			const isSame =
				struck.result.end === usual.result.end &&
				struck.result.body.equals(body) &&
				lines(struck.result).join() === lines(usual.result).join();
			const late = ['time:slow-answer/after', 'time:slow-body/after', 'time:drip-answer/after'];
			if (late.includes(fault.name)) expect(struck.result.body).toEqual(body);
			else expect(isSame).toBe(false);
			if (fault.endless) expect(struck.result.end).toBe('open');
		},
	);
});

/** Endless strikes aren't waited for, all others have time on a busy machine. */
function limitOf(fault: Fault, endlessMs: number): number {
	return fault.endless ? endlessMs : LIMIT_MS;
}

function lines({ head }: Seen): string[] {
	return head.split('\r\n').map((line) => line.replace(/^(content-length:).*/, '$1'));
}

import { randomUUID } from 'node:crypto';

import { afterEach, beforeEach, expect, test } from '@jest/globals';

import { paces } from '../../../../../nodes/SignAndClose/service/transport/pace/paces.ts';
import { ask, endSimulation, pass, RULES, simulateTime, UNKNOWN } from './asking.mts';

/** Which accounts have a pace of their own, and how long it is known. */

beforeEach(() => {
	simulateTime();
	paces.clear();
});
afterEach(endSimulation);

const account = () => `https://service.example/v1 ${randomUUID()}`;

test('requests of one account share their turns, those of two accounts do not', async () => {
	const [mine, yours] = [account(), account()];
	const turns = paces.of(mine, { ...RULES, firstAtOnce: 1 });
	const open = await turns.take({});
	expect(paces.of(mine, RULES)).toBe(turns);
	const others = paces.of(yours, RULES);
	expect(others).not.toBe(turns);
	await others.take({});
	// The rules are those of the first who asked.
	expect(turns.atOnce).toBe(1);
	expect(others.atOnce).toBe(2);
	expect(paces.accounts).toEqual([mine, yours]);
	open.end(UNKNOWN);
});

test('an account is forgotten a while after its last request, when another asks', async () => {
	const [idle, busy, last] = [account(), account(), account()];
	const turns = paces.of(idle, RULES);
	(await turns.take({})).end(UNKNOWN);
	const open = await paces.of(busy, RULES).take({});
	await pass(RULES.idleMs - 1);
	expect(paces.of(idle, RULES)).toBe(turns);
	expect(paces.accounts).toEqual([idle, busy]);
	await pass(1);
	expect(paces.accounts).toEqual([idle, busy]);
	paces.of(last, RULES);
	expect(paces.accounts).toEqual([busy, last]);
	expect(paces.of(idle, RULES)).not.toBe(turns);
	open.end(UNKNOWN);
});

test('all accounts are forgotten at once, and those who have a turn keep it', async () => {
	const name = account();
	const turns = paces.of(name, { ...RULES, firstAtOnce: 1 });
	const open = await turns.take({});
	const waiting = ask(turns);
	expect(paces.accounts).toEqual([name]);
	paces.clear();
	expect(paces.accounts).toEqual([]);
	expect(paces.of(name, RULES)).not.toBe(turns);
	open.end(UNKNOWN);
	await pass(0);
	expect(waiting.turn).toBeDefined();
});

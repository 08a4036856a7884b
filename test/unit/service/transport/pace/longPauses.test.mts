import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { sleep } from 'n8n-workflow';

import { LIMITS } from '../../../../../nodes/SignAndClose/service/limits.ts';
import { sendInTurn } from '../../../../../nodes/SignAndClose/service/transport/pace/sendInTurn.ts';
import { Turns } from '../../../../../nodes/SignAndClose/service/transport/pace/turns.ts';
import { endSimulation, pass, simulateTime, START } from './asking.mts';
import { answer, watch, type Settled } from './sending.mts';

/** How long requests wait for a service that takes none, with the figures that users have. */

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const { firstAtOnce } = LIMITS.pace;

interface Limited {
	/** When the service takes requests again, in milliseconds after the start. */
	untilMs: number;
	/** The seconds that its refusals ask for. */
	retryAfter?: number;
}

/** Sends requests in their turn to a service that refuses them at first. */
function limited({ untilMs, retryAfter }: Limited) {
	const turns = new Turns(LIMITS.pace);
	const sentAt: number[] = [];
	const send = async () => {
		const now = Date.now() - START;
		sentAt.push(now);
		// Answers to requests that were sent together don't come together.
		await sleep(5 * sentAt.length);
		return now >= untilMs
			? answer(200)
			: answer(429, retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) });
	};
	const ask = (count: number) =>
		Array.from({ length: count }, () => watch(sendInTurn(() => turns, { method: 'GET' }, send)));
	return { sentAt, ask };
}

/** What became of a request. Whose turn doesn't come fails as if it had been refused. */
function outcomeOf({ value, error }: Settled): number | string | undefined {
	if (value !== undefined) return 'status' in value.outcome ? value.outcome.status : 'fault';
	return error && `not sent: ${JSON.stringify(error)}`;
}
const isRefused = (one: Settled) => /^429$|^not sent.*"httpStatus":429/.test(`${outcomeOf(one)}`);
const atOnce = Array.from({ length: firstAtOnce }, () => 0);

describe.each([0, 0.999])('where pauses are spread by a share of %d', (random) => {
	beforeEach(() => {
		simulateTime();
		jest.spyOn(Math, 'random').mockReturnValue(random);
	});
	afterEach(endSimulation);

	test.each([60, 290, 300])('all requests wait for %i seconds', async (seconds) => {
		const { sentAt, ask } = limited({ untilMs: seconds * SECOND, retryAfter: seconds });
		const asked = ask(10);
		await pass(30 * SECOND);
		asked.push(...ask(10));
		await pass(seconds * SECOND - 30 * SECOND);
		expect(sentAt).toEqual(atOnce);
		expect(asked.map(outcomeOf)).toEqual(asked.map(() => undefined));
		await pass(MINUTE);
		expect(asked.map(outcomeOf)).toEqual(asked.map(() => 200));
		expect(sentAt).toHaveLength(firstAtOnce + asked.length);
	});

	test('no request waits for 301 seconds, and one every ten seconds is tried', async () => {
		const { sentAt, ask } = limited({ untilMs: 301 * SECOND, retryAfter: 301 });
		const asked = ask(10);
		await pass(SECOND);
		expect(sentAt).toEqual(atOnce);
		expect(asked.filter((one) => !isRefused(one))).toEqual([]);
		for (let count = 0; count < 25; count++) {
			const more = ask(3);
			await pass(SECOND);
			expect(more.filter((one) => !isRefused(one))).toEqual([]);
		}
		expect(sentAt.slice(firstAtOnce)).toEqual([10 * SECOND, 20 * SECOND]);
	});

	test.each([
		['a minute each time', 60],
		['nothing', undefined],
	])(
		'a service that always refuses and asks for %s is given up in the fifth minute',
		async (_what, retryAfter) => {
			const { ask } = limited({ untilMs: Infinity, retryAfter });
			const asked = ask(10);
			await pass(4 * MINUTE);
			expect(asked.map(outcomeOf)).toEqual(asked.map(() => undefined));
			await pass(MINUTE);
			expect(asked.filter((one) => !isRefused(one))).toEqual([]);
		},
	);
});

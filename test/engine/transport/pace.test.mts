import { LIMITERS, type Hint, type Limiter, type Verdict } from '../../../bench/limiters.mts';
import { startLimitedService, type LimitedService } from '../../../bench/limitedService.mts';
import { LIMITS } from '../../../nodes/SignAndClose/transport/service/limits.ts';
import { credentialFor, accounts, runNode, type RunOptions } from '../../support/engine.mts';
import { forEachCase } from '../../support/forEachCase.mts';
import { waitFor } from '../../support/faultMatrix/rounds.mts';
import { until } from '../../support/until.mts';

/** Services with rate limits: nothing fails that could go well later, and nobody else is held up. */

const many = (count: number) =>
	Array.from({ length: count }, (_, index) => ({ json: { id: `or_${index}` } }));
const GET = {
	resource: 'transaction',
	operation: 'get',
	platform: 'business',
	transactionId: { __rl: true, mode: 'id', value: '={{ $json.id }}' },
};
const RECALL = { ...GET, operation: 'recall', evenIfSent: true };

const run = async (service: LimitedService, count: number, more: Partial<RunOptions> = {}) =>
	await runNode({
		credential: credentialFor(service.url),
		parameters: GET,
		items: many(count),
		...more,
	});

/** Refuses the first so many requests. */
function refusing(count: number, headers: Record<string, string> = {}): Limiter {
	let left = count;
	return () => ({ accepted: left-- <= 0, headers });
}

const refused = ({ requests }: LimitedService) =>
	requests.filter(({ accepted }) => !accepted).length;

describe('100 reads', () => {
	const hints: Hint[] = ['none', 'retryAfter', 'zero', 'past', 'usedUp'];
	const cases = Object.keys(LIMITERS).flatMap((name) =>
		hints.map((hint) => [name as keyof typeof LIMITERS, hint] as const),
	);
	test.each(cases)(
		'at a %s with hint %s: none fails, and fewer are refused than there are',
		async (name, hint) => {
			// Hints are whole seconds, so their windows are as long.
			const inSeconds = hint === 'retryAfter' || hint === 'usedUp';
			const limit = inSeconds ? { count: 50, windowMs: 1000 } : { count: 20, windowMs: 250 };
			await using service = await startLimitedService(LIMITERS[name]({ ...limit, hint }));
			const { items, error } = await run(service, 100);
			expect(error).toBeUndefined();
			expect(items.map(({ json }) => json.transaction_id)).toEqual(
				many(100).map(({ json }) => json.id),
			);
			// How long it takes and how few are refused is simulated, see unit/transport/pace: here,
			// it would tell how busy the machine is. When a window is used up, all that are under way are
			// refused: as many as may be open at once.
			expect(refused(service)).toBeLessThan(100);
		},
	);
});

describe('a refusal with 429', () => {
	test('is no failed attempt, of a read or of a write, and a write is done once', async () => {
		await forEachCase([GET, RECALL], async (parameters) => {
			await using service = await startLimitedService(refusing(7));
			const pace = { ...LIMITS.pace, firstPauseMs: 5 };
			const { error } = await run(service, 1, { parameters, limits: { pace } });
			expect(error).toBeUndefined();
			const first = service.requests.slice(0, 8);
			expect(first.map(({ accepted }) => accepted)).toEqual([...Array(7).fill(false), true]);
			expect(new Set(first.map(({ method, path }) => `${method} ${path}`)).size).toBe(1);
			if (parameters === RECALL) {
				const writes = service.requests.filter(({ method }) => method !== 'GET');
				expect(writes.filter(({ accepted }) => accepted)).toHaveLength(1);
			}
		});
	});

	test('of one call alone holds up no other, and that one asks ever more seldom', async () => {
		await using service = await startLimitedService(
			(_now, item) => ({ accepted: item !== 7, headers: {} }),
			// It's refused several times before anything else is answered.
			{ answerMs: (item) => (item === 7 ? 0 : 300) },
		);
		const pace = { ...LIMITS.pace, firstPauseMs: 20, longestWaitMs: 2_000 };
		const { items } = await run(service, 60, {
			limits: { pace },
			node: { onError: 'continueRegularOutput' },
		});
		expect(items.flatMap(({ json }, at) => (json.error === undefined ? [] : [at]))).toEqual([7]);
		expect(refused(service)).toBeLessThan(20);
	});
	test('ends all items when it lasts too long, and says what to do', async () => {
		await using service = await startLimitedService(refusing(Infinity));
		const pace = { ...LIMITS.pace, firstPauseMs: 20, longestWaitMs: 500 };
		const { items } = await run(service, 100, {
			limits: { pace },
			node: { onError: 'continueRegularOutput' },
		});
		expect(service.requests.length).toBeLessThan(pace.firstAtOnce + 10);
		expect(items).toHaveLength(100);
		forEachCase(items, ({ json }) =>
			expect(json.error).toMatch(
				/^The service is limiting requests \(item .* run fewer workflows with this API key at the same time, or ask the service for a higher limit/,
			),
		);
		expect(items.at(-1)!.json.error).toMatch(/The request wasn't sent/);
	});

	test('with a wait of ten minutes is left to the person, and more items do not ask again', async () => {
		await using service = await startLimitedService(refusing(Infinity, { 'retry-after': '600' }));
		const { items } = await run(service, 50, { node: { onError: 'continueRegularOutput' } });
		expect(service.requests.length).toBeLessThanOrEqual(LIMITS.pace.firstAtOnce);
		forEachCase(items, ({ json }) =>
			expect(json.error).toMatch(/Run the node again in 1[01] minutes/),
		);
	});
});

test('a used-up quota pauses all requests, and one asks first', async () => {
	// The quota comes back three seconds after the first refusal, however long a busy machine takes until then.
	let left = 30;
	let freeAt = Infinity;
	await using service = await startLimitedService(
		(now): Verdict => {
			if (now >= freeAt) [left, freeAt] = [30, Infinity];
			if (left > 0) {
				left--;
				return { accepted: true, headers: {} };
			}
			freeAt = Math.min(freeAt, now + 3000);
			return { accepted: false, headers: { 'retry-after': '3', 'x-ratelimit-remaining': '0' } };
		},
		{ answerMs: 20 },
	);
	const { error } = await run(service, 60);
	expect(error).toBeUndefined();
	// Only those are refused that were under way when the first one was, each once: on a busy machine, more
	// than the service sees at the same moment. Whoever didn't pause would be refused for three seconds.
	expect(refused(service)).toBeGreaterThan(0);
	expect(refused(service)).toBeLessThanOrEqual(30);
	const { requests } = service;
	const after = requests.findLastIndex(({ accepted }) => !accepted) + 1;
	expect(requests[after].accepted).toBe(true);
	// Nobody asks in between; those under way may arrive a little after the pause has begun.
	expect(requests[after].at - requests[after - 1].at).toBeGreaterThan(500);
	// The others wait for the answer to the first one.
	expect(requests[after + 1].at - requests[after].at).toBeGreaterThanOrEqual(19);
});

test('all runs with one key share one pace, those with another have their own', async () => {
	accounts.clear();
	const limit = { count: 20, windowMs: 500, hint: 'none' } as const;
	await using service = await startLimitedService(LIMITERS.fixedWindow(limit), { answerMs: 5 });
	const outcomes = await Promise.all([run(service, 40), run(service, 40)]);
	forEachCase(outcomes, ({ error }) => expect(error).toBeUndefined());
	expect([...accounts.keys()]).toHaveLength(1);
	const apiKey = 'another-full-access-key';
	await run(service, 1, { credential: credentialFor(service.url, { apiKey }) });
	expect([...accounts.keys()]).toHaveLength(2);
	forEachCase([apiKey, 'demo-full-access-key'], (key) =>
		expect([...accounts.keys()].join()).not.toContain(key),
	);
});

test('reads grow to many at once, up to the most, and their results stay in order', async () => {
	await using service = await startLimitedService(() => ({ accepted: true, headers: {} }), {
		answerMs: 100,
	});
	const { items } = await run(service, 300);
	expect(items.map(({ json }) => json.transaction_id)).toEqual(
		many(300).map(({ json }) => json.id),
	);
	expect(service.mostAtOnce()).toBeGreaterThan(2 * LIMITS.pace.firstAtOnce);
	expect(service.mostAtOnce()).toBeLessThanOrEqual(LIMITS.pace.mostAtOnce);
});

test('cancelling the execution ends a pause soon', async () => {
	const headers = { 'retry-after': '290' };
	accounts.clear();
	await using service = await startLimitedService(refusing(Infinity, headers));
	const pausing = async () => {
		await until(() => [...accounts.values()].some(({ pace }) => pace.pausedUntil > Date.now()));
	};
	const cancelled = pausing();
	const running = run(service, 10, { cancelled });
	await cancelled;
	const { result } = await waitFor(running, 500);
	expect(result).toBeDefined();
	expect(result!.run.finished).not.toBe(true);
	expect(service.requests.length).toBeLessThanOrEqual(LIMITS.pace.firstAtOnce);
});

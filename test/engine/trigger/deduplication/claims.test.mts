import type { IExecuteFunctions, INode } from 'n8n-workflow';

import {
	processedKeys,
	ProcessedKeys,
} from '../../../../nodes/SignAndClose/trigger/delivery/deduplication.ts';
import { listening, nextNumber } from '../../../support/delivery.mts';
import { credentialFor, processed, runNode } from '../../../support/engine.mts';
import { until } from '../../../support/until.mts';

/** How runs claim events: which visits to n8n's store of processed keys that takes. */

/** A node of these tests alone: keys of others, which were stored before, may be looked at again. */
const NODE = { id: 'claims' };
/** What n8n tells its store with each visit, besides the keys. */
const VISIT = [
	'node',
	expect.objectContaining({ node: expect.objectContaining(NODE) }),
	{ mode: 'entries', maxEntries: 10_000 },
];
// Visits that look at stored keys again must not come between those of the tests.
const { checkAfterMs } = processedKeys;
processedKeys.checkAfterMs = 1_000_000;
afterAll(() => void (processedKeys.checkAfterMs = checkAfterMs));
const freshKey = () => `claim-${nextNumber()}`;

/** Runs the trigger as a published workflow does, without a request to a service. */
const runOf = async (json: object, mode: 'manual' | 'trigger' | 'webhook' = 'webhook') =>
	await runNode({
		type: 'signAndCloseTrigger',
		credential: credentialFor('http://127.0.0.1:9'),
		parameters: listening({}),
		items: [{ json: { event: 'x', ...json } }],
		node: NODE,
		mode,
	});

/** The context of a run, as n8n gave it to the trigger. */
async function runContext(): Promise<IExecuteFunctions> {
	const claim = jest.spyOn(processedKeys, 'markProcessed');
	await runOf({ delivery_key: freshKey() });
	const [[context]] = claim.mock.calls;
	claim.mockRestore();
	return context;
}

/** Notes the visits to the store during `work`. */
async function visitsOf(work: (recorded: () => number) => Promise<unknown>) {
	const record = jest.spyOn(processed, 'checkProcessedAndRecord');
	const remove = jest.spyOn(processed, 'removeProcessed');
	const own = <Call extends unknown[]>(calls: Call[]) =>
		calls.filter(([, , by]) => (by as { node: INode }).node.id === NODE.id);
	try {
		await work(() => own(record.mock.calls).length);
		return { recorded: own(record.mock.calls), removed: own(remove.mock.calls) };
	} finally {
		record.mockRestore();
		remove.mockRestore();
	}
}

describe('a claim', () => {
	test('is one visit for the key of the node', async () => {
		const key = freshKey();
		const { recorded, removed } = await visitsOf(async () => await runOf({ delivery_key: key }));
		expect(recorded).toEqual([[[key], ...VISIT]]);
		expect(removed).toEqual([]);
	});
	test.each(['manual', 'webhook'] as const)(
		'is not made for an event without a key, or in a test (%s)',
		async (mode) => {
			const json = mode === 'manual' ? { delivery_key: freshKey() } : {};
			let passed = 0;
			const { recorded } = await visitsOf(async () => {
				passed = (await runOf(json, mode)).items.length;
			});
			expect([recorded, passed]).toEqual([[], 1]);
		},
	);
	test('lets an event pass once in executions that recover events, too', async () => {
		const json = { delivery_key: freshKey() };
		expect((await runOf(json, 'trigger')).items).toHaveLength(1);
		expect((await runOf(json, 'trigger')).items).toEqual([]);
		expect((await runOf(json, 'webhook')).items).toEqual([]);
	});
	test('goes along with those that come during the visit before it', async () => {
		const context = await runContext();
		const [one, two, three] = [freshKey(), freshKey(), freshKey()];
		const given: string[][] = [];
		const claim = async (...keys: string[]) =>
			given.push([...(await processedKeys.markProcessed(context, keys))]);
		const { recorded } = await visitsOf(async () => {
			const first = claim(one);
			// The visit has begun once the promises before it are settled.
			await new Promise(setImmediate);
			await Promise.all([first, claim(two, one), claim(three, two)]);
		});
		expect(recorded.map(([keys]) => keys)).toEqual([[one], [two, one, three]]);
		expect(given).toEqual([[one], [two], [three]]);
		expect([one, two, three].map((key) => processedKeys.has(context, key))).toEqual([
			true,
			true,
			true,
		]);
		expect(processedKeys.has(context, freshKey())).toBe(false);
	});
});

describe('a released event', () => {
	test('is unknown to this process and to the store, and others stay', async () => {
		const context = await runContext();
		const [given, kept] = [freshKey(), freshKey()];
		await processedKeys.markProcessed(context, [given, kept]);
		const { removed } = await visitsOf(async () => await processedKeys.release(context, [given]));
		expect(removed).toEqual([[[given], ...VISIT]]);
		expect([given, kept].map((key) => processedKeys.has(context, key))).toEqual([false, true]);
		expect([...(await processedKeys.markProcessed(context, [given, kept]))]).toEqual([given]);
	});
});

describe('a store that refuses', () => {
	/** Claims a key while the store refuses so many visits; notes the pauses after them. */
	async function claimAfter(refusals: number) {
		const context = await runContext();
		const key = freshKey();
		let visits = 0;
		const pauses: number[] = [];
		const original = processed.checkProcessedAndRecord.bind(processed);
		const { setTimeout: wait } = globalThis;
		let listening = false;
		const record = jest
			.spyOn(processed, 'checkProcessedAndRecord')
			.mockImplementation(async (...given) => {
				// The keys of an earlier test may be stored again meanwhile.
				if (!JSON.stringify(given[0]).includes(key)) return await original(...given);
				listening = ++visits <= refusals;
				if (listening) throw new Error(`refused ${visits}`);
				return await original(...given);
			});
		const timer = jest.spyOn(globalThis, 'setTimeout').mockImplementation(((
			call: () => void,
			ms = 0,
		) => {
			// Requests of an earlier test may wait for something meanwhile.
			const isOwn = new Error().stack!.includes('delivery/deduplication');
			if (!listening || !isOwn) return wait(call, ms);
			pauses.push(ms);
			return wait(call, 0);
		}) as never);
		let outcome: string[] | string;
		try {
			outcome = [...(await processedKeys.markProcessed(context, [key]))];
		} catch (thrown) {
			outcome = (thrown as Error).message;
		} finally {
			timer.mockRestore();
			record.mockRestore();
		}
		const known = processedKeys.has(context, key);
		return { claimed: outcome, key, visits, pauses, known };
	}
	test.each([1, 3])('%i times is visited again, after longer and longer pauses', async (times) => {
		const { claimed, key, visits, pauses, known } = await claimAfter(times);
		expect({ claimed, visits, pauses, known }).toEqual({
			claimed: [key],
			visits: times + 1,
			pauses: [60, 120, 180].slice(0, times),
			known: true,
		});
	});
	test('four times makes the claim fail with what it said last, and the event stays unclaimed', async () => {
		const { claimed, visits, pauses, known } = await claimAfter(4);
		expect({ claimed, visits, pauses, known }).toEqual({
			claimed: 'refused 4',
			visits: 4,
			pauses: [60, 120, 180],
			known: false,
		});
	});
	test('makes all claims of that visit fail, and the next one is served', async () => {
		const context = await runContext();
		const [one, two] = [freshKey(), freshKey()];
		const record = jest
			.spyOn(processed, 'checkProcessedAndRecord')
			.mockRejectedValue(new Error('the database is gone'));
		const { setTimeout: wait } = globalThis;
		const timer = jest
			.spyOn(globalThis, 'setTimeout')
			.mockImplementation(((call: () => void) => wait(call, 0)) as never);
		const claims = await Promise.allSettled([
			processedKeys.markProcessed(context, [one]),
			processedKeys.markProcessed(context, [two]),
		]);
		timer.mockRestore();
		record.mockRestore();
		expect(claims.map((claim) => String(claim.status === 'rejected' && claim.reason))).toEqual([
			'Error: the database is gone',
			'Error: the database is gone',
		]);
		expect([...(await processedKeys.markProcessed(context, [one, two]))]).toEqual([one, two]);
	});
});

describe('a key that another worker has taken away', () => {
	/** n8n's store writes all keys of a node at once, so the last of two workers wins. */
	const storeOf = (name: string) => processed.keys.get(name) ?? [];
	test('is stored again a moment later, so that a repeat an hour later is dropped', async () => {
		const context = await runContext();
		const name = `${context.getWorkflow().id}:${context.getNode().id}`;
		const worker = new ProcessedKeys();
		worker.checkAfterMs = 50;
		const [ours, theirs] = [freshKey(), freshKey()];
		const read = storeOf(name);
		expect([...(await worker.markProcessed(context, [ours]))]).toEqual([ours]);
		// The other worker had read before we wrote, and writes after us.
		processed.keys.set(name, [...read, theirs]);
		expect(storeOf(name)).not.toContain(ours);
		await until(() => storeOf(name).includes(ours));
		expect(storeOf(name)).toEqual(expect.arrayContaining([ours, theirs]));
		// A worker that has never seen the event.
		expect([...(await new ProcessedKeys().markProcessed(context, [ours, theirs]))]).toEqual([]);
	});
	test('is not stored again once its event was released', async () => {
		const context = await runContext();
		const worker = new ProcessedKeys();
		worker.checkAfterMs = 50;
		const key = freshKey();
		await worker.markProcessed(context, [key]);
		await worker.release(context, [key]);
		const other = freshKey();
		await worker.markProcessed(context, [other]);
		// The look at the other key has been made.
		await visitsOf(async (recorded) => await until(() => recorded() > 0));
		expect([...(await worker.markProcessed(context, [key]))]).toEqual([key]);
	});
});

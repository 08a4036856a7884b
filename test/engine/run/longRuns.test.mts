import { afterEach, describe, expect, jest, test } from '@jest/globals';

import { startLimitedService } from '../../../bench/limitedService.mts';
import { credentialFor, runNode, type RunOptions } from '../../support/engine.mts';
import { choosing, madeUpOperation } from '../../support/madeUp/operation.mts';
import { hints } from '../../support/operations.mts';

/** Runs that take long: they leave n8n time for others, can be stopped, and say what they wait for. */

const items = (count: number) => Array.from({ length: count }, (_, index) => ({ json: { index } }));

const run = async (execute: () => Promise<never[]>, more: Partial<RunOptions> = {}) => {
	const operation = madeUpOperation({ execute });
	return await runNode({
		credential: credentialFor('https://api.example.com'),
		operations: [operation],
		parameters: choosing(operation),
		items: items(1000),
		...more,
	});
};

afterEach(() => {
	jest.restoreAllMocks();
});

/** Lets the clock go on by so many milliseconds whenever somebody looks at it. */
function eachLookTakes(ms: number): void {
	const start = Date.now();
	let looks = 0;
	jest.spyOn(Date, 'now').mockImplementation(() => start + ms * looks++);
}

describe('items that send nothing', () => {
	test('let others run from time to time', async () => {
		eachLookTakes(1);
		let [turn, over] = [0, false];
		const others = () => {
			turn++;
			if (!over) setImmediate(others);
		};
		others();
		const seen = new Set<number>();
		await run(async () => {
			seen.add(turn);
			return [];
		});
		over = true;
		expect(seen.size).toBeGreaterThan(20);
	});
	test('can be stopped, also when they continue on failure', async () => {
		eachLookTakes(1);
		let begun = 0;
		let stop = () => undefined as void;
		const cancelled = new Promise<void>((resolve) => (stop = resolve));
		await run(
			async () => {
				if (++begun === 10) setImmediate(stop);
				throw new Error('No use');
			},
			{ cancelled, node: { onError: 'continueRegularOutput' } },
		);
		// n8n doesn't wait for the node; nothing is begun any more.
		for (let turn = 0; turn < 100; turn++) await new Promise(setImmediate);
		expect(begun).toBeLessThan(100);
	});
});

describe('in the editor, the console of the browser says', () => {
	const told = async (count: number, msPerLook: number, more: Partial<RunOptions> = {}) => {
		eachLookTakes(msPerLook);
		const console: unknown[] = [];
		await run(async () => [], { console, items: items(count), ...more });
		return console;
	};
	test('every five seconds how far a run is', async () => {
		const console = await told(2000, 10);
		expect(console.length).toBeGreaterThan(2);
		for (const line of console) expect(line).toMatch(/^Tested: (1,)?\d{1,3} of 2,000 items done$/);
		expect(new Set(console).size).toBe(console.length);
	});
	test('nothing of a short run, nor of one that nobody watches', async () => {
		expect(await told(3, 1)).toEqual([]);
		expect(await told(2000, 10, { mode: 'trigger' })).toEqual([]);
	});
});

describe('a run that a service kept waiting', () => {
	const get = async (pauseMs: number, refusals: number) => {
		let left = refusals;
		await using service = await startLimitedService(() => ({
			accepted: left-- <= 0,
			headers: { 'retry-after': String(pauseMs / 1000) },
		}));
		const outcome = await runNode({
			credential: credentialFor(service.url),
			parameters: {
				resource: 'transaction',
				operation: 'get',
				platform: 'business',
				transactionId: { __rl: true, mode: 'id', value: 'or_1' },
			},
		});
		return hints(outcome);
	};
	test('says for how long, and what became of the requests', async () => {
		expect(await get(3000, 1)).toMatch(
			/The service limits how many requests it takes: the node paused for 3 seconds in all\. It refused 1 request, which the node sent again\.$/,
		);
	});
	test('says nothing of a short while', async () => {
		expect(await get(1000, 2)).not.toMatch(/paused/);
	});
});

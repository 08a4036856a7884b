import type { OperationCall, OperationResult } from '../../../nodes/SignAndClose/run/operation.ts';
import {
	reportDone,
	reportNotDone,
	UNCERTAIN,
	type Verdict,
} from '../../../nodes/SignAndClose/run/goals.ts';
import {
	defineWrite,
	ExistingResult,
	type AnyWrite,
} from '../../../nodes/SignAndClose/run/operation.ts';
import { ExplainedFailure, InputFailure } from '../../../nodes/SignAndClose/messages/failures.ts';
import { credentialFor, processed, runNode, type RunOptions } from '../../support/engine.mts';
import { forEachCase } from '../../support/forEachCase.mts';
import { choosing, madeUpOperation } from '../../support/madeUp/operation.mts';

/** How a write is done, and looked up, by its four functions: which of them is asked when, and for what. */

beforeEach(async () => await processed.clearAllProcessedItems());

const TRIES = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
/** Absence counts at once. */
const ONE_LOOK = { absentAfterMs: 0 };
const MISSING = reportNotDone({ still: 'missing' });

const lost = () => new ExplainedFailure('It was lost', 'Look', { unknownOutcome: true });
const found = (what: string) => new ExistingResult({ json: { found: what }, isFound: true });

interface Story {
	prepares?: unknown;
	/** What each request comes to; nothing is an answer that shows nothing. */
	sends?: unknown[];
	/** What each look sees. */
	looks?: Array<Verdict<string>>;
	more?: Partial<AnyWrite>;
}

/** A write whose functions note what they're asked for. What it shows and knows comes out. */
function noting({ prepares, sends = [], looks = [], more }: Story) {
	const log: string[] = [];
	const operation = madeUpOperation({
		kind: 'write',
		write: {
			...defineWrite<string, string, unknown>({
				async parse() {
					log.push('parse');
					return await Promise.resolve('wish');
				},
				async prepare(_call, wish) {
					log.push(`prepare ${wish}`);
					return await Promise.resolve(prepares);
				},
				async send(_call, wish, ready) {
					log.push(`send ${wish} ${String(ready)}`);
					const answer = await Promise.resolve(sends.shift());
					if (answer instanceof Error) throw answer;
					return answer;
				},
				goal: (_call, wish, ready) => ({
					fromAnswer: (answer) => (answer === undefined ? UNCERTAIN : reportDone(String(answer))),
					async look() {
						log.push(`look ${wish} ${String(ready)}`);
						return await Promise.resolve(looks.shift());
					},
					toCheck: `Check ${wish}`,
				}),
				result: (_call, shown, wish, ready): OperationResult => ({
					json: { shown, wish, ready: String(ready) },
				}),
			}),
			...more,
		},
	});
	const run = async (how: Partial<RunOptions> = {}) =>
		await runNode({
			credential: credentialFor('https://api.example.com'),
			operations: [operation],
			parameters: choosing(operation),
			limits: ONE_LOOK,
			...how,
		});
	return { run, log };
}

const out = ({ items }: Awaited<ReturnType<typeof runNode>>) => items.map(({ json }) => json);

test('parses, prepares, sends, and makes its result of all of it', async () => {
	const { run, log } = noting({ prepares: 'ready', sends: ['answer'] });
	expect(out(await run())).toEqual([{ shown: 'answer', wish: 'wish', ready: 'ready' }]);
	expect(log).toEqual(['parse', 'prepare wish', 'send wish ready']);
});

test('prepares nothing where nothing is to be read', async () => {
	const { run, log } = noting({ sends: ['answer'], more: { prepare: undefined } });
	expect(out(await run())).toEqual([{ shown: 'answer', wish: 'wish', ready: 'undefined' }]);
	expect(log).toEqual(['parse', 'send wish undefined']);
});

test('is looked up in the same try with what it has prepared', async () => {
	await forEachCase([undefined, lost()], async (answer) => {
		const { run, log } = noting({
			prepares: 'ready',
			sends: [answer],
			looks: [reportDone('found')],
		});
		expect(out(await run())).toEqual([{ shown: 'found', wish: 'wish', ready: 'ready' }]);
		expect(log).toEqual(['parse', 'prepare wish', 'send wish ready', 'look wish ready']);
	});
});

describe('a later try', () => {
	test('looks up without preparing anything, which may no longer be possible', async () => {
		const story = { prepares: 'ready', sends: [lost()], looks: [UNCERTAIN, reportDone('found')] };
		const { run, log } = noting(story);
		expect(out(await run({ node: TRIES }))).toEqual([
			{ shown: 'found', wish: 'wish', ready: 'undefined' },
		]);
		expect(log.slice(4)).toEqual(['parse', 'look wish undefined']);
	});
	test('parses once, also if it looks up and then sends', async () => {
		const sends = [lost(), 'answer'];
		const { run, log } = noting({ prepares: 'ready', sends, looks: [MISSING, MISSING] });
		expect(out(await run({ node: TRIES }))).toEqual([
			{ shown: 'answer', wish: 'wish', ready: 'ready' },
		]);
		expect(log.slice(4)).toEqual([
			'parse',
			'look wish undefined',
			'prepare wish',
			'send wish ready',
		]);
	});
});

describe('what is there already is the result', () => {
	test('if preparing finds it: nothing is sent', async () => {
		const { run, log } = noting({ prepares: found('before') });
		expect(out(await run())).toEqual([{ found: 'before' }]);
		expect(log).toEqual(['parse', 'prepare wish']);
	});
	test('if sending finds it: nothing is looked up', async () => {
		const { run, log } = noting({ prepares: 'ready', sends: [found('meanwhile')] });
		expect(out(await run())).toEqual([{ found: 'meanwhile' }]);
		expect(log).toEqual(['parse', 'prepare wish', 'send wish ready']);
	});
	test('if the second request of a lost one finds it', async () => {
		const { run, log } = noting({
			sends: [lost(), found('meanwhile')],
			looks: [MISSING],
			more: { repeats: true },
		});
		expect(out(await run())).toEqual([{ found: 'meanwhile' }]);
		expect(log.slice(2)).toEqual([
			'send wish undefined',
			'look wish undefined',
			'send wish undefined',
		]);
	});
});

describe("what can't be used", () => {
	const odd = () => {
		throw new InputFailure('Name', 'is odd', 'Change it');
	};
	test('stops the item before anything is sent', async () => {
		const { run, log } = noting({ more: { parse: odd } });
		expect((await run()).error?.message).toBe("'Name' is odd");
		expect(log).toEqual([]);
	});
	test('in a later try leaves the outcome unknown, with what the first one said', async () => {
		let isOdd = false;
		const parse = () => (isOdd ? odd() : 'wish');
		const { run, log } = noting({ sends: [lost()], looks: [UNCERTAIN], more: { parse } });
		const first = await run({ executionId: '512' });
		isOdd = true;
		const retried = await run({ executionId: '513', retryOf: first });
		expect(retried.error).toMatchObject({ message: 'It was lost' });
		expect(retried.error?.description).toBe(first.error?.description);
		expect(retried.error?.description).toContain('Check wish');
		expect(log.filter((entry) => entry.startsWith('send'))).toHaveLength(1);
	});
});

test('a result that is unknown is looked up, and made anew', async () => {
	let times = 0;
	const result = (_call: OperationCall, shown: string): OperationResult => {
		if (++times === 1) throw lost();
		return { json: { shown } };
	};
	const { run } = noting({ sends: ['answer'], looks: [reportDone('found')], more: { result } });
	expect(out(await run())).toEqual([{ shown: 'found' }]);
});

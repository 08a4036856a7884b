import type { INodeExecutionData } from 'n8n-workflow';

import { ExplainedFailure, InputFailure } from '../../../nodes/SignAndClose/messages/failures.ts';
import type { OperationCall, OperationResult } from '../../../nodes/SignAndClose/run/operation.ts';
import {
	reportDone,
	reportNotDone,
	UNCERTAIN,
	type Verdict,
} from '../../../nodes/SignAndClose/run/goals.ts';
import {
	credentialFor,
	processed,
	runNode,
	type RunOptions,
	type RunOutcome,
} from '../../support/engine.mts';
import { choosing, madeUpOperation } from '../../support/madeUp/operation.mts';
import { madeUpWrite } from './madeUpWrite.mts';
import { textField } from '../../support/madeUp/params.mts';
import { hints } from '../../support/operations.mts';

/** An item that is several writes, around an operation that a test makes up. */

beforeEach(async () => await processed.clearAllProcessedItems());

const TRIES = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
const CONTINUE = { onError: 'continueRegularOutput' } as const;
const TO_GO_ON = 'Leave out what is done if you run the workflow again';

/** Absence counts at once. */
const ONE_LOOK = { absentAfterMs: 0 };

const made = (name: string): OperationResult => ({ json: { made: name } });
const refused = () => new ExplainedFailure('Refused', 'Correct it', { final: true });
const lost = () =>
	new ExplainedFailure('The answer was lost', 'Look', { unknownOutcome: true, lookedUp: true });

type Work = (call: OperationCall) => OperationResult | Promise<OperationResult>;

interface Story {
	/** What the write of a part does the first time, the second time and so on; by default, it works. */
	works?: Record<string, Array<Work | Error>>;
	/** What a look-up of a part sees; the last one for ever. */
	looks?: Record<string, Array<Verdict<OperationResult>>>;
	/** What can't be used of a part. */
	faults?: Record<string, InputFailure>;
	/** Parts without an output of their own. */
	beside?: string[];
	/** Parts that are there already. */
	there?: string[];
	/** What keeps a try from dividing the item. */
	undivided?: Array<Error | undefined>;
}

/** An operation whose items are the parts that their parameter lists. */
function listed({
	works = {},
	looks = {},
	faults = {},
	beside = [],
	there = [],
	undivided = [],
}: Story = {}) {
	const log: string[] = [];
	const calls: OperationCall[] = [];
	const next = <T,>(all: Record<string, T[]>, name: string, kind: string): T | undefined => {
		const turn = log.filter((entry) => entry === `${kind} ${name}`).length - 1;
		return all[name]?.[Math.min(turn, all[name].length - 1)];
	};
	const how = {
		async lookUp(call: OperationCall) {
			const name = call.params.getRequired('name');
			calls.push(call);
			log.push(`look up ${name}`);
			return next(looks, name, 'look up') ?? UNCERTAIN;
		},
		toCheck: ({ params }: OperationCall) => `Check whether ${params.getText('name')} is there`,
	};
	const operation = madeUpOperation({
		kind: 'write',
		properties: [textField('Name', 'name')],
		divide: async ({ params }) => {
			const names = params.getRequired('name').split(',');
			if (names.length === 1) return undefined;
			const stopped = undivided.shift();
			if (stopped !== undefined) throw stopped;
			return {
				resumeAdvice: TO_GO_ON,
				parts: names.map((name) => ({
					key: name,
					name: `Part ${name}`,
					params: params.withValues({ name }, new Map()),
					...(beside.includes(name) && { isAuxiliary: true as const }),
					write: madeUpWrite({
						async prepare() {
							log.push(`prepare ${name}`);
							if (faults[name] !== undefined) throw faults[name];
							return there.includes(name) ? { ...made(name), isFound: true } : undefined;
						},
						async send(call) {
							calls.push(call);
							log.push(`write ${call.params.getRequired('name')}`);
							const work = next(works, name, 'write');
							if (work instanceof Error) throw work;
							return (await work?.(call)) ?? made(name);
						},
						...how,
					}),
				})),
			};
		},
		execute: async ({ params }) => {
			log.push(`alone ${params.getRequired('name')}`);
			return made(params.getRequired('name'));
		},
		...how,
	});
	const run = async (node: object = {}, names = ['a,b,c'], more: Partial<RunOptions> = {}) =>
		await runNode({
			credential: credentialFor('https://api.example.com'),
			operations: [operation],
			parameters: { ...choosing(operation), name: '={{ $json.name }}' },
			node,
			limits: ONE_LOOK,
			items: names.map((name): INodeExecutionData => ({ json: { name } })),
			...more,
		});
	return { run, log, calls, written: () => log.filter((entry) => entry.startsWith('write')) };
}

const outputs = ({ items }: RunOutcome) => items.map(({ json }) => json.made ?? json.error);
const said = ({ error }: RunOutcome) => `${error?.message}. ${error?.description}`;
const keptAfter = ({ run: { data } }: RunOutcome) =>
	JSON.stringify(data.executionData?.contextData ?? {});

describe('what goes well', () => {
	test('every part is prepared before the first is written, in order, one output each', async () => {
		const { run, log } = listed();
		const outcome = await run({}, ['a,b', 'c', 'd,e']);
		expect(outputs(outcome)).toEqual(['a', 'b', 'c', 'd', 'e']);
		expect(outcome.items.map(({ pairedItem }) => pairedItem)).toEqual(
			[0, 0, 1, 2, 2].map((item) => ({ item })),
		);
		expect(log.filter((entry) => /[ab]$/.test(entry))).toEqual([
			'prepare a',
			'prepare b',
			'write a',
			'write b',
		]);
		expect(log).toContain('alone c');
		expect(keptAfter(outcome)).not.toContain('signAndCloseWrites');
	});
	test('hints name the part, unless there is only one', async () => {
		const hinted = (name: string) => () => ({ ...made(name), hint: 'Look at it' });
		const { run } = listed({ works: { a: [hinted('a')], b: [hinted('b')] } });
		expect(hints(await run({}, ['a,b']))).toBe('Part a: Look at it. Part b: Look at it');
	});
	test('a part beside the others gives no output, but its hint', async () => {
		const hinted = (name: string) => () => ({ ...made(name), hint: `Look at ${name}` });
		const works = { a: [hinted('a')], b: [hinted('b')] };
		const outcome = await listed({ works, beside: ['a'] }).run({}, ['a,b']);
		expect(outputs(outcome)).toEqual(['b']);
		expect(hints(outcome)).toBe('Look at a. Part b: Look at b');
		const failing = listed({ works: { ...works, c: [refused()] }, beside: ['a'] });
		const failed = await failing.run(CONTINUE);
		expect(outputs(failed)).toEqual([expect.stringMatching(/Done: Part a, Part b\. Not/)]);
		expect(failed.items[0].json.message).toMatchObject({
			done: [
				{ name: 'Part a', hint: 'Look at a' },
				{ name: 'Part b', hint: 'Look at b' },
			],
		});
	});
	test('each part has its own memory of what it has sent, and its own steps', async () => {
		const noting = ({ sending, steps, params }: OperationCall): OperationResult => {
			expect([sending.get(), steps.all()]).toEqual([undefined, []]);
			sending.set({ at: 1, reference: params.getText('name') });
			steps.add('begun');
			return made(String(sending.get()?.reference));
		};
		const { run } = listed({ works: { a: [noting], b: [noting] } });
		expect(outputs(await run({}, ['a,b']))).toEqual(['a', 'b']);
	});
});

describe("what can't be used", () => {
	const fault = (parameter: string) => new InputFailure(parameter, 'is odd', 'Change it');
	test('is told with the part, and nothing is written', async () => {
		const { run, log } = listed({ faults: { b: fault('Name') } });
		const outcome = await run();
		expect(said(outcome)).toBe("Part b: 'Name' is odd. Change it");
		expect(log).toEqual(['prepare a', 'prepare b', 'prepare c']);
	});
	test('of several parts is told at once', async () => {
		const { run } = listed({ faults: { a: fault('Name'), c: fault('Size') } });
		expect(said(await run())).toBe(
			"'Name' and 'Size' can't be used. (1) Part a: 'Name' is odd. (2) Part c: 'Size' is odd. Change it",
		);
	});
	test('in all of them is told once', async () => {
		const { run } = listed({ faults: { a: fault('Name'), b: fault('Name'), c: fault('Name') } });
		expect(said(await run())).toBe("'Name' is odd. Change it");
	});
});

describe('a part that fails', () => {
	const story = () => listed({ works: { b: [refused(), () => made('b')] } });
	const TOLD = `Correct it. Done: Part a. Not done: Part b, Part c. ${TO_GO_ON}`;
	test('ends the item: what is done is told, and what is not', async () => {
		const { run, written } = story();
		const outcome = await run();
		expect(outcome.error?.message).toBe('Part b: Refused');
		expect(outcome.error?.description).toBe(TOLD);
		expect(written()).toEqual(['write a', 'write b']);
	});
	test('is all that comes out of its item if the workflow goes on, with what is done', async () => {
		const outcome = await story().run(CONTINUE, ['a,b,c', 'd,e']);
		expect(outputs(outcome)).toEqual([`Part b: Refused (item 1 of 2). ${TOLD}`, 'd', 'e']);
		expect(outcome.items[0].json.message).toEqual({
			done: [{ name: 'Part a' }],
			unknown: [],
			not_done: ['Part b', 'Part c'],
		});
		expect(outcome.items.map(({ pairedItem }) => pairedItem)).toEqual(
			[0, 1, 1].map((item) => ({ item })),
		);
		const toError = await story().run({ onError: 'continueErrorOutput' });
		expect(outputs(toError)).toEqual([]);
		expect(toError.errorItems[0].json.error).toContain('Part b: Refused');
	});
	test('says the IDs of what is done', async () => {
		const withIds = (): OperationResult => ({ json: { made: 'a', thing_id: 7, note: 'x' } });
		const { run } = listed({ works: { a: [withIds], b: [refused()] } });
		const { items } = await run(CONTINUE);
		expect(items[0].json.message).toMatchObject({ done: [{ name: 'Part a', thing_id: 7 }] });
	});
	test('says what an earlier try has done, if the next one stops before the parts', async () => {
		const { run } = listed({ works: { b: [refused()] }, undivided: [undefined, refused()] });
		const { items } = await run({ ...TRIES, ...CONTINUE });
		expect(items.map(({ json }) => json)).toEqual([
			{
				error: `Refused. Correct it. Item 1 is half done: Done: Part a. Not done: Part b, Part c. ${TO_GO_ON}`,
				message: { done: [{ name: 'Part a' }], unknown: [], not_done: ['Part b', 'Part c'] },
			},
		]);
	});
	test('as the first says nothing of what is done', async () => {
		const { run } = listed({ works: { a: [refused()] } });
		expect((await run()).error?.description).toBe('Correct it');
		const [{ json }] = (await run(CONTINUE)).items;
		expect(json).toEqual({ error: 'Part a: Refused. Correct it' });
	});
	test('is where Retry On Fail goes on', async () => {
		const { run, written, log } = story();
		const outcome = await run(TRIES);
		expect(outputs(outcome)).toEqual(['a', 'b', 'c']);
		expect(written()).toEqual(['write a', 'write b', 'write b', 'write c']);
		expect(log.filter((entry) => entry === 'prepare a')).toHaveLength(1);
		expect(keptAfter(outcome)).not.toContain('signAndCloseWrites');
	});
	test('is where the retry of the execution goes on', async () => {
		const { run, written } = story();
		const first = await run({}, ['a,b,c'], { executionId: '512' });
		const retried = await run({}, ['a,b,c'], { executionId: '513', retryOf: first });
		expect(outputs(retried)).toEqual(['a', 'b', 'c']);
		expect(written()).toEqual(['write a', 'write b', 'write b', 'write c']);
	});
	test('that stops the run beside other items is told with their parts', async () => {
		const failing = listed({ works: { e: [refused()] } });
		expect(said(await failing.run({}, ['a,b', 'd,e,f']))).toContain(
			'Part e: Refused (item 2 of 2). Correct it. Done: Part d. Not done: Part e, Part f',
		);
		expect(said(await failing.run({}, ['a,b', 'd,e,f']))).toContain('Item 1 is done');
	});
	test('keeps its words when the next try fails for another reason', async () => {
		const { run } = listed({
			works: { b: [refused()] },
			faults: {},
		});
		const first = await run({}, ['a,b'], { executionId: '512' });
		const retried = await run({}, ['a,b'], { executionId: '513', retryOf: first });
		expect(retried.error?.description).toBe(
			`Correct it. Done: Part a. Not done: Part b. ${TO_GO_ON}`,
		);
	});
});

describe('a part whose answer is lost', () => {
	test('ends the item: its outcome is told beside what is done', async () => {
		const { run, written } = listed({ works: { b: [lost()] } });
		const outcome = await run();
		expect(outcome.error?.message).toBe('Part b: The answer was lost');
		expect(outcome.error?.description).toMatch(
			/^Look\. Check whether b is there\. .*Done: Part a\. Unknown: Part b\. Not done: Part c\. Leave out/,
		);
		expect(written()).toEqual(['write a', 'write b']);
	});
	test('and found by the next try is done, and those after it follow', async () => {
		const { run, log } = listed({
			works: { b: [lost()] },
			looks: { b: [UNCERTAIN, reportDone(made('b'))] },
		});
		expect(outputs(await run(TRIES))).toEqual(['a', 'b', 'c']);
		expect(log.slice(-5)).toEqual(['write b', 'look up b', 'look up b', 'prepare c', 'write c']);
	});
	test('and known to be missing is written again, with the memory of the first time', async () => {
		const sent: unknown[] = [];
		const send = ({ sending }: OperationCall): OperationResult => {
			sent.push(sending.get()?.reference);
			sending.set({ at: 1, reference: 'n8n-b' });
			if (sent.length === 1) throw lost();
			return made('b');
		};
		const { run, written } = listed({
			works: { b: [send] },
			looks: { b: [reportNotDone({ still: 'missing' })] },
		});
		expect(outputs(await run(TRIES))).toEqual(['a', 'b', 'c']);
		expect(sent).toEqual([undefined, 'n8n-b']);
		expect(written()).toEqual(['write a', 'write b', 'write b', 'write c']);
	});
	test('and still unknown is not written again, and neither is any other', async () => {
		const { run, written } = listed({ works: { b: [lost()] } });
		const outcome = await run(TRIES);
		expect(outcome.error?.message).toBe('Part b: The answer was lost');
		expect(outcome.error?.description).toContain('Unknown: Part b. Not done: Part c');
		expect(written()).toEqual(['write a', 'write b']);
	});
});

test('a part that ends under way, because this program broke, counts as unknown', async () => {
	const send = ({ sending }: OperationCall): never => {
		sending.set({ at: 1 });
		throw new Error('It broke');
	};
	const { run } = listed({ works: { b: [send] } });
	expect((await run()).error?.description).toBe(
		`Done: Part a. Unknown: Part b. Not done: Part c. ${TO_GO_ON}`,
	);
});

describe('items that stop side by side', () => {
	/** The first item waits until the second one has failed. */
	const beside = (failure: Error) => {
		let failed: () => void;
		const hasFailed = new Promise<void>((resolve) => (failed = resolve));
		return listed({
			works: {
				a: [
					async ({ service }) => {
						service['onSend']?.();
						await hasFailed;
						return made('a');
					},
				],
				b: [refused()],
				e: [
					() => {
						failed();
						throw failure;
					},
				],
			},
		});
	};
	test('each say which parts are done', async () => {
		const { error } = await beside(refused()).run({}, ['a,b', 'd,e,f']);
		expect(error?.message).toBe('Part b: Refused (item 1 of 2)');
		expect(error?.description).toBe(
			`Correct it. Done: Part a. Not done: Part b. ${TO_GO_ON}. Item 2 is half done: Done: Part d. Not done: Part e, Part f. ${TO_GO_ON}`,
		);
	});
	test('say of which parts nobody knows', async () => {
		const { error } = await beside(lost()).run({}, ['a,b', 'd,e,f']);
		expect(error?.description).toContain(
			'The outcome of item 2 is unknown: Part e: The answer was lost. Check whether e is there. Done: Part d. Unknown: Part e. Not done: Part f',
		);
	});
});

describe('a part that is there already', () => {
	test('is looked for again by the next try', async () => {
		const found = (): OperationResult => ({ ...made('a'), isFound: true });
		const { run, written } = listed({ works: { a: [found], b: [refused(), () => made('b')] } });
		expect(outputs(await run(TRIES, ['a,b']))).toEqual(['a', 'b']);
		expect(written()).toEqual(['write a', 'write b', 'write a', 'write b']);
	});
	test('is done, wherever another one fails, and is not written', async () => {
		const { run, log } = listed({ works: { b: [refused(), () => made('b')] }, there: ['a', 'c'] });
		const outcome = await run(CONTINUE);
		expect(outputs(outcome)).toEqual([
			`Part b: Refused. Correct it. Done: Part a, Part c. Not done: Part b. ${TO_GO_ON}`,
		]);
		log.length = 0;
		expect(outputs(await run(TRIES))).toEqual(['a', 'b', 'c']);
	});
	test('is done for a later try that stops before it has looked at it again', async () => {
		const lostOnce = listed({ works: { c: [lost()] }, there: ['a', 'd'] });
		const { error } = await lostOnce.run(TRIES, ['a,b,c,d,e']);
		expect(error?.description).toContain(
			'Done: Part a, Part b, Part d. Unknown: Part c. Not done: Part e',
		);
		expect(lostOnce.log.filter((entry) => entry === 'prepare d')).toHaveLength(1);
	});
	test("says nothing where another one's input can't be used", async () => {
		const fault = new InputFailure('Name', 'is odd', 'Change it');
		expect(said(await listed({ there: ['a'], faults: { b: fault } }).run())).toBe(
			"Part b: 'Name' is odd. Change it",
		);
	});
});

describe('parts that need what those before them have come to', () => {
	/** An item that makes a folder, and then a file in it. */
	function folder(
		works: Array<OperationResult | Error> = [],
		looks: Array<Verdict<OperationResult>> = [],
	) {
		const log: string[] = [];
		const idIn = (before: OperationResult[]) => before[0]?.json.folder;
		const operation = madeUpOperation({
			kind: 'write',
			properties: [textField('Name', 'name')],
			execute: undefined,
			divide: async ({ params }) => ({
				parts: [
					{
						key: 'folder',
						name: 'Folder',
						params,
						write: madeUpWrite({
							async send() {
								log.push('folder');
								return { json: { folder: 'f1' } };
							},
						}),
					},
					{
						key: 'file',
						name: 'File',
						params: (before) => params.withValues({ folder: idIn(before) as string }, new Map()),
						write: madeUpWrite({
							async send(call) {
								log.push(`file in ${call.params.getText('folder')}`);
								const work = works.shift();
								if (work instanceof Error) throw work;
								return work ?? made('file');
							},
							async lookUp(call) {
								log.push(`look in ${call.params.getText('folder')}`);
								return looks.shift() ?? UNCERTAIN;
							},
							toCheck: ({ params: own }) => `Look into ${own.getText('folder')}`,
						}),
					},
				],
				resumeAdvice: (before) => `Go on with ${idIn(before)}`,
				join: (results) => ({ json: Object.assign({}, ...results.map(({ json }) => json)) }),
				details: (before) => (before.length === 0 ? undefined : { folder: idIn(before) as string }),
			}),
		});
		const run = async (more: Partial<RunOptions> = {}) =>
			await runNode({
				credential: credentialFor('https://api.example.com'),
				operations: [operation],
				parameters: { ...choosing(operation), name: 'a' },
				...more,
			});
		return { run, log };
	}
	test('get it, and all of them give one output', async () => {
		const { run, log } = folder();
		const outcome = await run();
		expect(outcome.items.map(({ json }) => json)).toEqual([{ folder: 'f1', made: 'file' }]);
		expect(log).toEqual(['folder', 'file in f1']);
		expect(keptAfter(outcome)).not.toContain('signAndCloseWrites');
	});
	test('get it in the next try, too', async () => {
		const { run, log } = folder([refused()]);
		const outcome = await run({ node: TRIES });
		expect(outcome.items.map(({ json }) => json)).toEqual([{ folder: 'f1', made: 'file' }]);
		expect(log).toEqual(['folder', 'file in f1', 'file in f1']);
	});
	test('show it in the output of a failure', async () => {
		const message = { folder: 'f1', done: [{ name: 'Folder' }], unknown: [], not_done: ['File'] };
		const text = 'File: Refused. Correct it. Done: Folder. Not done: File. Go on with f1';
		const { items } = await folder([refused()]).run({ node: CONTINUE });
		expect(items.map(({ json }) => json)).toEqual([{ error: text, message }]);
	});
	test('are looked up in a way of their own, with it', async () => {
		const { run, log } = folder([lost()], [UNCERTAIN, reportDone(made('file'))]);
		const first = await run({ executionId: '512' });
		expect(said(first)).toContain('Look into f1');
		const retried = await run({ executionId: '513', retryOf: first });
		expect(retried.items.map(({ json }) => json)).toEqual([{ folder: 'f1', made: 'file' }]);
		expect(log).toEqual(['folder', 'file in f1', 'look in f1', 'look in f1']);
	});
});

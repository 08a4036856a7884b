import type { IDataObject, INode } from 'n8n-workflow';

import type { FaultSpec } from '../../../sandbox/http/faults.mts';
import { startSandbox, type Sandbox } from '../../../sandbox/index.mts';
import {
	countEvaluations,
	credentialFor,
	readFile,
	runNode,
	useBinaryMode,
	type BinaryMode,
	type RunOutcome,
} from '../engine.mts';
import { operations } from '../../../nodes/SignAndClose/resources/index.ts';
import { forEachCase } from '../forEachCase.mts';
import { strangeNames } from './namedFields.mts';
import { ALL_FIXTURES, fixturePath, type Scene } from './index.mts';

/**
 * The same hard tests for every operation, through n8n's own engine. An operation that is listed
 * gets all of them; its fixture is found by its name. One without a fixture fails the first test.
 */

const BLAME = /\b(error|problem|failure|mistake)\b/i;

/** How many test files share the operations, so that they run side by side. */
const SHARDS = 3;

/** Describes the matrix of every third operation, from the given one (0, 1 or 2). */
export function describeMatrix(shard: number): void {
	const names = Object.keys(ALL_FIXTURES).filter((_name, index) => index % SHARDS === shard);
	describe.each(names)('%s', (name) => {
		const [resource, operation] = name.split(/[/#]/);
		const {
			kind,
			outputs = 1,
			writes = 1,
			binary,
			lists,
			offline,
			undocumented = false,
			traceless = false,
			shownRefusal: told,
			limits,
			build,
		} = ALL_FIXTURES[name];
		let sandbox: Sandbox;
		let scene: Scene;
		/** Everything that a person read of failures in the test. */
		let read: string[];
		const declared = operations.find(
			(one) => `${one.resource}/${one.value}` === `${resource}/${operation}`,
		)!;
		const repeats = declared.write?.repeats === true;
		beforeEach(async () => {
			read = [];
			await useBinaryMode('filesystem');
			// Documents are processed at once; how Send waits for them has tests of its own.
			sandbox = await startSandbox({ filesOrigin: 'separate', processingMs: 0 });
			scene = await build(sandbox);
			sandbox.requests.length = 0;
		});
		afterEach(async () => {
			forEachCase(sandbox.fileRequests, (headers) =>
				expect(Object.keys(headers)).not.toContain('apikey'),
			);
			expect(sandbox.problems).toEqual([]);
			await sandbox.close();
			// Each field that a message names is in this form, or in that of an operation it names.
			expect(
				read.flatMap((text) => strangeNames(text, declared).map((field) => [field, text])),
			).toEqual([]);
		});

		const run = async (
			items = scene.items,
			node: Partial<INode> = {},
			credential: IDataObject = {},
		) => {
			const outcome = await runNode({
				credential: credentialFor(sandbox.url, credential as never),
				parameters: { ...scene.parameters, resource, operation },
				items,
				node,
				limits,
			});
			const { error } = outcome;
			if (error !== undefined) read.push(`${error.message}. ${error.description ?? ''}`);
			for (const { json } of [...outcome.items, ...outcome.errorItems])
				if (typeof json.error === 'string') read.push(json.error);
			return outcome;
		};
		/** What a person reads of what the service refused. */
		const refused = ({ error, items }: RunOutcome) =>
			told === undefined ? error : told(items.map(({ json }) => json));
		const own = () =>
			sandbox.requests.filter(
				({ method, path }) => method === scene.request.method && scene.request.path.test(path),
			);
		/** Those of them that were done; a deletion may answer 204. */
		const succeeded = () => own().filter(({ status }) => status === 200 || status === 204);
		const marks = (items: Array<{ json: IDataObject }>) =>
			items.map(({ json }) => scene.mark(json));
		const repeated = (values: unknown[]) =>
			values.flatMap((value) =>
				Array.isArray(value) ? value : Array.from({ length: outputs }, () => value),
			);
		const paired = (indexes: number[]) =>
			indexes.flatMap((index) => repeated([scene.expected[index]]).map(() => index));
		/** Items of which the second can't go well. */
		const broken = () =>
			scene.items.map((item, index) =>
				index === 1 ? { ...item, json: { ...item.json, ...scene.broken } } : item,
			);
		/** The second item fails this many times at its own request. */
		const fault = (spec: FaultSpec) =>
			sandbox.faults.add({ method: scene.request.method, path: scene.request.path, ...spec });

		test('three items: each with its own parameters, in order, paired', async () => {
			const { items, error } = await run();
			expect(error).toBeUndefined();
			for (const index of scene.items.keys()) {
				const given = items.filter(
					({ pairedItem }) => (pairedItem as { item: number }).item === index,
				).length;
				const wanted = paired([index]).length;
				if (given > wanted)
					throw new Error(
						`item ${index + 1} gave ${given} items instead of ${wanted}: set outputs in ${fixturePath(name)}, or is something returned twice?`,
					);
			}
			expect(marks(items)).toEqual(repeated(scene.expected));
			expect(items.map(({ pairedItem }) => (pairedItem as { item: number }).item)).toEqual(
				paired([0, 1, 2]),
			);
			// What is truthy there would make n8n run the node again.
			forEachCase(items, ({ json }) => expect(json.error).toBeFalsy());
		});

		test('n8n evaluates a parameter once an item, and a fixed one once a run', async () => {
			const counted = countEvaluations();
			await run();
			const asked = counted.stop().map(([parameter, item]) => {
				const stored = JSON.stringify(scene.parameters[parameter] ?? '');
				return stored.includes('"=') ? `${parameter} of item ${item + 1}` : parameter;
			});
			expect(asked.length).toBeGreaterThan(0);
			expect(asked.filter((each, index) => asked.indexOf(each) !== index)).toEqual([]);
		});

		test('item 2 fails, stop: the sentences name item 2, and what was written all the same', async () => {
			const { error, items } = await run(broken());
			expect(items).toEqual([]);
			expect(error?.message).toMatch(/\(item 2 of 3\)$/);
			expect(error?.message + (error?.description ?? '')).not.toMatch(BLAME);
			if (kind !== 'write') return;
			// The write after it may have been under way already, unless both are for one transaction.
			const written = succeeded().length / writes;
			expect([1, 2]).toContain(written);
			expect(error?.description).toMatch(
				written === 1 ? /\. Item 1 is done[:,] / : /\. Items 1 and 3 are done[:,] /,
			);
		});

		test('item 2 fails, continue: the others are unharmed', async () => {
			const { items, error } = await run(broken(), { onError: 'continueRegularOutput' });
			expect(error).toBeUndefined();
			const failed = items.filter(({ json }) => json.error !== undefined);
			expect(failed).toHaveLength(1);
			expect(failed[0].json.error).toMatch(/\(item 2 of 3\)\. .{10,}/);
			expect(failed[0].pairedItem).toEqual({ item: 1 });
			expect(marks(items.filter(({ json }) => json.error === undefined))).toEqual(
				repeated([scene.expected[0], scene.expected[2]]),
			);
		});

		test('item 2 fails, error output', async () => {
			const { items, errorItems } = await run(broken(), { onError: 'continueErrorOutput' });
			expect(marks(items)).toEqual(repeated([scene.expected[0], scene.expected[2]]));
			expect(errorItems).toHaveLength(1);
			expect(errorItems[0].json).toEqual({ error: expect.stringMatching(/\(item 2 of 3\)/) });
		});

		if (offline) return;

		test('Retry On Fail: all items in the end, no write twice', async () => {
			fault({ skip: 1, status: 422, body: { errors: ['Not now'] } });
			const { items, error } = await run(scene.items, {
				retryOnFail: true,
				maxTries: 3,
				waitBetweenTries: 5,
			});
			expect(error).toBeUndefined();
			expect(marks(items)).toEqual(repeated(scene.expected));
			if (kind === 'write') expect(succeeded()).toHaveLength(3 * writes);
		});

		describe.each([
			[401, { error: 'x' }, /API key/],
			[403, { errors: ['Feature not available'] }, /Feature not available/],
			[404, 'Not found', /was not found|doesn't know/],
			[409, { message: 'not ready' }, /not ready|isn't ready/],
			[422, { errors: { request: ['Odd value'] } }, /Odd value/],
		])('answer %d', (status, body, expected) => {
			test('is told with its remedy and not repeated', async () => {
				// Twice: where another path is tried it says the same.
				fault({ status, body, times: 2 });
				const error = refused(await run(scene.items.slice(0, 1)));
				expect(error?.message).toMatch(expected);
				expect((error?.description ?? '').length).toBeGreaterThan(15);
				expect(
					`${error?.message} ${error?.description}`.replace(/The service said.*/, ''),
				).not.toMatch(BLAME);
				expect(own().length).toBeLessThanOrEqual([401, 403, 404].includes(status) ? 2 : 1);
			});
		});

		test('429 with Retry-After: waited for, then done, once', async () => {
			fault({ status: 429, headers: { 'retry-after': '1' } });
			const began = Date.now();
			const { items, error } = await run(scene.items.slice(0, 1));
			expect(error).toBeUndefined();
			expect(marks(items)).toEqual(repeated(scene.expected.slice(0, 1)));
			expect(Date.now() - began).toBeGreaterThanOrEqual(990);
			if (kind === 'write') expect(succeeded()).toHaveLength(writes);
		});

		test('503 and a cut connection: a read is repeated, a write only if it does no harm', async () => {
			const specs = [{ status: 503 }, { kind: 'cutBefore' as const }];
			await forEachCase(specs.entries(), async ([index, spec]) => {
				sandbox.faults.clear();
				sandbox.requests.length = 0;
				fault(spec);
				const { items, error } = await run(scene.items.slice(index, index + 1));
				if (kind === 'read' || repeats) {
					expect(error).toBeUndefined();
					expect(marks(items)).toEqual(repeated(scene.expected.slice(index, index + 1)));
				} else {
					// The service shows it, or nobody knows.
					expect(error?.message).toMatch(
						/outcome is unknown|, and (.* is|it's) still|it isn't there|no change/,
					);
					expect(own()).toHaveLength(1);
				}
			});
		});

		test('an answer lost after the work: a write is found again, not repeated', async () => {
			fault({ kind: 'cutAfter' });
			const { items, error } = await run(scene.items.slice(0, 1));
			if (kind === 'write' && !repeats) expect(own()).toHaveLength(writes);
			if (traceless) {
				expect(error?.message).toMatch(/outcome is unknown/);
				return;
			}
			expect(error).toBeUndefined();
			expect(marks(items)).toEqual(repeated(scene.expected.slice(0, 1)));
		});

		test('a body that is not JSON: the message points to the base URL', async () => {
			fault({
				status: 200,
				body: '<html>Welcome</html>',
				headers: { 'content-type': 'text/html' },
			});
			const outcome = await run(scene.items.slice(0, 1));
			if (repeats) return expect(outcome.error).toBeUndefined();
			const error = refused(outcome);
			expect(`${error?.message} ${error?.description}`).toMatch(/'Base URL'/);
		});

		test('the current layout', async () => {
			const { items, error } = await run(scene.items, {}, { pathLayout: 'current' });
			expect(error).toBeUndefined();
			expect(marks(items)).toEqual(repeated(scene.expected));
			forEachCase(sandbox.requests, ({ path }) =>
				expect(path).toMatch(/^\/(mortgage\/v2|v1|v2\/webhooks)(\/|$)/),
			);
		});

		test('a documented-only service: works, or says plainly that it is not offered', async () => {
			sandbox.world.settings.profile = 'documented';
			const { items, error } = await run(scene.items.slice(0, 1));
			if (undocumented) {
				expect(`${error?.message} ${error?.description}`).toMatch(
					/was not found|don't offer|doesn't offer|sent the transaction without/,
				);
				return;
			}
			const count = repeated(scene.expected.slice(0, 1)).length;
			if (error === undefined) return expect(items).toHaveLength(count);
			// Some calls exist on business alone there, and the form has the choice.
			expect(error.description).toMatch(/'Platform'/);
			const onBusiness = await runNode({
				credential: credentialFor(sandbox.url),
				parameters: { ...scene.parameters, resource, operation, platform: 'business' },
				items: scene.items.slice(0, 1),
				limits,
			});
			expect(onBusiness.error).toBeUndefined();
			expect(onBusiness.items).toHaveLength(count);
		});

		if (lists) {
			describe('pages', () => {
				let size: number;
				/** Each page begins with the last entry of the one before, if it has room for another. */
				let step: number;
				beforeEach(() => {
					size = scene.pages!.size ?? 2;
					step = Math.max(1, size - 1);
				});
				const list = async (more: IDataObject) =>
					await runNode({
						limits: { pageSize: size },
						credential: credentialFor(sandbox.url),
						parameters: {
							...scene.parameters,
							...scene.pages!.parameters,
							resource,
							operation,
							...more,
						},
						items: scene.items.slice(0, 1),
					});
				const offsets = () => own().map(({ query }) => Number(query.offset));

				test('all: every entry once and in order, from as many pages as there are', async () => {
					const { expected } = scene.pages!;
					const { items, error } = await list({ returnAll: true });
					expect(error).toBeUndefined();
					expect(marks(items)).toEqual(expected);
					expect(expected.length).toBeGreaterThan(size);
					const pages = Math.ceil((expected.length - size + step) / step);
					expect(offsets().slice(0, pages)).toEqual(
						Array.from({ length: pages }, (_, page) => page * step),
					);
					forEachCase(items, ({ pairedItem }) => expect(pairedItem).toEqual({ item: 0 }));
				});
				test('a limit: no page more than it needs', async () => {
					expect(marks((await list({ returnAll: false, limit: size + 1 })).items)).toEqual(
						scene.pages!.expected.slice(0, size + 1),
					);
					expect(offsets()).toEqual([0, step]);
					sandbox.requests.length = 0;
					expect(marks((await list({ returnAll: false, limit: 1 })).items)).toEqual(
						scene.pages!.expected.slice(0, 1),
					);
					expect(own().map(({ query }) => query.limit)).toEqual(['1']);
				});
				test('a service that ignores the offset is not asked for ever, and nothing comes twice', async () => {
					await list({ returnAll: false, limit: size });
					const { path, query } = own()[0];
					const answer = await fetch(`${sandbox.url}${path}?${new URLSearchParams(query)}`, {
						headers: { ApiKey: sandbox.keys.full },
					});
					fault({ status: 200, body: (await answer.json()) as object, times: 50 });
					sandbox.requests.length = 0;
					expect(marks((await list({ returnAll: true })).items)).toEqual(
						scene.pages!.expected.slice(0, size),
					);
					expect(own()).toHaveLength(2);
				});
			});
		}

		if (binary !== undefined) {
			test.each<BinaryMode>(['filesystem', 'default'])(
				'files in binary mode %s have the name, type and size that the item says',
				async (mode) => {
					await useBinaryMode(mode);
					const { items, error } = await run();
					expect(error).toBeUndefined();
					await forEachCase(items, async (item) => {
						const file = item.binary![binary];
						expect(file).toMatchObject({
							fileName: item.json.file_name,
							mimeType: item.json.mime_type,
						});
						expect((await readFile(file)).length).toBe(item.json.bytes);
					});
				},
			);
		}
	});
}

import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';

import { startSandbox, type Sandbox } from '../../../sandbox/index.mts';
import { credentialFor, runNode, useBinaryMode } from '../../support/engine.mts';
import {
	expectCleanPrototype,
	expectPlainRun,
	expectUsualPrototypes,
	TEN_MEGABYTES,
} from '../../support/hostile/index.mts';
import { FIXTURES, type Scene } from '../../support/matrix/index.mts';

/**
 * Hostile answers of the service, for every operation: what a person reads of them is plain text,
 * and what comes out of the node changes no object's prototype.
 */

const MARKUP = '<a href="https://evil.example">Log in again</a><script>alert(1)</script>';
const TERMINAL = '\u001b[2J\u001b]8;;https://evil.example\u0007here\u001b]8;;\u0007';
const LOG = 'Not now\r\n2026-11-22 | info | Workflow was deleted by admin\n';

const REFUSALS: Array<[string, unknown]> = [
	['markup', { errors: [`Sorry: ${MARKUP}`] }],
	['markup that is a text', `Sorry: ${MARKUP}`],
	['markup as the name of a field', { errors: { [MARKUP]: ['is odd'] } }],
	['escapes of a terminal', { error: TERMINAL }],
	['lines of a log', { message: LOG }],
	['another direction', { errors: ['\u202etxet nekorb\u2066'] }],
	['half of a character', { errors: ['\ud800'] }],
	['10 MB', { errors: [TEN_MEGABYTES] }],
	[
		'many texts',
		{ errors: Array.from({ length: 20_000 }, (_, index) => `Text ${index} ${MARKUP}`) },
	],
	[
		'names of the prototype',
		{ errors: { request: 'invalid value for constructor - expected valueOf' } },
	],
	['an object that is none', '{"__proto__": {"polluted": 1}, "errors": {"__proto__": ["odd"]}}'],
	['deep objects', `${'{"errors":'.repeat(20_000)}"odd"${'}'.repeat(20_000)}`],
];

beforeAll(async () => await useBinaryMode('filesystem'));

describe.each(Object.keys(FIXTURES))('%s', (name) => {
	const [resource, operation] = name.split('/');
	const { told, limits, build } = FIXTURES[name];
	let sandbox: Sandbox;
	let scene: Scene;
	beforeAll(async () => {
		sandbox = await startSandbox({ processingMs: 0 });
		scene = await build(sandbox);
	});
	beforeEach(() => sandbox.faults.clear());
	afterAll(async () => await sandbox.close());
	const run = async (items = scene.items) =>
		await runNode({
			credential: credentialFor(sandbox.url),
			parameters: { ...scene.parameters, resource, operation },
			items,
			node: { onError: 'continueRegularOutput' },
			limits,
		});

	test('refusals', async () => {
		for (const [, body] of REFUSALS) {
			sandbox.faults.clear();
			sandbox.faults.add({
				...scene.request,
				status: 422,
				body,
				headers: {
					'content-type': 'application/json',
					'x-amz-trace-id': `Root=1 ${MARKUP} ${'x'.repeat(5_000)}`,
				},
				times: Infinity,
			});
			const outcome = await run(scene.items.slice(0, 1));
			expectPlainRun(outcome);
			const said =
				told?.(outcome.items.map(({ json }) => json)).message ?? outcome.items[0].json.error;
			expect(String(said).length).toBeGreaterThan(20);
			expectCleanPrototype();
		}
	});
	test('answers with keys of the prototype', async () => {
		const polluted =
			'"__proto__": {"polluted": 1}, "\\u005f_proto__": {"polluted": 1}, "constructor": {"prototype": {"polluted": 1}}';
		for (const body of [
			`{${polluted}, "id": "x1", "documents": [{${polluted}, "id": "x2"}], "signers": [{${polluted}}]}`,
			`[{${polluted}, "id": "x1"}]`,
		]) {
			sandbox.faults.clear();
			sandbox.faults.add({
				...scene.request,
				status: 200,
				body,
				headers: { 'content-type': 'application/json' },
				times: Infinity,
			});
			const outcome = await run(scene.items.slice(0, 1));
			expectPlainRun(outcome);
			for (const { json } of outcome.items) expectUsualPrototypes(json);
			expectCleanPrototype();
		}
	});
});

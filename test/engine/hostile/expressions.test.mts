import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import { operations } from '../../../nodes/SignAndClose/resources/index.ts';
import { startSandbox, type Sandbox } from '../../../sandbox/index.mts';
import { credentialFor, runNode, useBinaryMode } from '../../support/engine.mts';
import {
	expectCleanPrototype,
	expectPlainRun,
	expectUsualPrototypes,
	oddValues,
} from '../../support/hostile/index.mts';
import { FIXTURES, type Scene } from '../../support/matrix/index.mts';

/**
 * Expressions that return odd values in every parameter of every operation: each is used as what it
 * means, or refused by the parameter's name. What is no text is never sent as if it were one.
 */

const PARAMETERS = operations.flatMap(({ resource, value, properties }) =>
	[...new Set(properties.map(({ name }) => name))].map(
		(parameter) => [`${resource}/${value}`, parameter] as const,
	),
);

/** What JavaScript makes of odd values when it has to make text of them. */
const NO_TEXT = /\[object |\bNaN\b|Infinity|Symbol\(|"(null|undefined)"|Invalid Date/;

/** Leaves out files in base64, in which any letters can be. */
const short = (_name: string, value: unknown) =>
	typeof value === 'string' && value.length > 500 ? '' : value;

beforeAll(async () => await useBinaryMode('filesystem'));

describe.each(Object.keys(FIXTURES))('%s', (name) => {
	let sandbox: Sandbox;
	let scene: Scene;
	beforeAll(async () => {
		sandbox = await startSandbox({ processingMs: 0 });
		scene = await FIXTURES[name].build(sandbox);
	});
	afterAll(async () => await sandbox.close());

	test.each(PARAMETERS.filter(([operation]) => operation === name).map(([, each]) => each))(
		'%s',
		async (parameter) => {
			sandbox.requests.length = 0;
			const [resource, operation] = name.split('/');
			const [item] = scene.items;
			const values = Object.entries(oddValues());
			const outcome = await runNode({
				credential: credentialFor(sandbox.url),
				parameters: {
					// n8n asks for them while it can't know that they aren't shown.
					fileUrl: 'https://files.example.com/a.pdf',
					fileBase64: 'JVBERi0xLjcK',
					...scene.parameters,
					resource,
					operation,
					[parameter]: '={{ $json.attack }}',
				},
				items: values.map(([, attack]) => ({ ...item, json: { ...item.json, attack } as never })),
				node: { onError: 'continueRegularOutput' },
				limits: { readMs: 3_000, writeMs: 3_000 },
			});
			expectPlainRun(outcome);
			for (const { json } of outcome.items) expectUsualPrototypes(json);
			for (const { body, query, path } of sandbox.requests)
				expect(JSON.stringify({ body, query, path }, short)).not.toMatch(NO_TEXT);
			expectCleanPrototype();
		},
	);
});

import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { beforeAll, expect, test } from '@jest/globals';

import { operations } from '../../nodes/SignAndClose/operations/index.ts';
import { startSandbox } from '../../sandbox/index.mts';
import { credentialFor, runNode, useBinaryMode } from '../support/engine.mts';
import { FIXTURES } from '../support/matrix/index.mts';

/**
 * The output schemas that the editor previews are what the operations really give, by default:
 * simplified. After a change of an output: UPDATE_SCHEMAS=1 npm test -- schemas
 */

const FOLDER = join(
	dirname(fileURLToPath(import.meta.url)),
	'..',
	'..',
	'nodes',
	'SignAndClose',
	'__schema__',
	'v1.0.0',
);
const update = process.env.UPDATE_SCHEMAS === '1';
const names = operations.map(({ resource, value }) => `${resource}/${value}`).sort();
beforeAll(async () => {
	await useBinaryMode('filesystem');
	if (update) rmSync(FOLDER, { recursive: true, force: true });
});

test('every operation has a schema, and every schema an operation', () => {
	if (!update)
		expect(
			readdirSync(FOLDER, { recursive: true })
				.map(String)
				.filter((name) => name.endsWith('.json'))
				.map((name) => name.slice(0, -5))
				.sort(),
		).toEqual(names);
});

test.each(names)('%s gives what its schema says', async (name) => {
	const [resource, operation] = name.split('/');
	const sandbox = await startSandbox();
	const { parameters, items } = await FIXTURES[name].build(sandbox);
	const outcome = await runNode({
		credential: credentialFor(sandbox.url),
		parameters: { ...parameters, resource, operation },
		items: items.slice(0, 1),
	});
	await sandbox.close();
	expect(outcome.error).toBeUndefined();
	const schema = { ...schemaOf(outcome.items[0].json), version: 1 };
	const file = join(FOLDER, resource, `${operation}.json`);
	if (update) {
		mkdirSync(dirname(file), { recursive: true });
		writeFileSync(file, `${JSON.stringify(schema, null, '\t')}\n`);
	}
	expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(schema);
});

function schemaOf(value: unknown): object {
	if (value === null || value === undefined) return { type: 'null' };
	if (Array.isArray(value))
		return { type: 'array', ...(value.length > 0 && { items: schemaOf(value[0]) }) };
	if (typeof value === 'object')
		return {
			type: 'object',
			properties: Object.fromEntries(
				Object.entries(value).map(([key, entry]) => [key, schemaOf(entry)]),
			),
		};
	return { type: Number.isInteger(value) ? 'integer' : typeof value };
}

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { format, resolveConfig } from 'prettier';

import { startSandbox, type Sandbox } from '../../../sandbox/index.mts';
import { credentialFor, runNode } from '../engine.mts';
import { FIXTURES, fixturePath, type Scene } from '../matrix/index.mts';

/**
 * The output schemas that the editor previews, which `npm run generate` writes: what each operation
 * gives by default, which is simplified.
 */

const FOLDER = fileURLToPath(
	new URL('../../../nodes/SignAndClose/__schema__/v1.0.0/', import.meta.url),
);

/** Where the schema of an operation is. */
export const schemaFile = (name: string) => join(FOLDER, `${name}.json`);

/** The operations that have a schema file now: resource/value. */
export function namesOfSchemas(): string[] {
	return readdirSync(FOLDER, { recursive: true })
		.map((file) => String(file).replaceAll('\\', '/'))
		.filter((file) => file.endsWith('.json'))
		.map((file) => file.slice(0, -'.json'.length))
		.sort();
}

/** Runs the operation for the first item of its fixture, and describes the output. */
export async function outputSchema(name: string): Promise<object> {
	const [resource, operation] = name.split('/');
	if (FIXTURES[name] === undefined)
		throw new Error(`${name} is listed, but has no fixture: create ${fixturePath(name)}`);
	const sandbox = await startSandbox();
	try {
		const { parameters, items } = await buildScene(name, sandbox);
		const outcome = await runNode({
			credential: credentialFor(sandbox.url),
			parameters: { ...parameters, resource, operation },
			items: items.slice(0, 1),
		});
		const unknown = sandbox.requests.find(
			({ operationId, status }) => operationId === undefined && status === 404,
		);
		if (unknown !== undefined)
			throw new Error(
				`${name} asked ${unknown.method} ${unknown.path}, which sandbox/openapi.yaml doesn't have: see CONTRIBUTING.md, On a new endpoint`,
			);
		if (outcome.error)
			throw new Error(
				[`${name}: ${outcome.error.message}`, outcome.error.description].filter(Boolean).join('. '),
				{ cause: outcome.error },
			);
		if (outcome.items.length === 0)
			throw new Error(`${name} gave no item for the first item of ${fixturePath(name)}`);
		return { ...schemaOf(outcome.items[0].json), version: 1 };
	} finally {
		await sandbox.close();
	}
}

async function buildScene(name: string, sandbox: Sandbox): Promise<Scene> {
	try {
		return await FIXTURES[name].build(sandbox);
	} catch (thrown) {
		const { message } = thrown as Error;
		throw new Error(`${name}: build in ${fixturePath(name)} failed: ${message}`, { cause: thrown });
	}
}

/** The file that holds a schema, formatted as Prettier formats it. */
export async function schemaText(name: string): Promise<{ file: string; text: string }> {
	const file = schemaFile(name);
	const schema = JSON.stringify(await outputSchema(name), null, '\t');
	return {
		file,
		text: await format(schema, { ...(await resolveConfig(file)), filepath: file }),
	};
}

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

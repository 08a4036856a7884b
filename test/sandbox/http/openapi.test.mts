/**
 * openapi.yaml itself: a valid OpenAPI 3.1 document by the official schema, whose operations all
 * have a handler.
 */

import { expect, test } from '@jest/globals';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';

import { loadOpenapi } from '../../../sandbox/http/openapi.mts';
import { startSandbox } from '../../../sandbox/index.mts';
import { createOperations } from '../../../sandbox/operations/index.mts';

const MARKS = ['doc', 'pub', 'lik', 'def'];

/** Every value in a document with its place. */
function* walk(value: unknown, place: string[] = []): Generator<[string[], any]> {
	if (typeof value !== 'object' || value === null) return;
	yield [place, value];
	for (const [name, inner] of Object.entries(value)) yield* walk(inner, [...place, name]);
}

const at = (definition: any, pointer: string) =>
	pointer
		.slice(2)
		.split('/')
		.reduce((found, name) => found?.[name.replaceAll('~1', '/').replaceAll('~0', '~')], definition);

test('openapi.yaml is a valid OpenAPI 3.1 document', async () => {
	const validator = new Validator();
	const { valid, errors } = await validator.validate(loadOpenapi());
	expect(errors ?? []).toEqual([]);
	expect([valid, validator.version]).toEqual([true, '3.1']);
});

test('the official schema finds a mistake', async () => {
	const broken = loadOpenapi();
	broken.paths['/v2/webhooks'].get.parameters = [
		{ name: 'limit', in: 'nowhere', schema: { type: 'integer' } },
	];
	expect((await new Validator().validate(broken)).valid).toBe(false);
});

test('every schema in it is a valid JSON Schema of the dialect of OpenAPI 3.1', () => {
	const ajv = new Ajv2020({ strict: false, allErrors: true });
	const definition = loadOpenapi();
	const schemas = [
		...Object.values(definition.components.schemas),
		// Schemas of parameters and bodies; those within a schema are judged with it.
		...[
			...walk(definition.paths),
			...walk(definition.components.parameters),
			...walk(definition.components.responses),
		].flatMap(([, value]) => (value.schema === undefined ? [] : [value.schema])),
	];
	expect(schemas.length).toBeGreaterThan(100);
	for (const schema of schemas) {
		ajv.validateSchema(schema);
		expect(ajv.errors ?? []).toEqual([]);
	}
});

test('every reference leads somewhere, and every component is used', () => {
	const definition = loadOpenapi();
	const references = new Set(
		[...walk(definition)].flatMap(([, { $ref }]) => (typeof $ref === 'string' ? [$ref] : [])),
	);
	expect([...references].filter((pointer) => at(definition, pointer) === undefined)).toEqual([]);
	const components = ['schemas', 'parameters', 'responses'].flatMap((kind) =>
		Object.keys(definition.components[kind]).map((name) => `#/components/${kind}/${name}`),
	);
	expect(components.filter((pointer) => !references.has(pointer))).toEqual([]);
});

test('each operation has an id of its own and names every parameter of its path', () => {
	const { paths, components } = loadOpenapi();
	const ids: string[] = [];
	for (const [path, item] of Object.entries<any>(paths)) {
		for (const method of ['get', 'post', 'put', 'patch', 'delete']) {
			const operation = item[method];
			if (operation === undefined) continue;
			ids.push(operation.operationId);
			const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])].map(
				(entry) =>
					entry.$ref === undefined ? entry : components.parameters[entry.$ref.split('/').at(-1)],
			);
			const named = parameters.filter((entry) => entry.in === 'path').map(({ name }) => name);
			expect([path, named.sort()]).toEqual([
				path,
				[...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort(),
			]);
		}
	}
	expect(new Set(ids).size).toBe(ids.length);
});

test('every operation of openapi.yaml has a mark and a handler, and every handler an operation', async () => {
	const operations = Object.values<any>(loadOpenapi().paths).flatMap((path) =>
		['get', 'post', 'put', 'patch', 'delete'].flatMap((method) =>
			path[method] ? [path[method]] : [],
		),
	);
	const ids: string[] = operations.map(({ operationId }) => operationId);
	const handled = await namesOfHandlers();
	const problems = [
		...ids
			.filter((id) => !handled.includes(id))
			.map((id) => `openapi.yaml has ${id}: add its handler to a file in sandbox/operations/`),
		...handled
			.filter((id) => !ids.includes(id))
			.map((id) => `sandbox/operations/ has a handler ${id}: add its operation to openapi.yaml`),
		...operations
			.filter((operation) => !MARKS.includes(operation['x-mark']))
			.map(({ operationId }) => `${operationId} in openapi.yaml: add x-mark (${MARKS.join(', ')})`),
	];
	expect(problems).toEqual([]);
	expect(ids.sort()).toEqual(handled.sort());
});

async function namesOfHandlers(): Promise<string[]> {
	const sandbox = await startSandbox();
	try {
		return Object.keys(createOperations(sandbox.world));
	} finally {
		await sandbox.close();
	}
}

test('every schema is a valid JSON Schema, which the sandbox takes for granted', () => {
	const ajv = new Ajv2020({ strict: false });
	const invalid = (definition: any) =>
		[...walk(definition)]
			.filter(([place]) => place.at(-1) === 'schema' || place.at(-2) === 'schemas')
			.filter(([, schema]) => ajv.validateSchema(schema) !== true)
			.map(([place]) => place.join('/'));
	const definition = loadOpenapi();
	expect(invalid(definition)).toEqual([]);
	definition.components.schemas.Transaction.required = 'id';
	definition.paths['/transactions'].get.responses['200'].content['application/json'].schema.type =
		'list';
	expect(invalid(definition)).toHaveLength(2);
});

test('sandboxes of one kind read the description once, and each kind its own', async () => {
	const kinds = [{}, {}, { profile: 'documented' }, { assuranceField: 'assurance' }] as const;
	const sandboxes = await Promise.all(kinds.map(async (kind) => await startSandbox(kind)));
	const [one, same, documented, renamed] = sandboxes.map(({ validator }) => validator);
	for (const sandbox of sandboxes) await sandbox.close();
	expect(same).toBe(one);
	expect(new Set([one, documented, renamed]).size).toBe(3);
});
